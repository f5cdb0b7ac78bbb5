package io.rmigate.gateway.boxes;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import org.littleshoot.proxy.HttpProxyServer;
import org.littleshoot.proxy.HttpProxyServerBootstrap;
import org.littleshoot.proxy.ProxyAuthenticator;
import org.littleshoot.proxy.impl.DefaultHttpProxyServer;

/** LittleProxy, in this JVM: there is one on machines without any of the others, too. */
final class LittleProxyBox extends ForwardProxy {
  private record Part(HttpProxyServer server) implements BoxPart {
    @Override
    public String logs() {
      return "";
    }

    @Override
    public void close() {
      server.abort();
    }
  }

  @Override
  public String title() {
    return "LittleProxy";
  }

  @Override
  public Optional<Installed> missing() {
    return Optional.empty();
  }

  @Override
  public Optional<String> lacks(Mode mode) {
    return switch (mode) {
      case DIGEST -> Optional.of("it has no Digest");
      case CONNECT_REFUSED -> Optional.of("it lets every port through");
      default -> super.lacks(mode);
    };
  }

  @Override
  int listen(Mode mode, int gatewayPort, List<BoxPart> parts) {
    HttpProxyServerBootstrap bootstrap =
        DefaultHttpProxyServer.bootstrap()
            .withAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    if (mode.cutsIdle()) {
      bootstrap.withIdleConnectionTimeout((int) BoxMatrix.CUT.toSeconds());
    }
    if (mode == Mode.BASIC) {
      bootstrap.withProxyAuthenticator(
          new ProxyAuthenticator() {
            @Override
            public boolean authenticate(String user, String password) {
              return user.equals(Login.USER) && password.equals(Login.PASSWORD);
            }

            @Override
            public String getRealm() {
              return Login.REALM;
            }
          });
    }
    HttpProxyServer server = bootstrap.start();
    parts.add(new Part(server));
    return server.getListenAddress().getPort();
  }
}
