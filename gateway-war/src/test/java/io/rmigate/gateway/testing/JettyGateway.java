package io.rmigate.gateway.testing;

import io.rmigate.testing.Patience;
import io.rmigate.testing.TestTimes;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The WAR in a Jetty with a {@code JETTY_BASE} of its own, context path /rmigate, and the log
 * levels of the kit.
 */
record JettyGateway(URI uri, ChildJvm jvm) implements GatewayUnderTest {
  private static final Pattern LISTENING =
      Pattern.compile("Started (?:\\w+\\.)?ServerConnector@.*\\{127\\.0\\.0\\.1:(\\d+)\\}");

  static JettyGateway start(GatewaySetup setup, String version)
      throws IOException, InterruptedException {
    long since = System.nanoTime();
    Path home = BuiltArtefacts.container("jetty-home-" + version);
    Path base = setup.directory().resolve("jetty-base");
    Path webapps = Files.createDirectories(base.resolve("webapps"));
    Files.copy(BuiltArtefacts.war(), webapps.resolve(setup.atRoot() ? "root.war" : "rmigate.war"));
    Files.write(
        Files.createDirectories(base.resolve("start.d")).resolve("rmigate.ini"), ini(setup));
    Files.copy(
        Path.of("../deploy/jetty/jetty-logging.properties"),
        Files.createDirectories(base.resolve("resources")).resolve("jetty-logging.properties"));
    ChildJvm jvm =
        ChildJvm.named("jetty-" + version, setup.directory())
            .jvmOptions(setup.hosts().insideOption())
            .jvmOptions(setup.jvmOptions().toArray(String[]::new))
            .property("rmigate.config", setup.writeConfiguration(""))
            .jar(home.resolve("start.jar"))
            .arguments("jetty.home=" + home, "jetty.base=" + base)
            .start();
    try {
      String port = jvm.awaitLine(LISTENING, Patience.PATIENCE).group(1);
      TestTimes.add(TestTimes.Activity.CONTAINER_START, since);
      URI uri =
          URI.create(setup.scheme() + "://127.0.0.1:" + port + (setup.atRoot() ? "" : "/rmigate"));
      return new JettyGateway(uri, jvm);
    } catch (AssertionError e) {
      jvm.close();
      throw e;
    }
  }

  /** The modules stand last: what follows them belongs to the environment ee10, not to Jetty. */
  private static List<String> ini(GatewaySetup setup) {
    return setup
        .certificate()
        .map(
            certificate ->
                List.of(
                    "jetty.ssl.host=127.0.0.1",
                    "jetty.ssl.port=0",
                    // There is no server name in a handshake with an address.
                    "jetty.ssl.sniHostCheck=false",
                    "jetty.sslContext.keyStorePath=" + certificate.keystore(),
                    "jetty.sslContext.keyStorePassword=" + certificate.password(),
                    "--module=https,ee10-deploy,ee10-websocket-jakarta"))
        .orElseGet(
            () ->
                List.of(
                    "jetty.http.host=127.0.0.1",
                    "jetty.http.port=0",
                    "--module=http,ee10-deploy,ee10-websocket-jakarta"));
  }
}
