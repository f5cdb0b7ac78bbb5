package io.rmigate.gateway.services;

import static io.restassured.RestAssured.given;
import static io.rmigate.gateway.login.UserLines.user;
import static io.rmigate.gateway.standalone.RunningGateway.basic;

import io.restassured.specification.RequestSpecification;
import io.rmigate.gateway.LiveConfiguration;
import io.rmigate.gateway.audit.RecordedAudit;
import io.rmigate.gateway.config.GatewayConfig;
import io.rmigate.gateway.edge.GzipFilter;
import io.rmigate.gateway.grant.MovableClock;
import io.rmigate.gateway.log.RareLines;
import io.rmigate.gateway.login.KeySets;
import io.rmigate.gateway.login.Login;
import io.rmigate.gateway.login.LoginAudit;
import io.rmigate.gateway.testing.BuiltArtefacts;
import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.gateway.testing.SampleJar;
import io.rmigate.sample.SampleServer;
import io.rmigate.testing.Patience;
import jakarta.servlet.DispatcherType;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import org.eclipse.jetty.ee10.servlet.FilterHolder;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/**
 * The servlet in a container within this JVM, before the sample server in one of its own; between
 * them a double of the bridge. alice and bob can log in, everything is published for alice.
 */
final class ServicesBed implements AutoCloseable {
  private static final Duration SOON = Patience.PATIENCE;

  /** What is counted. */
  record Counted(String path, String operation, int status) {}

  final FakeBridge bridge = new FakeBridge();
  final MovableClock clock = new MovableClock();
  final AtomicLong ahead = new AtomicLong();
  final Services services = new Services(() -> System.nanoTime() + ahead.get(), clock);
  final ConcurrentLinkedQueue<Counted> counted = new ConcurrentLinkedQueue<>();
  final ConcurrentLinkedQueue<String> refused = new ConcurrentLinkedQueue<>();
  final AtomicInteger described = new AtomicInteger();
  final Path jars;

  private final Path directory;
  private final ChildJvm sample;
  private final int port;
  final RecordedAudit audit = new RecordedAudit();
  private final Server server;

  /** SOAP, and how often it has described something. */
  private record Counting(Front front, AtomicInteger described) implements Front {
    @Override
    public boolean takes(String mediaType, boolean named) {
      return front.takes(mediaType, named);
    }

    @Override
    public void call(ServiceRequest request) throws IOException {
      front.call(request);
    }

    @Override
    public Set<String> descriptionQueries() {
      return front.descriptionQueries();
    }

    @Override
    public Optional<String> descriptionName() {
      return front.descriptionName();
    }

    @Override
    public void describe(ServiceRequest request) throws IOException {
      described.incrementAndGet();
      front.describe(request);
    }
  }

  private ServicesBed(Path directory, Path jars, ChildJvm sample, int port, Server server)
      throws Exception {
    this.directory = directory;
    this.jars = jars;
    this.sample = sample;
    this.port = port;
    this.server = server;
    Login login =
        LiveConfiguration.login(
            config(directory, port, ""),
            new LoginAudit(audit, RareLines.ofCallers()),
            Optional.empty(),
            new KeySets());
    ServletContextHandler context = new ServletContextHandler();
    context.setContextPath("/rmigate");
    ServiceMeters meters =
        new ServiceMeters() {
          @Override
          public void serviceCall(
              String path, String contract, String operation, int status, long nanos) {
            counted.add(new Counted(path, contract + "." + operation, status));
          }

          @Override
          public void refused(String reason) {
            refused.add(reason);
          }
        };
    context.addServlet(
        new ServletHolder(
            new ServicesServlet(
                services,
                bridge,
                () -> login,
                List.of(new Counting(new SoapService(), described)),
                meters,
                audit)),
        "/services/*");
    context.addFilter(
        new FilterHolder(new GzipFilter()), "/services/*", EnumSet.of(DispatcherType.REQUEST));
    server.setHandler(context);
  }

