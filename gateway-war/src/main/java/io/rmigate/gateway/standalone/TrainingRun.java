package io.rmigate.gateway.standalone;

import java.io.IOException;
import java.io.PipedReader;
import java.io.PipedWriter;
import java.io.PrintWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Scanner;
import picocli.CommandLine;

/**
 * The run of the gateway from which {@link InstallCommand} makes an archive of classes: it starts
 * as any gateway does, answers what asks for its health and figures, accepts one WebSocket, and
 * ends.
 */
final class TrainingRun {
  private static final String READY = "rmigate ready ";

  private TrainingRun() {}

  /**
   * Ends the JVM; with exit code 0 if the gateway has served.
   *
   * @param arguments an existing directory for the gateway's files
   */
  public static void main(String[] arguments) throws Exception {
    Path work = Path.of(arguments[0]);
    Path configuration = work.resolve("rmigate.yaml");
    Files.writeString(
        configuration,
        """
        listen: 127.0.0.1:0
        insecure: true
        state: '%s'
        metrics: open
        logins: {anonymous: true}
        targets: [{principals: ['*'], allow: ['localhost:*']}]
        """
            .formatted(work.resolve("state").toString().replace("'", "''")));
    try (PipedReader lines = new PipedReader();
        PipedWriter out = new PipedWriter(lines);
        Scanner scanner = new Scanner(lines)) {
      CommandLine gateway = Standalone.commandLine(() -> {});
      gateway.setOut(new PrintWriter(out, true));
      Thread running =
          new Thread(
              () -> System.exit(gateway.execute("--config", configuration.toString())), "gateway");
      running.setDaemon(true);
      running.start();
      String line = scanner.nextLine();
      if (!line.startsWith(READY)) {
        throw new IllegalStateException("expected " + READY + ", got " + line);
      }
      use(line.substring(READY.length()));
      System.exit(0);
    }
  }

  private static void use(String gateway) throws IOException, InterruptedException {
    HttpClient client = HttpClient.newHttpClient();
    for (String page : new String[] {"/health/ready", "/metrics"}) {
      HttpRequest request = HttpRequest.newBuilder(URI.create(gateway + page)).build();
      int status = client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
      if (status != 200) {
        throw new IOException(page + " answers " + status);
      }
    }
    URI tunnel = URI.create(gateway.replaceFirst("^http", "ws") + "/tunnel");
    client
        .newWebSocketBuilder()
        .subprotocols("rmigate.1")
        .buildAsync(tunnel, new WebSocket.Listener() {})
        .join()
        .abort();
  }
}
