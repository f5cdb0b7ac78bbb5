import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.Charset;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * Shows the gateway at work on this machine. The launcher of the JDK runs this file as it is,
 * because it also builds what it starts: see {@code quickstart} and {@code quickstart.cmd}. It is
 * written for Java 11, so that a JDK that is too old can say so.
 */
final class Quickstart {
  private static final List<String> USAGE =
      List.of(
          "usage: ./quickstart [--once] [--help]",
          "",
          "Builds rmigate if that is needed and starts, each in a JVM of its own:",
          "  - an RMI server and a JVM with stock JMX, which know nothing of rmigate and whose stubs",
          "    say \"inside.example\", a name that clients cannot resolve",
          "  - the gateway, on https://127.0.0.1 and a free port, with a certificate made for it",
          "Then runs an RMI client and a JMX client through the gateway, unmodified, with -javaagent,",
          "and says what was called and what crossed the link. At the end it calls the RMI server's",
          "objects in JSON and in SOAP.",
          "",
          "  --once   stop everything at the end; exit code 0 if all went well",
          "           (without it everything is left running until Ctrl-C, for you to try things)",
          "",
          "Needs a JDK 17 or later (JAVA_HOME, or java in PATH) and, to build, Maven 3.8 or later.",
          "Writes to .rmigate/ beside this script, and to the target/ directories of the build.");
  private static final String JDK_ADVICE =
      "A JDK 17 or later is needed: https://adoptium.net, or your system's package\n"
          + "(apt install openjdk-17-jdk, dnf install java-17-openjdk-devel, brew install openjdk@17); set\n"
          + "JAVA_HOME if it is not the default one.";
  private static final String MAVEN_ADVICE =
      "Maven 3.8 or later is needed to build: https://maven.apache.org, or your\n"
          + "system's package (apt install maven, dnf install maven, brew install maven).";
  private static final boolean WINDOWS = System.getProperty("os.name").startsWith("Windows");
  private static final Duration READY = Duration.ofSeconds(60);

  /** A reason to end with exit code 1. */
  private static final class Failure extends RuntimeException {
    private static final long serialVersionUID = 1;

    Failure(String message) {
      super(message);
    }
  }

  private final Path root =
      Path.of(System.getProperty("quickstart.root")).toAbsolutePath().normalize();
  private final Path war = root.resolve("gateway-war/target/rmigate.war");
  private final Path agent = root.resolve("client-factory/target/rmigate-client.jar");
  private final Path sample = root.resolve("deploy/sample/target/rmigate-sample.jar");
  private final Path state = root.resolve(".rmigate");
  private final Path certificate = state.resolve("certificate");
  private final Path run = state.resolve("run." + ProcessHandle.current().pid());
  private final List<Process> children = new ArrayList<>(); // guarded by itself
  private volatile boolean finished;
  private volatile boolean exiting;

  public static void main(String[] args) throws Exception {
    boolean once = false;
    for (String argument : args) {
      if (argument.equals("--once")) {
        once = true;
      } else if (argument.equals("--help") || argument.equals("-h")) {
        USAGE.forEach(System.out::println);
        return;
      } else {
        System.err.println("quickstart: unknown option " + argument);
        USAGE.forEach(System.err::println);
        System.exit(2);
      }
    }
    Quickstart quickstart = new Quickstart();
    Runtime.getRuntime().addShutdownHook(new Thread(quickstart::cleanUp, "quickstart-end"));
    int status = 0;
    try {
      quickstart.run(once);
    } catch (Failure e) {
      System.err.println("quickstart: " + e.getMessage());
      status = 1;
    }
    quickstart.exiting = true;
    System.exit(status);
  }