  static ServicesBed start(Path directory) throws Exception {
    Path jars = SampleJar.in(directory.resolve("jars"));
    Files.writeString(directory.resolve("users"), user("alice", "wonder") + user("bob", "builder"));
    ChildJvm sample =
        ChildJvm.named("sample", directory)
            .jvmOptions("-Xmx256m")
            .property("java.rmi.server.hostname", "127.0.0.1")
            .classPath(BuiltArtefacts.codeSource(SampleServer.class))
            .main(SampleServer.class.getName())
            .arguments("--bind", "127.0.0.1")
            .start();
    int port =
        Integer.parseInt(sample.awaitLine(Pattern.compile("^sample ready (\\d+)$"), SOON).group(1));
    Server server = new Server();
    ServerConnector connector = new ServerConnector(server);
    connector.setHost("127.0.0.1");
    server.addConnector(connector);
    ServicesBed bed = new ServicesBed(directory, jars, sample, port, server);
    bed.load("");
    server.start();
    return bed;
  }

  /** Publishes the sample, with further lines of configuration. */
  void load(String settings) throws Exception {
    GatewayConfig config = config(directory, port, settings);
    services.load(config.webServices().published(), config.webServices().services());
  }

  /** Publishes the sample, with Everything for another principal. */
  void loadEverythingFor(String principal) throws Exception {
    reload("principals: [alice]", "principals: [" + principal + "]");
  }

  /** Publishes the sample, everything by another name in its registry. */
  void loadAsEverything(String name) throws Exception {
    reload("/Everything\n", "/" + name + "\n");
  }

  /** Publishes the sample, the shop with jars of another directory. */
  void loadShopFrom(String otherJars) throws Exception {
    reload(
        "jars: jars\n    principals: [\"*\"]", "jars: " + otherJars + "\n    principals: [\"*\"]");
  }

  private void reload(String text, String replacement) throws Exception {
    Path file = directory.resolve("rmigate.yaml");
    Files.writeString(file, Files.readString(file).replace(text, replacement));
    GatewayConfig config = GatewayConfig.load(file, Map.of());
    services.load(config.webServices().published(), config.webServices().services());
  }

  private static GatewayConfig config(Path directory, int port, String settings) throws Exception {
    Path file = directory.resolve("rmigate.yaml");
    Files.writeString(
        file,
        """
        insecure: true
        logins:
          basic:
            users-file: users
        targets:
          - principals: ["*"]
            allow: ["127.0.0.1:*"]
        publish:
          - path: everything
            object: rmi://127.0.0.1:%d/Everything
            interface: io.rmigate.sample.Everything
            jars: jars
            principals: [alice]
          - path: open/shop
            object: rmi://127.0.0.1:%d/Catalogue
            interface: io.rmigate.sample.Catalogue
            jars: jars
            principals: ["*"]
            methods: [find, newBasket]
            names:
              - method: find(String)
                operation: lookUp
                parameters: [article]
        """
                .formatted(port, port)
            + settings);
    return GatewayConfig.load(file, Map.of());
  }

  /** Makes it so much later. */
  void later(Duration by) {
    clock.advance(by);
    ahead.addAndGet(by.toNanos());
  }

  /** Of {@code /services}. */
  String root() {
    return "http://127.0.0.1:%d/rmigate/services"
        .formatted(((ServerConnector) server.getConnectors()[0]).getLocalPort());
  }

  RequestSpecification alice() {
    return as("alice", "wonder");
  }

  RequestSpecification bob() {
    return as("bob", "builder");
  }

  private RequestSpecification as(String name, String password) {
    return given().header("Authorization", basic(name, password)).baseUri(root());
  }

  /** A request with a JSON body. */
  RequestSpecification json(String body) {
    // Bytes: it would add a charset to a text.
    return alice().contentType("application/json").body(body.getBytes(StandardCharsets.UTF_8));
  }

  /** Puts the sample's jar back to what it was. */
  void restoreJar() throws Exception {
    Files.delete(jars.resolve("sample.jar"));
    SampleJar.in(jars);
  }

  @Override
  public void close() {
    bridge.open();
    try {
      server.stop();
    } catch (Exception e) {
      throw new AssertionError(e);
    } finally {
      services.close();
      sample.close();
    }
  }
}
