package io.rmigate.gateway.boxes;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Apache httpd as an HTTP proxy, with {@code deploy/httpd/forward.conf}. */
final class HttpdForwardBox extends ForwardProxy {
  @Override
  public String title() {
    return "httpd, forward";
  }

  @Override
  public Optional<Installed> missing() {
    return HttpdProgram.missing();
  }

  @Override
  int listen(Mode mode, int gatewayPort, List<BoxPart> parts)
      throws IOException, InterruptedException {
    BoxProcess process =
        BoxProcess.start(
            (directory, port) ->
                HttpdProgram.command(
                    directory, fragment(mode, gatewayPort, directory, port).writeTo(directory)));
    parts.add(process);
    return process.port();
  }

  private static Fragment fragment(Mode mode, int gatewayPort, Path directory, int port)
      throws IOException {
    Fragment installed =
        Fragment.of("httpd/forward.conf")
            .with("Listen 3128", "Listen 127.0.0.1:" + port)
            .with("<VirtualHost *:3128>", "<VirtualHost *:" + port + ">")
            .with("AllowCONNECT 443", "AllowCONNECT " + permitted(mode, gatewayPort))
            .with("gw.example:443", "127.0.0.1:" + gatewayPort)
            .with("Require ip 10.0.0.0/8", "Require ip 127.0.0.1");
    if (mode.cutsIdle()) {
      installed = installed.with("ProxyTimeout 60", "Timeout 10\nProxyTimeout 10");
    }
    return switch (mode) {
      case BASIC ->
          installed.with(
              "Require ip 127.0.0.1",
              "AuthType Basic\nAuthName \"%s\"\nAuthUserFile %s\nRequire valid-user"
                  .formatted(Login.REALM, Login.htpasswdIn(directory)));
      case DIGEST ->
          installed.with(
              "Require ip 127.0.0.1",
              "AuthType Digest\nAuthName \"%s\"\nAuthUserFile %s\nRequire valid-user"
                  .formatted(Login.REALM, Login.htdigestIn(directory)));
      default -> installed;
    };
  }
}
