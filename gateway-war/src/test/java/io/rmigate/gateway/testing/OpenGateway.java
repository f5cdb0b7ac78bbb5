package io.rmigate.gateway.testing;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rmigate.gateway.standalone.ReusableGateway;
import io.rmigate.testing.LoopbackPort;
import io.rmigate.testing.Patience;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The stand-alone gateway over plain HTTP, in a JVM that no other gateway uses at the same time, to
 * which everybody is an administrator. It can be killed or stopped, and started again at the port
 * it had.
 */
public final class OpenGateway implements AutoCloseable {
  private static final Pattern READY = Pattern.compile("^rmigate ready (\\S+?)/?$");

  private final HttpClient http = HttpClient.newHttpClient();
  private final Path home;
  private final InsideHosts hosts;
  private final List<String> heap;
  private final String logins;
  private String settings;
  private String state = "state";
  private URI uri;
  private ChildJvm jvm;
  private int started;

  private OpenGateway(
      Path home, InsideHosts hosts, List<String> heap, String logins, String... settings) {
    this.home = home;
    this.hosts = hosts;
    this.heap = heap;
    this.logins = logins;
    this.settings = lines(settings);
  }

  private static String lines(String... settings) {
    return String.join("\n", settings) + "\n";
  }

  /**
   * Starts one, and returns when it is ready.
   *
   * @param home its own directory, made if need be
   * @param hosts what it can resolve
   * @param settings the sections of its configuration but those about where it listens and who may
   *     log in
   */
  public static OpenGateway start(Path home, InsideHosts hosts, String... settings)
      throws IOException, InterruptedException {
    return start(home, hosts, List.of("-Xmx192m"), "", settings);
  }

  /**
   * Starts one where users can log in, too.
   *
   * @param heap options of the JVM
   * @param users a users file
   */
  public static OpenGateway start(
      Path home, InsideHosts hosts, List<String> heap, Path users, String... settings)
      throws IOException, InterruptedException {
    return start(home, hosts, heap, "  basic:\n    users-file: '" + users + "'\n", settings);
  }

  /** Starts one with options of the JVM. */
  public static OpenGateway startWith(
      List<String> options, Path home, InsideHosts hosts, String... settings)
      throws IOException, InterruptedException {
    return start(home, hosts, options, "", settings);
  }

  private static OpenGateway start(
      Path home, InsideHosts hosts, List<String> heap, String logins, String[] settings)
      throws IOException, InterruptedException {
    OpenGateway gateway =
        new OpenGateway(Files.createDirectories(home), hosts, heap, logins, settings);
    gateway.start(LoopbackPort.free()); // no other program may get it while the gateway is down
    return gateway;
  }

  /**
   * What permits everybody these targets, and what the tests' programs exchange with them; more of
   * the entry of {@code targets} may follow.
   */
  public static String targets(String... patterns) {
    return InterfacesOfTests.section() + onlyTargets(patterns);
  }

  /** What permits everybody these targets, without a word about what may be exchanged. */
  public static String onlyTargets(String... patterns) {
    return "targets:\n  - principals: ['*']\n    allow: ['" + String.join("', '", patterns) + "']";
  }

  /** Starts it again after it has ended, at its port. */
  public void startAgain() throws IOException, InterruptedException {
    start(uri.getPort());
  }

  /** Starts another one at its port, which knows nothing of the one before. */
  public void startAnother() throws IOException, InterruptedException {
    state = "state" + started;
    startAgain();
  }

  /** Gives it other settings, which it sees by itself. */
  public void reconfigure(String... others) throws IOException {
    settings = lines(others);
    configure(uri.getPort());
  }

  private Path configure(int port) throws IOException {
    Path written = home.resolve("rmigate.yaml.new");
    Files.writeString(
        written,
        """
        listen: 127.0.0.1:%d
        path: /rmigate
        insecure: true
        state: '%s'
        metrics: open
        admin:
          principals: [anonymous]
        logins:
          anonymous: true
        """
                .formatted(port, state())
            + logins
            + settings);
    return Files.move(written, home.resolve("rmigate.yaml"), StandardCopyOption.REPLACE_EXISTING);
  }

