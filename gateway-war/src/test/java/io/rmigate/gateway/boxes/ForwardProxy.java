package io.rmigate.gateway.boxes;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * An HTTP proxy by which clients leave their network. It sees a CONNECT and the bytes of TLS behind
 * it: whether there is an upgrade within is for others to say.
 */
abstract class ForwardProxy implements Box {
  private static final ReverseProxy FRONT = new NginxBox();

  @Override
  public Optional<String> lacks(Mode mode) {
    return switch (mode) {
      case BUFFERING -> Optional.of("what it passes on is TLS: no bodies to buffer");
      case UPGRADE_SWALLOWED -> Optional.of("it does not see the upgrade; see the reverse proxies");
      default -> Optional.empty();
    };
  }

  /** A mode in which the upgrade is refused needs a server behind the proxy that refuses it. */
  @Override
  public final Optional<Installed> missing(Mode mode) {
    return mode.refusesUpgrade() ? missing().or(FRONT::missing) : missing();
  }

  @Override
  public final StandingBox start(Mode mode, BoxBed bed) throws IOException, InterruptedException {
    List<BoxPart> parts = new ArrayList<>();
    try {
      URI direct = bed.tlsGateway(mode);
      String gateway = bed.agentOf(direct.toString());
      int gatewayPort = direct.getPort();
      if (mode.refusesUpgrade()) {
        BoxProcess front =
            BoxProcess.start(
                (directory, port) -> FRONT.command(Mode.UPGRADE_REFUSED, bed, directory, port));
        parts.add(front);
        gateway = bed.agentOf("https://127.0.0.1:" + front.port() + "/rmigate");
        gatewayPort = front.port();
      }
      int listening = listen(mode, gatewayPort, parts);
      boolean login = mode == Mode.BASIC || mode == Mode.DIGEST;
      return new StandingBox(
          gateway
              + ",proxy="
              + host()
              + ":"
              + listening
              + (login
                  ? ",proxy-user=" + Login.USER + ",proxy-password-file=" + bed.password()
                  : ""),
          parts);
    } catch (IOException | InterruptedException | RuntimeException | Error e) {
      parts.forEach(BoxPart::close);
      throw e;
    }
  }

  /** By which name clients know it. */
  String host() {
    return "127.0.0.1";
  }

  /**
   * Starts it.
   *
   * @param gatewayPort the one port to which it lets clients connect
   * @param parts where what is started goes
   * @return where it listens
   */
  abstract int listen(Mode mode, int gatewayPort, List<BoxPart> parts)
      throws IOException, InterruptedException;

  /** The port that is let through: the gateway's, or another one. */
  static int permitted(Mode mode, int gatewayPort) {
    return mode == Mode.CONNECT_REFUSED ? 443 : gatewayPort;
  }
}
