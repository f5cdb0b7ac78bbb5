package io.rmigate.gateway.container.lookups;

import static io.rmigate.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rmigate.gateway.testing.BuiltArtefacts;
import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.gateway.testing.CountingRelay;
import io.rmigate.gateway.testing.InsideHosts;
import io.rmigate.protocol.coding.Compression;
import io.rmigate.sample.SampleServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The sample server, a gateway that watches its registry, a relay that counts, and clients. */
final class LookupBed implements AutoCloseable {
  static final Duration SOON = Duration.ofSeconds(30);

  private final HttpClient http = HttpClient.newHttpClient();
  private final List<ChildJvm> children = new ArrayList<>();
  private final Path directory;
  private final InsideHosts hosts;
  private URI gateway;
  private CountingRelay relay;
  private int registryPort;
  private int started;

  LookupBed(Path directory) throws Exception {
    this.directory = Files.createDirectories(directory);
    hosts = InsideHosts.write(directory);
  }

  /**
   * Listens at 127.0.0.1 only: what its stubs say leads nowhere, unless it is inside.example.
   *
   * @param more options of the JVM
   */
  ChildJvm server(String hostInStubs, String... more) throws Exception {
    return server(hostInStubs, 0, 0, more);
  }

  /** At ports that another one has had; 0 is any free one. */
  ChildJvm server(String hostInStubs, int registry, int objects, String... more) throws Exception {
    ChildJvm server =
        ChildJvm.named("server" + started++, directory)
            .jvmOptions(hosts.insideOption(), "-Xmx64m")
            .jvmOptions(more)
            .property("java.rmi.server.hostname", hostInStubs)
            .classPath(BuiltArtefacts.codeSource(SampleServer.class))
            .main(SampleServer.class.getName())
            .arguments(
                "--bind",
                "127.0.0.1",
                "--registry-port",
                Integer.toString(registry),
                "--object-port",
                Integer.toString(objects))
            .start();
    children.add(server);
    registryPort =
        Integer.parseInt(server.awaitLine(Pattern.compile("^sample ready (\\d+)$"), SOON).group(1));
    return server;
  }

  int registryPort() {
    return registryPort;
  }

  /**
   * After the server, whose registry it may be told of.
   *
   * @param more lines of its configuration
   */
  void gateway(String more) throws Exception {
    Path own = Files.createDirectories(directory.resolve("gateway"));
    Path file = own.resolve("rmigate.yaml");
    Files.writeString(
        file,
        """
        listen: 127.0.0.1:0
        path: /rmigate
        insecure: true
        state: '%s'
        metrics: open
        admin:
          principals: [anonymous]
        logins:
          anonymous: true
        targets:
          - principals: ['*']
            allow: ['%s:*']
            registry: [lookup, list, rebind]
        """
                .formatted(own.resolve("state"), InsideHosts.INSIDE)
            + more);
    ChildJvm jvm =
        ChildJvm.named("gateway", own)
            .jvmOptions(hosts.insideOption(), "-Xmx96m")
            .jar(BuiltArtefacts.war())
            .arguments("--config", file.toString())
            .start();
    children.add(jvm);
    gateway =
        URI.create(jvm.awaitLine(Pattern.compile("^rmigate ready (\\S+?)/?$"), SOON).group(1));
    relay = CountingRelay.to(gateway.getPort());
  }

  /**
   * A client whose link is counted, without compression: {@code auto} would measure the link, and
   * that would be counted too.
   *
   * @param arguments further ones of the javaagent
   * @param more options of the JVM
   */
  ChildJvm client(String arguments, String... more) throws Exception {
    return client(Compression.OFF, arguments, more);
  }

  /** Likewise, with or without compression. */
  ChildJvm client(Compression compression, String arguments, String... more) throws Exception {
    ChildJvm client =
        ChildJvm.named("client" + started++, directory)
            .jvmOptions(
                hosts.outsideOption(),
                "-javaagent:%s=http://127.0.0.1:%d/rmigate,compression=%s%s"
                    .formatted(
                        BuiltArtefacts.javaagent(), relay.port(), compression.text(), arguments))
            .jvmOptions(more)
            .classPath(
                BuiltArtefacts.codeSource(SampleServer.class),
                BuiltArtefacts.codeSource(LookingClient.class))
            .main(LookingClient.class.getName())
            .arguments(InsideHosts.INSIDE, Integer.toString(registryPort))
            .start();
    children.add(client);
    client.awaitLine(Pattern.compile("^looking$"), SOON);
    return client;
  }

  /** Inside, past the gateway: what is bound to {@code from} is bound to {@code to} too. */
  void rebind(String from, String to) throws Exception {
    try (ChildJvm rebinder =
        ChildJvm.named("rebinder" + started++, directory)
            .jvmOptions(hosts.insideOption())
            .classPath(
                BuiltArtefacts.codeSource(SampleServer.class),
                BuiltArtefacts.codeSource(Rebinder.class))
            .main(Rebinder.class.getName())
            .arguments(InsideHosts.INSIDE, Integer.toString(registryPort), from, to)
            .start()) {
      rebinder.awaitLine(Pattern.compile("^rebound$"), SOON);
    }
  }

  static String ask(ChildJvm client, String what) throws InterruptedException {
    Matcher answer = client.ask(what, Pattern.compile("^did " + what + " (.*)$"), SOON);
    return answer.group(1);
  }

  /** Round trips on the link that it takes. */
  long trips(ChildJvm client, String what, String answer) throws InterruptedException {
    CountingRelay.Counts before = relay.counts();
    assertThat(ask(client, what)).contains(answer);
    return relay.counts().since(before).roundTrips();
  }

  long metric(String name) throws Exception {
    return get("/metrics")
        .lines()
        .filter(line -> line.startsWith(name + " "))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(name.length() + 1)))
        .sum();
  }

  void awaitMetric(String name, long atLeast) {
    await().until(() -> metric(name) >= atLeast);
  }

  /** Of the admin pages. */
  JsonNode json(String page) throws Exception {
    return new ObjectMapper().readTree(get("/admin/" + page));
  }

  /** Connections of streams to servers. */
  int connectionsToServers() throws Exception {
    int sum = 0;
    for (JsonNode target : json("targets")) {
      sum += target.get("connections").asInt();
    }
    return sum;
  }

  private String get(String path) throws Exception {
    HttpResponse<String> response =
        http.send(
            HttpRequest.newBuilder(URI.create(gateway + path)).build(),
            HttpResponse.BodyHandlers.ofString());
    assertThat(response.statusCode()).as(path).isEqualTo(200);
    return response.body();
  }

  @Override
  public void close() throws IOException {
    for (int i = children.size() - 1; i >= 0; i--) {
      children.get(i).close(); // clients before the gateway, which was started before them
    }
    if (relay != null) {
      relay.close();
    }
  }
}