  private void start(int port) throws IOException, InterruptedException {
    Path configuration = configure(port);
    jvm = program("gateway" + started++, configuration.toString());
    try {
      uri = URI.create(jvm.awaitLine(READY, Patience.PATIENCE).group(1));
    } catch (AssertionError e) {
      jvm.close();
      throw e;
    }
  }

  /** In a JVM as the gateway needs it. */
  private ChildJvm program(String name, String... arguments) throws InterruptedException {
    return ReusableGateway.in(
            ChildJvm.named(name, home)
                .jvmOptions(hosts.insideOption())
                .jvmOptions(heap.toArray(String[]::new)),
            arguments)
        .start();
  }

  /**
   * Ends the gateway as a power cut would. A JVM stands by for its next start, because leases
   * expire while no gateway renews them.
   *
   * @return when it was killed, by {@link System#nanoTime}
   */
  public long kill() throws InterruptedException {
    try (ChildJvm standby =
        program(
            "standby" + started, "--config", home.resolve("rmigate.yaml").toString(), "--check")) {
      standby.awaitExit(Patience.PATIENCE);
    }
    long killed = System.nanoTime();
    jvm.kill();
    return killed;
  }

  /** In good order, as a rolling restart does it: returns when it has ended. */
  public void stop() {
    jvm.close();
  }

  /** The process. */
  public ChildJvm jvm() {
    return jvm;
  }

  /** What agents are given, without a trailing slash. */
  public URI uri() {
    return uri;
  }

  /** Where it listens. */
  public int port() {
    return uri.getPort();
  }

  /** What it keeps from one start to the next. */
  public Path state() {
    return home.resolve(state);
  }

  /** A figure of its metrics, all labels together; −1 while there is no gateway. */
  public long metric(String name) {
    try {
      return get("/metrics")
          .lines()
          .filter(line -> line.startsWith(name + " ") || line.startsWith(name + "{"))
          .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
          .sum();
    } catch (IOException notThere) {
      return -1;
    }
  }

  /** What it has refused since it was started: how often, by reason. */
  public Map<String, Long> refusals() throws IOException {
    Map<String, Long> refusals = new TreeMap<>();
    Pattern line =
        Pattern.compile("(?m)^rmigate_refused_total\\{.*?reason=\"([^\"]*)\".*\\} (\\S+)$");
    line.matcher(get("/metrics"))
        .results()
        .forEach(
            found ->
                refusals.merge(
                    found.group(1), (long) Double.parseDouble(found.group(2)), Long::sum));
    return refusals;
  }

  /** One of the admin pages. */
  public JsonNode admin(String page) throws IOException {
    return new ObjectMapper().readTree(get("/admin/" + page));
  }

  /** Waits until what it has learnt so far would outlast its death. */
  public void awaitLearnedWritten() {
    Path notes = state().resolve("learned.jsonl");
    Patience.await()
        .until(() -> Files.readAllLines(notes).size() == admin("learned").get("notes").size());
  }

  /** The rules that it has learnt, as an operator asks for them, and pastes them. */
  public String learnedRules() throws IOException, InterruptedException {
    awaitLearnedWritten();
    String configuration = home.resolve("rmigate.yaml").toString();
    try (ChildJvm command = program("learned", "policy", "learned", "--config", configuration)) {
      int status = command.awaitExit(Patience.PATIENCE);
      String rules = String.join("\n", command.output());
      assertThat(status).as(rules).isZero();
      return rules;
    }
  }

  /** Connections of streams to servers. */
  public int connectionsToServers() throws IOException {
    int sum = 0;
    for (JsonNode target : admin("targets")) {
      sum += target.get("connections").asInt();
    }
    return sum;
  }

  /** What it answers at that path behind its own. */
  public String get(String path) throws IOException {
    try {
      HttpResponse<String> response =
          http.send(
              HttpRequest.newBuilder(URI.create(uri + path)).build(),
              HttpResponse.BodyHandlers.ofString());
      assertThat(response.statusCode()).as(path).isEqualTo(200);
      return response.body();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    jvm.close();
  }
}
