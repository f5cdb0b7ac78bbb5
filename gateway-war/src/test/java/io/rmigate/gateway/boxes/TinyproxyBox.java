package io.rmigate.gateway.boxes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** tinyproxy, with {@code deploy/tinyproxy/rmigate.conf}. */
final class TinyproxyBox extends ForwardProxy {
  private static final Installed PROGRAM =
      Installed.of("tinyproxy-bin", "/usr/bin/tinyproxy", "/usr/sbin/tinyproxy");

  @Override
  public String title() {
    return "tinyproxy";
  }

  @Override
  public Optional<Installed> missing() {
    return PROGRAM.missing();
  }

  @Override
  public Optional<String> lacks(Mode mode) {
    return mode == Mode.DIGEST ? Optional.of("it has no Digest") : super.lacks(mode);
  }

  @Override
  int listen(Mode mode, int gatewayPort, List<BoxPart> parts)
      throws IOException, InterruptedException {
    BoxProcess process =
        BoxProcess.start((directory, port) -> command(mode, gatewayPort, directory, port));
    parts.add(process);
    return process.port();
  }

  private static List<String> command(Mode mode, int gatewayPort, Path directory, int port)
      throws IOException {
    Path filter = Files.writeString(directory.resolve("rmigate.filter"), "^127\\.0\\.0\\.1$\n");
    Fragment installed =
        Fragment.of("tinyproxy/rmigate.conf")
            .with("Port 3128", "Port " + port + "\nListen 127.0.0.1")
            .with("Allow 10.0.0.0/8", "Allow 127.0.0.1")
            .with("ConnectPort 443", "ConnectPort " + permitted(mode, gatewayPort))
            .with("/etc/tinyproxy/rmigate.filter", filter);
    if (mode.cutsIdle()) {
      installed = installed.with("Timeout 60", "Timeout 10");
    }
    if (mode == Mode.BASIC) {
      installed =
          installed.with(
              "MaxClients", "BasicAuth " + Login.USER + " " + Login.PASSWORD + "\nMaxClients");
    }
    return command(directory, installed);
  }

  /** Writes its configuration, and says what to run. */
  static List<String> command(Path directory, Fragment installed) throws IOException {
    return List.of(PROGRAM.toString(), "-d", "-c", installed.writeTo(directory).toString());
  }
}
