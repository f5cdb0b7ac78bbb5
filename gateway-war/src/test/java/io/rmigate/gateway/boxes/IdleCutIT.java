package io.rmigate.gateway.boxes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import io.rmigate.gateway.container.WorkDirectory;
import io.rmigate.gateway.testing.BuiltArtefacts;
import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.gateway.testing.LeftoverCheck;
import io.rmigate.testing.Tier;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What the doctor says of a HAProxy that cuts WebSockets on which nothing is said. */
@Tag(Tier.FULL)
@ExtendWith(LeftoverCheck.class)
class IdleCutIT {
  private static final Duration CUT = Duration.ofSeconds(3);
  private static final Duration SOON = Duration.ofSeconds(90);

  private static final Pattern FINDING =
      Pattern.compile(
          "WARNING idle\\.cut seen An idle connection was closed after"
              + " ([0-9.]+) (m?s) .* next heartbeat, which may take 60 s\\. .*"
              + " do Set session\\.heartbeat: ([0-9]+)s in the gateway's rmigate\\.yaml");

  /** How far off a busy machine may be: the doctor watches ten times as long as HAProxy bears. */
  private static final double LEAST_SECONDS = 1;

  private static final double MOST_SECONDS = 25;

  @Test
  void theDoctorMeasuresItAndSaysWhatToSet() throws Exception {
    HaproxyBox haproxy = new HaproxyBox(CUT);
    Optional<Installed> missing = haproxy.missing();
    if (missing.isPresent()) {
      abort(missing.get().notInstalled());
    }
    try (BoxBed bed = BoxBed.start(WorkDirectory.empty(BuiltArtefacts.workDirectory(getClass())));
        StandingBox standing = haproxy.start(Mode.IDLE_CUT_UNAWARES, bed);
        ChildJvm doctor =
            bed.doctor(standing.arguments(), "--idle", "30s", "--step", "30s", "--timeout", "2m")) {
      int exitCode = doctor.awaitExit(SOON);

      String report = String.join(" ", doctor.output()).replaceAll("\\s+", " ");
      Matcher finding = FINDING.matcher(report);
      assertThat(finding.find()).as("%s%n%s", report, standing.logs()).isTrue();
      double seconds =
          Double.parseDouble(finding.group(1)) / (finding.group(2).equals("s") ? 1 : 1e3);
      assertThat(seconds).isBetween(LEAST_SECONDS, MOST_SECONDS);
      assertThat(Double.parseDouble(finding.group(3))).isLessThan(Math.max(1.5, seconds));
      assertThat(exitCode).as("it leads there, and something is wrong").isEqualTo(1);
    }
  }
}
