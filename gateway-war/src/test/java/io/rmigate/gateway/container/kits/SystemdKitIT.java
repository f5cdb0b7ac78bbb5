package io.rmigate.gateway.container.kits;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.container.WorkDirectory;
import io.rmigate.gateway.testing.BuiltArtefacts;
import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.gateway.testing.LeftoverCheck;
import io.rmigate.testing.Tier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** {@code deploy/systemd}: judged by systemd's own tool, and its command line run. */
@Tag(Tier.FULL)
@ExtendWith(LeftoverCheck.class)
class SystemdKitIT {
  /** Of {@code systemd-analyze security}, in tenths: 0 is shut off from everything, 100 open. */
  private static final int TOLERATED_EXPOSURE = 15;

  private static final int CONFIGURATION_CANNOT_BE_USED = 2;

  private KitBed bed;

  @AfterEach
  void stopEverything() throws Exception {
    if (bed != null) {
      bed.close();
    }
  }

  @Test
  void systemdFindsNothingWrong() throws Exception {
    Tool analyze = Tool.find("systemd-analyze", "package systemd of Debian");
    Path units = WorkDirectory.empty(BuiltArtefacts.workDirectory(getClass()).resolve("units"));
    Path unit =
        KitFile.of("systemd/rmigate.service")
            .with("/usr/bin/java", ChildJvm.jdk().resolve("bin/java"))
            .with("file:///opt/rmigate/README.md", "https://rmigate.example/")
            .to(units);
    analyze.succeeds("verify", "--man=no", unit.toString());
    analyze.succeeds(
        "security", "--offline=true", "--threshold=" + TOLERATED_EXPOSURE, unit.toString());

    KitFile.of("systemd/port-443.conf").to(units.resolve("rmigate.service.d"));
    analyze.succeeds("verify", "--man=no", unit.toString());
  }

  @Test
  void itsCommandServesAndItsStopIsADrain() throws Exception {
    bed = new KitBed(getClass());
    ChildJvm gateway = gateway();
    ChildJvm client = bed.clientWithCallInFlight(KitBed.uri(gateway));
    gateway.close();
    KitBed.assertAnswered(client);
    assertThat(gateway.awaitExit(KitBed.SOON)).isZero();
  }

  @Test
  void aConfigurationThatCannotBeUsedIsNotTriedAgain() throws Exception {
    bed = new KitBed(getClass());
    Files.writeString(bed.etc().resolve("rmigate.yaml"), "nonsense: true\n");
    assertThat(gateway().awaitExit(KitBed.SOON)).isEqualTo(CONFIGURATION_CANNOT_BE_USED);
    assertThat(setting("RestartPreventExitStatus"))
        .isEqualTo(Integer.toString(CONFIGURATION_CANNOT_BE_USED));
  }

  private ChildJvm gateway() throws IOException {
    List<String> command =
        Arrays.stream(setting("ExecStart").split(" ", -1))
            .map(word -> word.replace("/opt/rmigate/run", installed().toString()))
            .map(word -> word.replace("/etc/rmigate", bed.etc().toString()))
            .toList();
    assertThat(command.get(0)).isEqualTo("/usr/bin/java");
    return bed.start(
        ChildJvm.named("gateway", bed.directory())
            .environment("RMIGATE_GATEWAY_LISTEN", "127.0.0.1:0")
            .jvmOptions(bed.hosts().insideOption(), "-Xmx128m")
            .arguments(command.subList(1, command.size()).toArray(String[]::new)));
  }

  private Path installed() {
    Path installed = bed.directory().resolve("run");
    if (!Files.exists(installed)) {
      try (ChildJvm install =
          ChildJvm.named("install", bed.directory())
              .jar(BuiltArtefacts.war())
              .arguments("install", installed.toString())
              .start()) {
        assertThat(install.awaitExit(KitBed.SOON)).isZero();
      } catch (InterruptedException stopped) {
        throw new AssertionError(stopped);
      }
    }
    return installed;
  }

  private static String setting(String name) throws IOException {
    return KitFile.of("systemd/rmigate.service")
        .text()
        .lines()
        .filter(line -> line.startsWith(name + "="))
        .findFirst()
        .map(line -> line.substring(name.length() + 1))
        .orElseThrow();
  }
}
