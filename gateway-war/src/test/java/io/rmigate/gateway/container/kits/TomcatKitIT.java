package io.rmigate.gateway.container.kits;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.testing.BuiltArtefacts;
import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.gateway.testing.LeftoverCheck;
import io.rmigate.testing.Tier;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code deploy/tomcat} in the Tomcats for which it is meant. */
@Tag(Tier.FULL)
@ExtendWith(LeftoverCheck.class)
class TomcatKitIT {
  /** Tomcat puts the port it got into the name of the connector. */
  private static final Pattern LISTENING =
      Pattern.compile("Starting ProtocolHandler \\[\"https-.*-auto-\\d+-(\\d+)\"\\]");

  private KitBed bed;

  @BeforeEach
  void startServer() throws Exception {
    bed = new KitBed(getClass());
  }

  @AfterEach
  void stopEverything() throws Exception {
    bed.close();
  }

  @ParameterizedTest
  @CsvSource({"rmigate.test.tomcat10, websocket", "rmigate.test.tomcat11, post"})
  void clientsGetThroughAndAStopLetsCallsEnd(String version, String way) throws Exception {
    ChildJvm tomcat = tomcat(System.getProperty(version));
    URI gateway =
        URI.create("https://127.0.0.1:" + tomcat.awaitLine(LISTENING, KitBed.SOON).group(1))
            .resolve("/rmigate");
    assertThat(bed.get(gateway, "/health/ready").statusCode()).isEqualTo(200);

    bed.assertThatClientsGetThrough(gateway, "way=" + way);

    // The answer for an unknown path does not name the software.
    assertThat(bed.get(gateway.resolve("/"), "else").body()).doesNotContainIgnoringCase("tomcat");

    ChildJvm client = bed.clientWithCallInFlight(gateway);
    tomcat.close();
    KitBed.assertAnswered(client);
  }

  private ChildJvm tomcat(String version) throws IOException {
    Path home = BuiltArtefacts.container("apache-tomcat-" + version);
    Path base = bed.directory().resolve("tomcat");
    KitFile.of("tomcat/server.xml").to(base.resolve("conf"));
    KitFile.of("tomcat/rmigate.xml").to(base.resolve("conf/Catalina/localhost"));
    Files.copy(home.resolve("conf/web.xml"), base.resolve("conf/web.xml"));
    for (String each : new String[] {"webapps", "work", "temp", "logs"}) {
      Files.createDirectories(base.resolve(each));
    }
    return bed.start(
        ChildJvm.named("tomcat", bed.directory())
            .temporary(base.resolve("temp"))
            .jvmOptions(bed.hosts().insideOption(), "-Xmx128m")
            .property("catalina.home", home)
            .property("catalina.base", base)
            .property("rmigate.etc", bed.etc())
            .property("rmigate.war", BuiltArtefacts.war())
            .property("rmigate.address", "127.0.0.1")
            .property("rmigate.port", 0)
            .classPath(home.resolve("bin/bootstrap.jar"), home.resolve("bin/tomcat-juli.jar"))
            .main("org.apache.catalina.startup.Bootstrap")
            .arguments("start"));
  }
}
