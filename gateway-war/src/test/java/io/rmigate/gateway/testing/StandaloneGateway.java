package io.rmigate.gateway.testing;

import io.rmigate.gateway.standalone.ReusableGateway;
import io.rmigate.testing.Patience;
import io.rmigate.testing.TestTimes;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** {@code java -jar rmigate.war}, or the same classes in a JVM that has run a gateway before. */
record StandaloneGateway(URI uri, ChildJvm jvm) implements GatewayUnderTest {
  private static final Pattern READY = Pattern.compile("^rmigate ready (\\S+?)/?$");

  static StandaloneGateway start(GatewaySetup setup) throws IOException, InterruptedException {
    Path configuration =
        setup.writeConfiguration(
            "listen: 127.0.0.1:"
                + setup.port()
                + (setup.atRoot() ? "\npath: /\n" : "\npath: /rmigate\n")
                + setup
                    .certificate()
                    .map(
                        certificate ->
                            "tls:\n  keystore: '"
                                + certificate.keystore()
                                + "'\n  password-file: '"
                                + certificate.passwordFile()
                                + "'\n")
                    .orElse(""));
    ChildJvm.Builder builder =
        ChildJvm.named("standalone", setup.directory())
            .jvmOptions(setup.hosts().insideOption())
            .jvmOptions(setup.jvmOptions().toArray(String[]::new));
    ChildJvm jvm =
        setup.packed()
            ? builder
                .jar(BuiltArtefacts.war())
                .arguments("--config", configuration.toString())
                .start()
            : ReusableGateway.in(builder, configuration.toString()).start();
    try {
      String uri = jvm.awaitLine(READY, Patience.PATIENCE).group(1);
      TestTimes.addWarUnpacking(setup.directory().resolve("tmp-standalone"));
      return new StandaloneGateway(URI.create(uri), jvm);
    } catch (AssertionError e) {
      jvm.close();
      throw e;
    }
  }
}
