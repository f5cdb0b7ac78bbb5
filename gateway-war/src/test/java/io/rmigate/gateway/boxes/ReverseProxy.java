package io.rmigate.gateway.boxes;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** A web server before the gateway: it ends TLS, and sees each request. */
abstract class ReverseProxy implements Box {
  @Override
  public Optional<String> lacks(Mode mode) {
    return switch (mode) {
      case DIGEST ->
          Optional.of(
              "clients log in at gateways, and what stands before them, by Basic or tokens");
      case CONNECT_REFUSED -> Optional.of("no client sends CONNECT to it");
      default -> Optional.empty();
    };
  }

  @Override
  public final StandingBox start(Mode mode, BoxBed bed) throws IOException, InterruptedException {
    BoxProcess process = BoxProcess.start((directory, port) -> command(mode, bed, directory, port));
    return new StandingBox(
        bed.agentOf("https://127.0.0.1:" + process.port() + "/rmigate")
            + (mode == Mode.BASIC
                ? ",user=" + Login.USER + ",password-file=" + bed.password()
                : ""),
        List.of(process));
  }

  /** Writes its configuration for the gateway without TLS, and says what to run. */
  abstract List<String> command(Mode mode, BoxBed bed, Path directory, int port)
      throws IOException, InterruptedException;
}