  private void run(boolean once) throws Exception {
    if (root.toString().contains(",") || root.toString().contains("=")) {
      throw new Failure(
          "the path "
              + root
              + " contains a comma or an equals sign, which the JVM's -javaagent\n"
              + "option cannot express; move the directory");
    }
    int release = Runtime.version().feature();
    if (release < 17) {
      throw new Failure(java() + " is Java " + release + ". " + JDK_ADVICE);
    }
    createPrivateDirectory(run);
    if (buildIsNeeded()) {
      build();
    }
    makeCertificate();
    // Names that only the JVMs inside resolve: this file is their whole world.
    Files.writeString(
        run.resolve("hosts"), "127.0.0.1 inside.example localhost " + hostName() + "\n");

    say("starting the servers inside and the gateway");
    String inside = "-Djdk.net.hosts.file=" + run.resolve("hosts");
    List<String> server =
        List.of(inside, "-Djava.rmi.server.hostname=inside.example", "-cp", sample.toString());
    String rmiPort =
        start(
            "RMI server",
            "sample ready",
            jvm(server, "io.rmigate.sample.SampleServer", "--bind", "127.0.0.1"));
    List<String> management =
        List.of(
            "-Dcom.sun.management.jmxremote.port=0",
            "-Dcom.sun.management.jmxremote.host=127.0.0.1",
            "-Dcom.sun.management.jmxremote.authenticate=false",
            "-Dcom.sun.management.jmxremote.ssl=false");
    String jmxPort =
        start(
            "JMX",
            "jmx sample ready",
            jvm(joined(management, server), "io.rmigate.sample.JmxSample"));
    Path configuration = writeConfiguration(rmiPort);
    String ready =
        start(
            "gateway",
            "rmigate ready",
            jvm(List.of(inside, "-jar", war.toString()), "--config", configuration.toString()));
    String url = ready.endsWith("/") ? ready.substring(0, ready.length() - 1) : ready;

    String javaagent =
        "-javaagent:"
            + agent
            + "="
            + url
            + ",truststore="
            + certificate.resolve("truststore.p12")
            + ",truststore-password-file="
            + certificate.resolve("password")
            + ",tunnel=inside.example:*";
    String jmxUrl = "service:jmx:rmi:///jndi/rmi://inside.example:" + jmxPort + "/jmxrmi";
    List<String> client = List.of(javaagent, "-cp", sample.toString());
    List<String> rmiClient =
        jvm(
            client,
            "io.rmigate.sample.SampleClient",
            "--host",
            "inside.example",
            "--port",
            rmiPort);
    List<String> jmxClient = jvm(client, "io.rmigate.sample.JmxClient", "--url", jmxUrl);

    say("an RMI client, unmodified, through the gateway");
    runClient(rmiClient, "the RMI client found something wrong");
    say("a JMX client, unmodified, through the gateway");
    runClient(jmxClient, "the JMX client found something wrong");
    HttpClient http =
        HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).sslContext(trust()).build();
    say(
        "what crossed the link, and what plain RMI would have needed ("
            + url
            + "/metrics has more)");
    new Metrics(answer(http, "GET", url + "/metrics", "text/plain", "", 200)).print(System.out);
    say(
        "the objects that the RMI client has called, in JSON ("
            + url
            + "/services is a page about them)");
    callInJson(http, url);
    say("and in SOAP (" + url + "/services/shop?wsdl)");
    callInSoap(http, url);

