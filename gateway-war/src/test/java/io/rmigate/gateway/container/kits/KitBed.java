package io.rmigate.gateway.container.kits;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.container.WorkDirectory;
import io.rmigate.gateway.login.UserLines;
import io.rmigate.gateway.testing.BuiltArtefacts;
import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.gateway.testing.DevelopmentCertificate;
import io.rmigate.gateway.testing.InsideHosts;
import io.rmigate.gateway.testing.SampleJar;
import io.rmigate.sample.SampleServer;
import io.rmigate.testing.Patience;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Base64;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * What stands around a kit: a server inside, clients outside that cannot resolve its name, and the
 * directory {@code etc} with what an installation has in {@code /etc/rmigate}.
 */
final class KitBed implements AutoCloseable {
  static final Duration SOON = Patience.PATIENCE;

  /** How clients reach gateways here, and how the proxies of the kits do. */
  private static final String NAMES = "ip:127.0.0.1,dns:localhost,dns:gw.inner.example";

  private static final String USER = "alice";
  private static final String OPERATOR = "operator";
  private static final String PASSWORD = "wonder";
  private static final Pattern INSIDE_READY = Pattern.compile("^sample ready (\\d+)$");
  private static final Pattern READY = Pattern.compile("^rmigate ready (\\S+)$");
  private static final long SLOW_MILLIS = 1_500;

  private final Path directory;
  private final InsideHosts hosts;
  private final DevelopmentCertificate certificate;
  private final Deque<Runnable> ends = new ArrayDeque<>();
  private String registryPort;
  private int clients;

  KitBed(Class<?> test) throws IOException, InterruptedException {
    directory = WorkDirectory.empty(BuiltArtefacts.workDirectory(test));
    hosts = InsideHosts.ofAllTests();
    certificate = DevelopmentCertificate.create(directory, NAMES);
    fillEtc();
  }

  private void fillEtc() throws IOException {
    KitFile.of("rmigate.yaml")
        .with("rmi.example:1099", InsideHosts.INSIDE + ":*")
        .with("/var/lib/rmigate", directory.resolve("state"))
        .with(
            "  interfaces: interfaces",
            "  interfaces: interfaces\n  allow: [io.rmigate.sample.Node]")
        .to(etc());
    SampleJar.in(interfaces());
    Files.copy(certificate.keystore(), etc().resolve("gateway.p12"));
    Files.copy(certificate.passwordFile(), etc().resolve("gateway.password"));
    Files.writeString(
        etc().resolve("users"),
        UserLines.user(USER, PASSWORD) + UserLines.user(OPERATOR, PASSWORD));
    Files.writeString(directory.resolve("alice.password"), PASSWORD + "\n");
  }

  /** Its own, emptied before. */
  Path directory() {
    return directory;
  }

  /** In the place of {@code /etc/rmigate}. */
  Path etc() {
    return directory.resolve("etc");
  }

  /** The jars of the remote interfaces there. */
  Path interfaces() {
    return etc().resolve("interfaces");
  }

