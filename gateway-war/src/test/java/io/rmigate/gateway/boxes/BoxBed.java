package io.rmigate.gateway.boxes;

import static io.rmigate.gateway.login.UserLines.user;

import io.rmigate.gateway.testing.BuiltArtefacts;
import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.gateway.testing.DevelopmentCertificate;
import io.rmigate.gateway.testing.InnerAddress;
import io.rmigate.gateway.testing.InsideHosts;
import io.rmigate.gateway.testing.OpenGateway;
import io.rmigate.testing.Patience;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * What is behind boxes: an RMI server whose name clients cannot resolve, gateways without TLS for
 * reverse proxies, and such with TLS for those who come through an HTTP proxy: of each kind one
 * with the usual heartbeats, and one with rare ones, started when they are wanted first. One bed
 * serves any number of boxes and clients at a time.
 */
final class BoxBed implements AutoCloseable {
  private static final Duration SOON = Patience.PATIENCE;
  private static final Pattern READY = Pattern.compile("^rmigate ready (\\S+?)/?$");
  private static final List<String> HEAP = List.of("-Xmx320m");

  private final Path directory;
  private final InsideHosts hosts;
  private final DevelopmentCertificate certificate;
  private final PemCertificate pem;
  private final Path password;
  private final Path logging;
  private final AtomicInteger clients = new AtomicInteger();
  private final Map<Boolean, OpenGateway> plain = new HashMap<>(); // by whether heartbeats are rare
  private final Map<Boolean, ChildJvm> tls = new HashMap<>(); // by whether heartbeats are rare
  private ChildJvm depot;
  private Path users;
  private String registryPort;

  private BoxBed(Path directory) throws Exception {
    this.directory = directory;
    hosts = InsideHosts.ofAllTests();
    certificate = DevelopmentCertificate.create(directory);
    pem = PemCertificate.of(certificate);
    password = Files.writeString(directory.resolve("ann.password"), Login.PASSWORD);
    logging = Traveller.loggingIn(directory);
  }

  /** Starts all of it; {@code directory} is empty. */
  static BoxBed start(Path directory) throws Exception {
    BoxBed bed = new BoxBed(directory);
    try {
      bed.startInside();
      return bed;
    } catch (Exception | Error e) {
      bed.close();
      throw e;
    }
  }

  private void startInside() throws Exception {
    depot =
        ChildJvm.named("depot", directory)
            .jvmOptions(hosts.insideOption(), "-Xmx256m")
            .property("java.rmi.server.hostname", InsideHosts.INSIDE)
            .classPath(BuiltArtefacts.codeSource(DepotServer.class))
            .main(DepotServer.class.getName())
            .start();
    registryPort = depot.awaitLine(Pattern.compile("^depot ready (\\d+)$"), SOON).group(1);
    users = Files.writeString(directory.resolve("users"), user(Login.USER, Login.PASSWORD));
  }

  private synchronized OpenGateway plain(boolean rarely) throws IOException, InterruptedException {
    if (!plain.containsKey(rarely)) {
      plain.put(
          rarely,
          OpenGateway.start(
              home("plain", rarely),
              hosts,
              HEAP,
              users,
              OpenGateway.targets(InsideHosts.INSIDE + ":*"),
              settings(rarely)));
    }
    return plain.get(rarely);
  }

  private synchronized ChildJvm tls(boolean rarely) throws IOException {
    if (!tls.containsKey(rarely)) {
      tls.put(rarely, startTls(home("tls", rarely), settings(rarely)));
    }
    return tls.get(rarely);
  }

  private Path home(String kind, boolean rarely) throws IOException {
    return Files.createDirectories(directory.resolve(rarely ? kind + "-rarely" : kind));
  }

  private static String settings(boolean rarely) throws IOException {
    String address = InnerAddress.find().getHostAddress();
    // Clients by POST that have ended look alive for three heartbeats; no test waits for them.
    return """
        drain: 1s
        session:
          heartbeat: %s
        callbacks:
          address: %s
          from: ['%s']
          allow:
            - principals: ['*']
        """
        .formatted(rarely ? "1m" : "15s", address, address);
  }

