package io.rmigate.gateway.container.management;

import static io.rmigate.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.container.WorkDirectory;
import io.rmigate.gateway.testing.BuiltArtefacts;
import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.gateway.testing.InsideHosts;
import io.rmigate.gateway.testing.InsideServers;
import io.rmigate.gateway.testing.LeftoverCheck;
import io.rmigate.gateway.testing.OpenGateway;
import io.rmigate.testing.Tier;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** jconsole itself, on a virtual display. */
@Tag(Tier.FULL)
@ExtendWith(LeftoverCheck.class)
class JconsoleIT {
  /** It draws, and asks again each second, on a machine that does other things. */
  private static final Duration ALL_TABS = Duration.ofMinutes(8);

  /** The answer to a name that the dialog of jconsole proposes. */
  private static final String NO_SUCH_OPTION = "does not exist";

  private static Path xvfb() {
    return Stream.concat(
            Arrays.stream(System.getenv("PATH").split(File.pathSeparator, -1)).map(Path::of),
            Stream.of(Path.of("/usr/bin")))
        .map(directory -> directory.resolve("Xvfb"))
        .filter(Files::isExecutable)
        .findFirst()
        .orElse(null);
  }

  /** A headless JDK has the class, and not what draws it. */
  private static boolean hasWindows() {
    return Files.exists(ChildJvm.jdk().resolve("lib/libawt_xawt.so"))
        && ModuleLayer.boot().findModule("jdk.jconsole").isPresent();
  }

  private Path directory;
  private InsideHosts hosts;
  private Process display;
  private String displayNumber;
  private InsideServers inside;
  private int started;

  @BeforeEach
  void startDisplayAndServer() throws Exception {
    Path xvfb = xvfb();
    Assumptions.assumeTrue(xvfb != null, "there is no Xvfb: apt-get install xvfb");
    Assumptions.assumeTrue(hasWindows(), "this JDK has no jconsole, or is a headless one");
    directory = WorkDirectory.empty(BuiltArtefacts.workDirectory(JconsoleIT.class));
    hosts = InsideHosts.ofAllTests();
    display =
        new ProcessBuilder(
                xvfb.toString(),
                "-displayfd",
                "1",
                "-screen",
                "0",
                "1280x1024x24",
                "-nolisten",
                "tcp")
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    displayNumber = number(display);
    inside = InsideServers.start(directory, hosts);
  }

  @AfterEach
  void stopEverything() throws Exception {
    if (inside != null) {
      inside.close();
    }
    if (display != null) {
      display.destroy();
      display.waitFor();
    }
  }

  @Test
  void eachTabIsFilledAndWhatNeedsAGrantFailsInItsOwn() throws Exception {
    try (OpenGateway gateway =
        OpenGateway.start(
            directory.resolve("gateway"), hosts, ManagementBed.target(), "    jmx: true")) {
      openAllTabs(gateway, "not permitted by the gateway");

      assertThat(gateway.refusals()).containsOnlyKeys("method").containsEntry("method", 1L);
    }
  }

  @Test
  void allOfItWorksByTheRulesThatWereLearnedFromIt() throws Exception {
    try (OpenGateway gateway =
        OpenGateway.start(
            directory.resolve("gateway"),
            hosts,
            "classes: {mode: learn}",
            ManagementBed.target())) {
      openAllTabs(gateway, NO_SUCH_OPTION);
      gateway.reconfigure(gateway.learnedRules());
      await().until(() -> gateway.get("/health/ready").contains("\"classRules\":\"enforce\""));

      openAllTabs(gateway, NO_SUCH_OPTION);

      assertThat(gateway.refusals()).isEmpty();
    }
  }

  private void openAllTabs(OpenGateway gateway, String option) throws InterruptedException {
    try (ChildJvm jconsole =
        ChildJvm.named("jconsole" + ++started, directory)
            .environment("DISPLAY", ":" + displayNumber)
            .jvmOptions(ManagementBed.agent(gateway), hosts.outsideOption(), "-Xmx160m")
            .jvmOptions("--add-modules", "jdk.jconsole")
            .jvmOptions("--add-exports", "jdk.jconsole/sun.tools.jconsole=ALL-UNNAMED")
            .classPath(BuiltArtefacts.codeSource(Jconsole.class))
            .main(Jconsole.class.getName())
            .arguments(
                "service:jmx:rmi:///jndi/rmi://"
                    + InsideHosts.INSIDE
                    + ":"
                    + inside.jmxPort()
                    + "/jmxrmi",
                option)
            .start()) {
      assertThat(jconsole.awaitExit(ALL_TABS)).isZero();
      assertThat(jconsole.output())
          .contains(
              "filled Overview",
              "filled Memory",
              "filled Threads",
              "filled Classes",
              "filled VM Summary",
              "filled MBeans",
              "filled HotSpotDiagnostic",
              "filled getVMOption",
              "filled Threads again",
              "bye");
    }
  }

  private static String number(Process display) throws IOException {
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(display.getInputStream(), StandardCharsets.UTF_8));
    String number = lines.readLine();
    assertThat(number).as("Xvfb says its number").matches("\\d+");
    return number;
  }
}
