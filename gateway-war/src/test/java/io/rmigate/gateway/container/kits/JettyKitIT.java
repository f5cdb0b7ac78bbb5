package io.rmigate.gateway.container.kits;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.testing.BuiltArtefacts;
import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.gateway.testing.LeftoverCheck;
import io.rmigate.testing.Tier;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** {@code deploy/jetty} in the Jetty for which it is meant. */
@Tag(Tier.FULL)
@ExtendWith(LeftoverCheck.class)
class JettyKitIT {
  private static final Pattern LISTENING =
      Pattern.compile("Started (?:\\w+\\.)?ServerConnector@.*\\{127\\.0\\.0\\.1:(\\d+)\\}");

  private KitBed bed;

  @BeforeEach
  void startServer() throws Exception {
    bed = new KitBed(getClass());
  }

  @AfterEach
  void stopEverything() throws Exception {
    bed.close();
  }

  @Test
  void clientsGetThroughAndADrainLetsCallsEnd() throws Exception {
    ChildJvm jetty = jetty();
    URI gateway =
        URI.create("https://127.0.0.1:" + jetty.awaitLine(LISTENING, KitBed.SOON).group(1))
            .resolve("/rmigate");
    assertThat(bed.get(gateway, "/health/ready").statusCode()).isEqualTo(200);

    bed.assertThatClientsGetThrough(gateway, "way=post");

    ChildJvm client = bed.clientWithCallInFlight(gateway);
    CompletableFuture<HttpResponse<String>> drained = bed.drain(gateway);
    KitBed.assertAnswered(client);
    assertThat(drained.get(KitBed.SOON.toSeconds(), TimeUnit.SECONDS).statusCode()).isEqualTo(200);
    assertThat(bed.get(gateway, "/health/ready").statusCode()).isEqualTo(503);
  }

  private ChildJvm jetty() throws IOException {
    Path home = BuiltArtefacts.container("jetty-home-" + System.getProperty("rmigate.test.jetty"));
    Path base = bed.directory().resolve("jetty");
    KitFile.of("jetty/rmigate.ini")
        .with("/etc/rmigate", bed.etc())
        .with("jetty.ssl.port=443", "jetty.ssl.port=0\njetty.ssl.host=127.0.0.1")
        .to(base.resolve("start.d"));
    Files.writeString(
        base.resolve("start.d/password.ini"),
        "jetty.sslContext.keyStorePassword=" + bed.certificate().password() + "\n");
    KitFile.of("jetty/jetty-logging.properties").to(base.resolve("resources"));
    KitFile.of("jetty/rmigate.xml").to(base.resolve("webapps"));
    return bed.start(
        ChildJvm.named("jetty", bed.directory())
            .jvmOptions(bed.hosts().insideOption(), "-Xmx128m")
            .property("rmigate.etc", bed.etc())
            .property("rmigate.war", BuiltArtefacts.war())
            .jar(home.resolve("start.jar"))
            .arguments("jetty.home=" + home, "jetty.base=" + base));
  }
}