  /** The stand-alone gateway, started as its README says. */
  private ChildJvm startTls(Path home, String settings) throws IOException {
    Path configuration =
        Files.writeString(
            home.resolve("rmigate.yaml"),
            """
            listen: 127.0.0.1:0
            path: /rmigate
            tls:
              keystore: '%s'
              password-file: '%s'
            state: '%s'
            logins:
              anonymous: true
            """
                    .formatted(
                        certificate.keystore(), certificate.passwordFile(), home.resolve("state"))
                + OpenGateway.targets(InsideHosts.INSIDE + ":*")
                + "\n"
                + settings);
    return ChildJvm.named("tls", home)
        .jvmOptions(hosts.insideOption())
        .jvmOptions(HEAP.toArray(String[]::new))
        .jar(BuiltArtefacts.war())
        .arguments("--config", configuration.toString())
        .start();
  }

  /** Host and port of the gateway without TLS. */
  String plainGateway(Mode mode) throws IOException, InterruptedException {
    return "127.0.0.1:" + plain(mode.beatsRarely()).port();
  }

  /** The gateway with TLS. */
  URI tlsGateway(Mode mode) throws IOException, InterruptedException {
    return URI.create(tls(mode.beatsRarely()).awaitLine(READY, SOON).group(1));
  }

  PemCertificate pem() {
    return pem;
  }

  /** A file with the password of the one user. */
  Path password() {
    return password;
  }

  /** What an agent is told to go by that URL and trust who answers there. */
  String agentOf(String url) {
    return url
        + ",truststore="
        + certificate.truststore()
        + ",truststore-password-file="
        + certificate.passwordFile();
  }

  /**
   * The answer to a request with that path unchanged, which no browser would send.
   *
   * @param at who has that certificate
   */
  int statusOf(URI at, String path) throws IOException, GeneralSecurityException {
    try (Socket socket = trusting().getSocketFactory().createSocket(at.getHost(), at.getPort())) {
      socket.setSoTimeout((int) SOON.toMillis());
      String request =
          "GET "
              + path
              + " HTTP/1.1\r\nHost: "
              + at.getAuthority()
              + "\r\nConnection: close\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      String answer = new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII);
      if (!answer.matches("HTTP/1\\.[01] \\d{3}")) {
        throw new IOException("expected a status line, got '" + answer + "'");
      }
      return Integer.parseInt(answer.substring(9));
    }
  }

  private SSLContext trusting() throws IOException, GeneralSecurityException {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(certificate.truststore())) {
      trusted.load(in, certificate.password().toCharArray());
    }
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext tls = SSLContext.getInstance("TLS");
    tls.init(null, trust.getTrustManagers(), null);
    return tls;
  }

  /** Starts a client; {@code arguments} are those of its agent. */
  Traveller client(String arguments) {
    return client(arguments, UnaryOperator.identity());
  }

  /** Starts a client in whose JVM something else is set up, too. */
  Traveller client(String arguments, UnaryOperator<ChildJvm.Builder> setUp) {
    int number = clients.incrementAndGet();
    String name = "client" + number;
    ChildJvm jvm =
        setUp
            .apply(ChildJvm.named(name, directory))
            .jvmOptions(
                hosts.outsideOption(),
                "-Xmx192m",
                "-javaagent:"
                    + BuiltArtefacts.javaagent()
                    + "="
                    + arguments
                    + ",tunnel=*:*,way=auto,way-stagger=2s,connect-timeout=1m")
            .property("java.util.logging.config.file", logging)
            .classPath(BuiltArtefacts.codeSource(DepotClient.class))
            .main(DepotClient.class.getName())
            .arguments(InsideHosts.INSIDE, registryPort, name)
            .start();
    return new Traveller(jvm, InsideHosts.INSIDE);
  }

  /**
   * Starts the doctor, as people do.
   *
   * @param arguments those that an agent would be given
   */
  ChildJvm doctor(String arguments, String... options) {
    String name = "doctor" + clients.incrementAndGet();
    List<String> words = new ArrayList<>(List.of("doctor"));
    for (String argument : ("gateway=" + arguments).split(",", -1)) {
      String[] keyAndValue = argument.split("=", 2);
      words.addAll(List.of("--" + keyAndValue[0], keyAndValue[1]));
    }
    words.addAll(List.of(options));
    return ChildJvm.named(name, directory)
        .jvmOptions(hosts.outsideOption(), "-Xmx64m")
        .jar(BuiltArtefacts.javaagent())
        .arguments(words.toArray(String[]::new))
        .start();
  }

  @Override
  public void close() {
    tls.values().forEach(ChildJvm::close);
    plain.values().forEach(OpenGateway::close);
    if (depot != null) {
      depot.close();
    }
  }
}
