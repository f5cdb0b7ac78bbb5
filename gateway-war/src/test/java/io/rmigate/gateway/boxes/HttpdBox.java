package io.rmigate.gateway.boxes;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Apache httpd before the gateway, with {@code deploy/httpd/rmigate.conf}. */
final class HttpdBox extends ReverseProxy {
  @Override
  public String title() {
    return "httpd, reverse";
  }

  @Override
  public Optional<Installed> missing() {
    return HttpdProgram.missing();
  }

  @Override
  public Optional<String> lacks(Mode mode) {
    return mode == Mode.UPGRADE_SWALLOWED
        ? Optional.of("it answers every request")
        : super.lacks(mode);
  }

  @Override
  List<String> command(Mode mode, BoxBed bed, Path directory, int port)
      throws IOException, InterruptedException {
    return HttpdProgram.command(directory, fragment(mode, bed, directory, port).writeTo(directory));
  }

  private static Fragment fragment(Mode mode, BoxBed bed, Path directory, int port)
      throws IOException, InterruptedException {
    Fragment installed =
        Fragment.of("httpd/rmigate.conf")
            .with(
                "<VirtualHost *:443>",
                "Listen 127.0.0.1:" + port + "\n<VirtualHost *:" + port + ">")
            .with("gw.example", "localhost")
            .with("127.0.0.1:8080", bed.plainGateway(mode))
            .with("/etc/rmigate/tls/fullchain.pem", bed.pem().certificateIn(directory))
            .with("/etc/rmigate/tls/privkey.pem", bed.pem().keyIn(directory));
    if (mode.refusesUpgrade()) {
      installed = installed.with(" upgrade=websocket", "");
    }
    if (mode.cutsIdle()) {
      installed = installed.with("ProxyTimeout 90", "Timeout 10\nProxyTimeout 10");
    }
    return switch (mode) {
      case BUFFERING ->
          installed.with(
              "ProxyRequests Off",
              "ProxyRequests Off\nSetInputFilter BUFFER\nSetOutputFilter BUFFER");
      case BASIC ->
          installed.with(
              "ProxyRequests Off",
              """
              ProxyRequests Off
              <Location /rmigate/>
                  AuthType Basic
                  AuthName "%s"
                  AuthUserFile %s
                  Require valid-user
              </Location>
              """
                  .formatted(Login.REALM, Login.htpasswdIn(directory)));
      default -> installed;
    };
  }
}