  /**
   * A directory with the certificate as proxies have it: gateway.pem, gateway.key, and inner-ca.pem
   * for the way to the gateways.
   */
  Path pem() throws IOException, GeneralSecurityException {
    Path pem = Files.createDirectories(directory.resolve("pem"));
    for (String name : List.of("gateway.pem", "inner-ca.pem")) {
      Files.copy(
          directory.resolve("gateway.pem"), pem.resolve(name), StandardCopyOption.REPLACE_EXISTING);
    }
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(certificate.keystore())) {
      store.load(in, certificate.password().toCharArray());
    }
    byte[] key = store.getKey("gateway", certificate.password().toCharArray()).getEncoded();
    Files.writeString(
        pem.resolve("gateway.key"),
        "-----BEGIN PRIVATE KEY-----\n"
            + Base64.getMimeEncoder().encodeToString(key)
            + "\n-----END PRIVATE KEY-----\n");
    return pem;
  }

  InsideHosts hosts() {
    return hosts;
  }

  DevelopmentCertificate certificate() {
    return certificate;
  }

  /** Port of the registry of the sample server, which starts with the first request for it. */
  String registryPort() throws InterruptedException {
    if (registryPort == null) {
      registryPort =
          start(
                  ChildJvm.named("inside", directory)
                      .jvmOptions(hosts.insideOption(), "-Xmx500m")
                      .property("java.rmi.server.hostname", InsideHosts.INSIDE)
                      .classPath(BuiltArtefacts.codeSource(SampleServer.class))
                      .reusable()
                      .main(SampleServer.class.getName()))
              .awaitLine(INSIDE_READY, SOON)
              .group(1);
    }
    return registryPort;
  }

  /**
   * A stand-alone gateway at a port of loopback.
   *
   * @param name of its process, its log and its state
   */
  ChildJvm gateway(String name) {
    return start(
        ChildJvm.named(name, directory)
            .jvmOptions(hosts.insideOption(), "-Xmx128m")
            .environment("RMIGATE_GATEWAY_LISTEN", "127.0.0.1:0")
            .environment("RMIGATE_GATEWAY_STATE", directory.resolve("state-" + name).toString())
            .jar(BuiltArtefacts.war())
            .arguments("--config", etc().resolve("rmigate.yaml").toString()));
  }

  /** Has gateways that are started from now on believe a proxy at that address. */
  void trustProxy(String address) throws IOException {
    Files.writeString(
        etc().resolve("rmigate.yaml"),
        "services:\n  trusted-proxies: [" + address + "]\n",
        StandardOpenOption.APPEND);
  }

  /** Where a stand-alone gateway says that it serves. */
  static URI uri(ChildJvm gateway) throws InterruptedException {
    return URI.create(gateway.awaitLine(READY, SOON).group(1).replace("localhost", "127.0.0.1"));
  }

  /** Starts it; it is closed with this, in the reverse order. */
  ChildJvm start(ChildJvm.Builder jvm) {
    ChildJvm child = jvm.start();
    ends.push(child::close);
    return child;
  }

  /** Has a server that was started closed with this, in the reverse order. */
  Server started(Server server) {
    ends.push(server::close);
    return server;
  }

  /** The option that gives a client's JVM the agent, with alice's login. */
  String javaagent(URI gateway, String... keys) {
    StringBuilder option = new StringBuilder("-javaagent:");
    option.append(BuiltArtefacts.javaagent()).append('=').append(gateway);
    if (gateway.getScheme().equals("https")) {
      option.append(",truststore=").append(certificate.truststore());
      option.append(",truststore-password-file=").append(certificate.passwordFile());
    }
    option.append(",user=").append(USER);
    option.append(",password-file=").append(directory.resolve("alice.password"));
    option.append(",tunnel=").append(InsideHosts.INSIDE).append(":*");
    option.append(",connect-timeout=60s"); // hashing a password takes long on a busy machine
    for (String key : keys) {
      option.append(',').append(key);
    }
    return option.toString();
  }

  /**
   * Runs the sample client through that gateway: lookups, calls, references, exceptions, large
   * arguments and results, threads.
   *
   * @param keys further ones of the agent, such as {@code way=post}
   */
  void assertThatClientsGetThrough(URI gateway, String... keys) throws InterruptedException {
    ChildJvm client =
        start(
            ChildJvm.named("client" + clients++, directory)
                .jvmOptions(hosts.outsideOption(), "-Xmx200m", javaagent(gateway, keys))
                .classPath(BuiltArtefacts.codeSource(SampleServer.class))
                .main("io.rmigate.sample.SampleClient")
                .arguments("--host", InsideHosts.INSIDE, "--port", registryPort())
                .arguments("--payload-mb", "4", "--threads", "4"));
    int exitCode = client.awaitExit(SOON);
    assertThat(exitCode).as(() -> String.join("\n", client.output())).isZero();
  }

  /** A client that waits for the answer to a call; returns when the server has begun with that. */
  ChildJvm clientWithCallInFlight(URI gateway) throws InterruptedException {
    ChildJvm client =
        start(
            ChildJvm.named("slow" + clients++, directory)
                .jvmOptions(hosts.outsideOption(), "-Xmx64m", javaagent(gateway))
                .classPath(
                    BuiltArtefacts.codeSource(SampleServer.class),
                    BuiltArtefacts.codeSource(SlowCaller.class))
                .main(SlowCaller.class.getName())
                .arguments(InsideHosts.INSIDE, registryPort(), Long.toString(SLOW_MILLIS)));
    client.awaitLine(Pattern.compile("^begun$"), SOON);
    return client;
  }

  /** That call was answered, also if the gateway has stopped since. */
  static void assertAnswered(ChildJvm client) throws InterruptedException {
    assertThat(client.awaitLine(Pattern.compile("^(answered|failed .*)$"), SOON).group(1))
        .isEqualTo("answered");
  }

  /** Tells the gateway to drain, as its operator. */
  CompletableFuture<HttpResponse<String>> drain(URI gateway) {
    return http()
        .sendAsync(
            HttpRequest.newBuilder(URI.create(gateway + "/admin/drain"))
                .header("Authorization", basic(OPERATOR))
                .POST(HttpRequest.BodyPublishers.noBody())
                .build(),
            HttpResponse.BodyHandlers.ofString());
  }

  /** The answer to a GET below the gateway's address. */
  HttpResponse<String> get(URI gateway, String path) throws IOException, InterruptedException {
    return http()
        .send(
            HttpRequest.newBuilder(URI.create(gateway + path)).build(),
            HttpResponse.BodyHandlers.ofString());
  }

  /** The answer to a GET of alice below the gateway's address. */
  HttpResponse<String> getAsUser(URI gateway, String path)
      throws IOException, InterruptedException {
    return get(gateway, path, USER);
  }

  /** The answer to a GET of the operator below the gateway's address. */
  HttpResponse<String> getAsOperator(URI gateway, String path)
      throws IOException, InterruptedException {
    return get(gateway, path, OPERATOR);
  }

  /** The answer to an agent without a valid login that claims another address. */
  HttpResponse<String> postAsNobodyFrom(String address, URI gateway)
      throws IOException, InterruptedException {
    return http()
        .send(
            HttpRequest.newBuilder(URI.create(gateway + "/tunnel"))
                .POST(HttpRequest.BodyPublishers.noBody())
                .header("Authorization", basic("nobody"))
                .header("Forwarded", "for=" + address)
                .header("X-Forwarded-For", address)
                .build(),
            HttpResponse.BodyHandlers.ofString());
  }

  private HttpResponse<String> get(URI gateway, String path, String user)
      throws IOException, InterruptedException {
    return http()
        .send(
            HttpRequest.newBuilder(URI.create(gateway + path))
                .header("Authorization", basic(user))
                .build(),
            HttpResponse.BodyHandlers.ofString());
  }

  private static String basic(String user) {
    byte[] login = (user + ":" + PASSWORD).getBytes(StandardCharsets.UTF_8);
    return "Basic " + Base64.getEncoder().encodeToString(login);
  }

  /** Trusts the certificate. */
  private HttpClient http() {
    try (InputStream in = Files.newInputStream(certificate.truststore())) {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(in, certificate.password().toCharArray());
      TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
      trust.init(store);
      SSLContext tls = SSLContext.getInstance("TLS");
      tls.init(null, trust.getTrustManagers(), null);
      return HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).sslContext(tls).build();
    } catch (IOException | GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    AssertionError failure = null;
    while (!ends.isEmpty()) {
      try {
        ends.pop().run();
      } catch (AssertionError e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