    if (once) {
      finished = true;
      say("done; stopping everything");
      return;
    }
    say("everything is left running; try");
    String pem = certificate.resolve("gateway.pem").toString();
    String log = run.resolve("gateway.log").toString();
    propose("the same RMI client again", rmiClient);
    propose("a JMX console", List.of(tool("jconsole"), "-J" + javaagent, jmxUrl));
    propose(
        "the page about what can be called without RMI",
        List.of("curl", "--cacert", pem, "-H", "Accept: text/html", url + "/services/shop"));
    propose("the metrics", List.of("curl", "--cacert", pem, url + "/metrics"));
    propose(
        "the gateway's log",
        WINDOWS ? List.of("powershell", "Get-Content", "-Wait", log) : List.of("tail", "-f", log));
    System.out.println("Ctrl-C stops everything.");
    finished = true;
    awaitEndOfAnyChild();
  }

  private static void say(String heading) {
    System.out.println("\n== " + heading);
  }

  private static void propose(String what, List<String> command) {
    System.out.println(what + ":");
    System.out.println(
        "  " + command.stream().map(Quickstart::quoted).collect(Collectors.joining(" ")));
    System.out.println();
  }

  /** A word of a command line as the shell of this system reads it. */
  private static String quoted(String word) {
    if (word.matches("[\\w@%+=:,./\\\\-]+") && (WINDOWS || !word.contains("\\"))) {
      return word;
    }
    return WINDOWS ? '"' + word + '"' : "'" + word.replace("'", "'\\''") + "'";
  }

  private static String java() {
    return tool("java");
  }

  private static String tool(String name) {
    return Path.of(System.getProperty("java.home"), "bin", WINDOWS ? name + ".exe" : name)
        .toString();
  }

  private static List<String> jvm(List<String> options, String... more) {
    return joined(List.of(java()), joined(options, Arrays.asList(more)));
  }

  private static List<String> joined(List<String> first, List<String> second) {
    return Stream.concat(first.stream(), second.stream()).collect(Collectors.toList());
  }

  private static String hostName() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return ""; // then no JVM asks for it
    }
  }

  private static void createPrivateDirectory(Path directory) throws IOException {
    Files.createDirectories(directory, ownerOnly("rwx------"));
  }

  /** Permissions, where the file system knows them. */
  private static FileAttribute<?>[] ownerOnly(String permissions) {
    return FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
        }
        : new FileAttribute<?>[0];
  }

  private static void delete(Path tree) throws IOException {
    if (Files.exists(tree)) {
      List<Path> paths;
      try (Stream<Path> found = Files.walk(tree)) {
        paths = found.sorted(Comparator.reverseOrder()).collect(Collectors.toList());
      }
      for (Path path : paths) {
        Files.deleteIfExists(path);
      }
    }
  }

  private boolean buildIsNeeded() throws IOException {
    FileTime oldest = null;
    for (Path artefact : List.of(war, agent, sample)) {
      if (!Files.isRegularFile(artefact)) {
        return true;
      }
      FileTime time = Files.getLastModifiedTime(artefact);
      oldest = oldest == null || time.compareTo(oldest) < 0 ? time : oldest;
    }
    for (String module : List.of("client-factory", "soap-bridge", "deploy/sample", "gateway-war")) {
      Path home = root.resolve(module);
      List<Path> files;
      try (Stream<Path> sources = Files.walk(home.resolve("src"))) {
        files = sources.filter(path -> isBuilt(home.relativize(path))).collect(Collectors.toList());
      }
      files.add(home.resolve("pom.xml"));
      files.add(root.resolve("pom.xml"));
      for (Path file : files) {
        if (Files.isRegularFile(file) && Files.getLastModifiedTime(file).compareTo(oldest) > 0) {
          return true;
        }
      }
    }
    return false;
  }

  /** Whether a source of a module goes into what is started here. */
  private static boolean isBuilt(Path source) {
    return !source.startsWith("src/test") && !source.startsWith("src/quickstart");
  }

  private void build() throws IOException, InterruptedException {
    String maven = WINDOWS ? "mvn.cmd" : "mvn";
    String version = versionOf(maven);
    Matcher numbers = Pattern.compile("(\\d+)\\.(\\d+).*").matcher(version);
    if (!numbers.matches()
        || Integer.parseInt(numbers.group(1)) * 1000 + Integer.parseInt(numbers.group(2)) < 3008) {
      throw new Failure("mvn is version " + version + ". " + MAVEN_ADVICE);
    }
    say("building (the first time this downloads what Maven needs: minutes)");
    Path log = run.resolve("build.log");
    Process build = begin(List.of(maven, "-q", "-B", "package", "-Dquick"), log);
    int seconds = 0;
    while (!build.waitFor(1, TimeUnit.SECONDS)) {
      seconds++;
      if (seconds % 10 == 0) {
        System.out.println("   still building, " + seconds + " s");
      }
    }
    if (build.exitValue() != 0) {
      printEnd(log);
      throw new Failure("the build failed");
    }
    forget(build);
    // What Maven found unchanged it did not write; the next start need not ask again.
    FileTime now = FileTime.fromMillis(System.currentTimeMillis());
    for (Path artefact : List.of(war, agent, sample)) {
      Files.setLastModifiedTime(artefact, now);
    }
    System.out.println("   built in " + seconds + " s");
  }

  private static String versionOf(String maven) throws InterruptedException {
    try {
      Process process = builder(List.of(maven, "-v")).redirectErrorStream(true).start();
      process.getOutputStream().close();
      String text;
      try (InputStream output = process.getInputStream()) {
        text = new String(output.readAllBytes(), Charset.defaultCharset());
      }
      process.waitFor();
      Matcher version = Pattern.compile("Apache Maven ([\\w.-]+)").matcher(text);
      return version.find() ? version.group(1) : "unknown";
    } catch (IOException e) {
      throw new Failure("no mvn found. " + MAVEN_ADVICE);
    }
  }

  /** A key pair for 127.0.0.1, kept for the next time. */
  private void makeCertificate() throws IOException, InterruptedException {
    if (Files.exists(certificate.resolve("complete"))) {
      return;
    }
    say("making a certificate for https://127.0.0.1 in .rmigate/certificate");
    Path made = run.resolve("certificate");
    createPrivateDirectory(made);
    byte[] random = new byte[24];
    new SecureRandom().nextBytes(random);
    StringBuilder password = new StringBuilder();
    for (byte next : random) {
      password.append(String.format("%02x", next));
    }
    Files.writeString(Files.createFile(made.resolve("password"), ownerOnly("rw-------")), password);
    keytool(
        made,
        "-genkeypair",
        "-keyalg",
        "EC",
        "-groupname",
        "secp256r1",
        "-validity",
        "3650",
        "-dname",
        "CN=rmigate quickstart",
        "-ext",
        "san=ip:127.0.0.1,dns:localhost",
        "-storetype",
        "PKCS12",
        "-keystore",
        made.resolve("gateway.p12").toString());
    keytool(
        made,
        "-exportcert",
        "-rfc",
        "-file",
        made.resolve("gateway.pem").toString(),
        "-keystore",
        made.resolve("gateway.p12").toString());
    keytool(
        made,
        "-importcert",
        "-noprompt",
        "-file",
        made.resolve("gateway.pem").toString(),
        "-storetype",
        "PKCS12",
        "-keystore",
        made.resolve("truststore.p12").toString());
    Files.createFile(made.resolve("complete"));
    delete(certificate);
    Files.move(made, certificate);
  }

  private void keytool(Path made, String... arguments) throws IOException, InterruptedException {
    List<String> command = joined(List.of(tool("keytool")), Arrays.asList(arguments));
    Path log = run.resolve("keytool.log");
    Process keytool =
        begin(
            joined(
                command,
                List.of(
                    "-alias", "gateway", "-storepass:file", made.resolve("password").toString())),
            log);
    if (keytool.waitFor() != 0) {
      printEnd(log);
      throw new Failure("keytool failed");
    }
    forget(keytool);
  }

  private static ProcessBuilder builder(List<String> command) {
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("JAVA_HOME", System.getProperty("java.home")); // for Maven
    return builder;
  }

  /** Starts a process without input that ends with this JVM. */
  private Process begin(List<String> command, Path log) throws IOException {
    return begin(
        builder(command)
            .directory(root.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile()));
  }

  private Process begin(ProcessBuilder builder) throws IOException {
    Process process;
    synchronized (children) {
      process = builder.start();
      children.add(process);
    }
    process.getOutputStream().close();
    return process;
  }

  private void forget(Process ended) {
    synchronized (children) {
      children.remove(ended);
    }
  }

  /** Starts a process and waits until it says that it is ready; the rest of that line. */
  private String start(String name, String pattern, List<String> command)
      throws IOException, InterruptedException {
    Path log = run.resolve(name + ".log");
    Process child = begin(command, log);
    long begun = System.nanoTime();
    long said = 0;
    while (true) {
      boolean alive = child.isAlive();
      for (String line : lines(log)) {
        if (line.startsWith(pattern + " ")) {
          String ready = line.substring(pattern.length() + 1);
          System.out.printf("   %-14s pid %-8s %s%n", name, child.pid(), ready);
          return ready;
        }
      }
      long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun);
      if (!alive || seconds >= READY.toSeconds()) {
        printEnd(log);
        throw new Failure(
            name
                + (alive
                    ? " was not ready within " + READY.toSeconds() + " s"
                    : " ended before it was ready"));
      }
      if (seconds / 5 > said) {
        said = seconds / 5;
        System.out.println("   waiting for " + name);
      }
      child.waitFor(100, TimeUnit.MILLISECONDS);
    }
  }

  private static List<String> lines(Path log) throws IOException {
    return new String(Files.readAllBytes(log), Charset.defaultCharset())
        .lines()
        .collect(Collectors.toList());
  }

  private static void printEnd(Path log) throws IOException {
    List<String> lines = lines(log);
    lines.subList(Math.max(0, lines.size() - 40), lines.size()).forEach(System.err::println);
  }

  private void runClient(List<String> command, String failure)
      throws IOException, InterruptedException {
    System.out.flush();
    Process client =
        begin(
            builder(command)
                .redirectOutput(ProcessBuilder.Redirect.INHERIT)
                .redirectError(ProcessBuilder.Redirect.INHERIT));
    if (client.waitFor() != 0) {
      throw new Failure(failure);
    }
    forget(client);
  }

  /** A string of YAML in single quotes. */
  private static String yaml(Path path) {
    return "'" + path.toString().replace("'", "''") + "'";
  }

  private Path writeConfiguration(String rmiPort) throws IOException {
    Path published = Files.createDirectory(run.resolve("published"));
    Files.copy(sample, published.resolve(sample.getFileName()));
    return Files.write(
        run.resolve("rmigate.yaml"),
        List.of(
            "listen: 127.0.0.1:0",
            "path: /rmigate",
            "tls:",
            "  keystore: " + yaml(certificate.resolve("gateway.p12")),
            "  password-file: " + yaml(certificate.resolve("password")),
            "state: " + yaml(run.resolve("state")),
            "logins:",
            "  anonymous: true",
            "targets:",
            "  - principals: ['*']",
            "    allow: ['inside.example:*']",
            "    jmx: true",
            "classes:",
            "  interfaces: " + yaml(published),
            "  allow: [io.rmigate.sample.Node] # what stands behind Object in a signature no jar can tell",
            "  call-limit: 32MiB",
            "metrics: open",
            "publish:",
            "  - path: shop",
            "    object: rmi://inside.example:" + rmiPort + "/Catalogue",
            "    interface: io.rmigate.sample.Catalogue",
            "    jars: " + yaml(published),
            "    principals: ['*']"));
  }

  private SSLContext trust() throws IOException, GeneralSecurityException {
    char[] password = Files.readString(certificate.resolve("password")).toCharArray();
    KeyStore store = KeyStore.getInstance(certificate.resolve("truststore.p12").toFile(), password);
    TrustManagerFactory managers =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    managers.init(store);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, managers.getTrustManagers(), null);
    return context;
  }

  /** Fails unless the answer has this status. */
  private static String answer(
      HttpClient http, String method, String url, String mediaType, String body, int status)
      throws IOException, InterruptedException {
    HttpResponse<String> response = send(http, method, url, mediaType, body);
    if (response.statusCode() != status) {
      throw new Failure(
          url + " answers " + response.statusCode() + ", not " + status + ": " + response.body());
    }
    return response.body();
  }

  private static HttpResponse<String> send(
      HttpClient http, String method, String url, String mediaType, String body)
      throws IOException, InterruptedException {
    return http.send(
        HttpRequest.newBuilder(URI.create(url))
            .header("Content-Type", mediaType)
            .method(method, HttpRequest.BodyPublishers.ofString(body))
            .timeout(READY)
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  /** Prints a request and its answer, and fails if that has another status. */
  private static String call(
      HttpClient http,
      int status,
      String method,
      String url,
      String path,
      String mediaType,
      String body)
      throws IOException, InterruptedException {
    HttpResponse<String> response = send(http, method, url + path, mediaType, body);
    System.out.printf(
        "   %-6s %s %s%n          %s %s%n",
        method, path, body, response.statusCode(), response.body());
    if (response.statusCode() != status) {
      throw new Failure("the answer should have been " + status);
    }
    return response.body();
  }

  /** The stock that the RMI client has bought from, seen by a client that speaks no RMI. */
  private static void callInJson(HttpClient http, String url)
      throws IOException, InterruptedException {
    String shop = "/services/shop";
    String json = "application/json";
    call(http, 200, "POST", url, shop + "/find", json, "{\"number\": \"G-01\"}");
    Matcher basket =
        Pattern.compile("\"href\":\"([^\"]*)\"")
            .matcher(call(http, 200, "POST", url, shop + "/newBasket", json, "{}"));
    if (!basket.find()) {
      throw new Failure("the answer should have had the address of a basket");
    }
    String path = URI.create(basket.group(1)).getPath();
    String below = URI.create(url).getPath();
    path = path.startsWith(below) ? path.substring(below.length()) : path;
    call(http, 422, "POST", url, path + "/add", json, "{\"number\": \"G-01\", \"pieces\": 9}");
    call(http, 200, "POST", url, path + "/add", json, "{\"number\": \"G-01\", \"pieces\": 1}");
    call(http, 204, "DELETE", url, path, json, "");
  }

  /** The product of a catalogue by SOAP 1.1. */
  private static void callInSoap(HttpClient http, String url)
      throws IOException, InterruptedException {
    String body =
        "<c:find xmlns:c='urn:rmigate:contract:io.rmigate.sample.Catalogue'><number>G-01</number></c:find>";
    String envelope =
        "<e:Envelope xmlns:e='http://schemas.xmlsoap.org/soap/envelope/'><e:Body>"
            + body
            + "</e:Body></e:Envelope>";
    String product =
        call(http, 200, "POST", url, "/services/shop", "text/xml; charset=utf-8", envelope);
    if (!product.matches("(?s).*findResponse.*G-01.*")) {
      throw new Failure("the answer should have been the product");
    }
  }

  /** Returns by a failure alone: Ctrl-C ends this JVM. */
  private void awaitEndOfAnyChild() throws InterruptedException {
    while (true) {
      for (Process child : List.copyOf(children)) {
        if (!child.isAlive()) {
          Thread.sleep(1000); // Ctrl-C ends all of them, and this JVM
          finished = false;
          throw new Failure("process " + child.pid() + " has ended");
        }
      }
      Thread.sleep(1000);
    }
  }

  /** Runs at each end, Ctrl-C included. Ends only what this program has started. */
  private void cleanUp() {
    synchronized (children) {
      for (Process child : children) {
        child.descendants().forEach(ProcessHandle::destroy);
        child.destroy();
      }
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
      try {
        for (Process child : children) {
          if (!child.waitFor(end - System.nanoTime(), TimeUnit.NANOSECONDS)) {
            child.destroyForcibly().waitFor();
          }
        }
        if (finished) {
          delete(run);
        } else if (Files.isDirectory(run)) {
          System.err.println("quickstart: the logs are in " + run);
        }
      } catch (IOException | InterruptedException e) {
        System.err.println("quickstart: " + e);
      }
    }
    if (finished && !exiting) {
      Runtime.getRuntime().halt(0); // the way to end it, after all is done
    }
  }

  /** What the gateway counted, in words. */
  private static final class Metrics {
    private final Map<String, Double> values = new HashMap<>();

    Metrics(String text) {
      text.lines()
          .filter(line -> line.startsWith("rmigate_"))
          .forEach(
              line -> {
                int space = line.lastIndexOf(' ');
                values.put(line.substring(0, space), Double.parseDouble(line.substring(space + 1)));
              });
    }

    private double value(String name) {
      return values.getOrDefault("rmigate_" + name, 0.0);
    }

    void print(PrintStream out) {
      double plainTrips = value("saved_plain_round_trips_total");
      double trips = value("saved_round_trips_total");
      double uncoded =
          value("link_received_uncoded_bytes_total") + value("link_sent_uncoded_bytes_total");
      double coded =
          value("link_received_coded_bytes_total") + value("link_sent_coded_bytes_total");
      out.printf("   %-34s %14s %14s%n", "", "plain RMI", "through rmigate");
      out.printf("   %-34s %,14.0f %,14.0f%n", "round trips waited for", plainTrips, trips);
      out.printf(
          "   %-34s %,14.0f %,14.0f%n",
          "bytes, both ways",
          value("saved_plain_bytes_total"),
          value("link_received_bytes_total") + value("link_sent_bytes_total"));
      out.printf(
          "   %-34s %29s%n",
          "compression",
          uncoded == 0
              ? "would not pay on this link"
              : String.format(
                  "%,.0f of %,.0f bytes, %.0f %%", coded, uncoded, 100 * coded / uncoded));
      out.println("   answered within the client:");
      print(out, "pings and connection handshakes", "saved_pings_total");
      print(out, "registry lookups", "saved_lookups_total");
      print(out, "calls of the garbage collection", "saved_lease_calls_total");
      out.println("   and by the gateway:");
      print(out, "calls sent to servers", "calls_total");
      print(out, "leases taken and renewed for clients", "leases_dirty_total");
      print(out, "leases held for clients now", "leases");
      print(out, "bytes from clients", "link_received_bytes_total");
      print(out, "bytes to clients", "link_sent_bytes_total");
      print(out, "bytes to servers", "servers_sent_bytes_total");
      print(out, "bytes from servers", "servers_received_bytes_total");
      if (plainTrips == 0 || trips == 0) {
        throw new Failure("no client has reported what it did");
      }
    }

    private void print(PrintStream out, String what, String name) {
      out.printf("     %-32s %,30.0f%n", what, value(name));
    }
  }
}
