package io.rmigate.gateway.boxes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** HAProxy, with {@code deploy/haproxy/rmigate.cfg}. */
final class HaproxyBox extends ReverseProxy {
  private static final Installed PROGRAM =
      Installed.of("haproxy", "/usr/sbin/haproxy", "/usr/local/sbin/haproxy");

  private final Duration tunnelCut;

  HaproxyBox() {
    this(BoxMatrix.CUT);
  }

  /**
   * A HAProxy that cuts idle WebSockets after {@code tunnelCut}, in the modes that cut idle ones.
   */
  HaproxyBox(Duration tunnelCut) {
    this.tunnelCut = tunnelCut;
  }

  @Override
  public String title() {
    return "HAProxy";
  }

  @Override
  public Optional<Installed> missing() {
    return PROGRAM.missing();
  }

  @Override
  List<String> command(Mode mode, BoxBed bed, Path directory, int port)
      throws IOException, InterruptedException {
    Path fragment = fragment(mode, bed, directory, port).writeTo(directory);
    Path main =
        Files.writeString(
            directory.resolve("haproxy.cfg"),
            """
            global
                log stdout format raw local0
            defaults
                log global
                option httplog
            %s
            """
                .formatted(
                    mode == Mode.BASIC
                        ? "userlist people\n    user %s insecure-password %s"
                            .formatted(Login.USER, Login.PASSWORD)
                        : ""));
    return List.of(PROGRAM.toString(), "-db", "-f", main.toString(), "-f", fragment.toString());
  }

  private Fragment fragment(Mode mode, BoxBed bed, Path directory, int port)
      throws IOException, InterruptedException {
    Fragment installed =
        Fragment.of("haproxy/rmigate.cfg")
            .with("bind :443 ", "bind 127.0.0.1:" + port + " ")
            .with("127.0.0.1:8080", bed.plainGateway(mode))
            .with("/etc/rmigate/tls/haproxy.pem", bed.pem().bothIn(directory));
    if (mode.refusesUpgrade()) {
      installed = request(installed, "http-request del-header Upgrade");
    }
    if (mode.cutsIdle()) {
      installed =
          installed
              .with("timeout client          90s", "timeout client 10s")
              .with("timeout server  90s", "timeout server 10s")
              .with("timeout tunnel  90s", "timeout tunnel " + tunnelCut.toSeconds() + "s");
    }
    return switch (mode) {
      case BUFFERING -> request(installed, "option http-buffer-request");
      case UPGRADE_SWALLOWED ->
          request(installed, "http-request silent-drop if { req.hdr(Upgrade) -m found }");
      case BASIC -> request(installed, "http-request auth realm box unless { http_auth(people) }");
      default -> installed;
    };
  }

  private static Fragment request(Fragment installed, String line) {
    return installed.with(
        "    timeout http-request ", "    " + line + "\n    timeout http-request ");
  }
}
