package io.rmigate.gateway.standalone;

import io.rmigate.gateway.GatewayBootstrap;
import io.rmigate.gateway.config.GatewayConfig;
import io.rmigate.gateway.problem.ConfigException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;

/** The stand-alone gateway within the test's JVM, on a free port of 127.0.0.1. */
public final class RunningGateway implements AutoCloseable {
  private final EmbeddedServer server;
  private final HttpClient client;

  private RunningGateway(EmbeddedServer server, HttpClient client) {
    this.server = server;
    this.client = client;
  }

  /** Starts with {@code directory/rmigate.yaml} holding {@code yaml}; the address is added. */
  public static RunningGateway start(Path directory, String yaml, HttpClient client)
      throws ConfigException, IOException {
    Path file =
        Files.writeString(directory.resolve("rmigate.yaml"), "listen: 127.0.0.1:0\n" + yaml);
    return new RunningGateway(EmbeddedServer.start(GatewayConfig.load(file, Map.of())), client);
  }

  /** With a client that needs no TLS. */
  public static RunningGateway start(Path directory, String yaml)
      throws ConfigException, IOException {
    return start(directory, yaml, HttpClient.newHttpClient());
  }

  /** The composition root. */
  public GatewayBootstrap bootstrap() {
    return server.bootstrap();
  }

  /** Up to the context path. */
  public URI uri() {
    return server.uri();
  }

  /** Where old JDKs are served and nothing else; 0 when there is no such port. */
  public int legacyPort() {
    return server.legacyPort();
  }

  /** Where administration is and nothing else, up to the context path; empty: where all is. */
  public Optional<URI> adminUri() {
    return server.adminUri();
  }

  /** {@code path} begins with a slash, below the context path; headers are names and values. */
  public HttpResponse<String> get(String path, String... headers)
      throws IOException, InterruptedException {
    return send("GET", path, headers);
  }

  /** Any method, without a body. */
  public HttpResponse<String> send(String method, String path, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(uri() + path))
            .method(method, HttpRequest.BodyPublishers.noBody());
    for (int i = 0; i < headers.length; i += 2) {
      request.header(headers[i], headers[i + 1]);
    }
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  /** The value of an Authorization header. */
  public static String basic(String name, String password) {
    return "Basic "
        + Base64.getEncoder()
            .encodeToString((name + ":" + password).getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
