package io.rmigate.gateway.boxes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import io.rmigate.gateway.container.WorkDirectory;
import io.rmigate.gateway.testing.BuiltArtefacts;
import io.rmigate.gateway.testing.LeftoverCheck;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The files of {@code deploy/} for what stands before gateways and clients do what they are for.
 */
@ExtendWith(LeftoverCheck.class)
@TestInstance(Lifecycle.PER_CLASS)
class DeployedBoxesIT {
  private BoxBed bed;

  @BeforeAll
  void startInside() throws Exception {
    bed = BoxBed.start(WorkDirectory.empty(BuiltArtefacts.workDirectory(getClass())));
  }

  @AfterAll
  void stopInside() {
    if (bed != null) {
      bed.close();
    }
  }

  @TestFactory
  Stream<DynamicTest> callsAndCallbacksPassWhatIsSetUpByTheFilesOfDeploy() {
    return Stream.of(
            new NginxBox(),
            new HaproxyBox(),
            new HttpdBox(),
            new HttpdForwardBox(),
            new SquidBox(),
            new TinyproxyBox())
        .map(box -> DynamicTest.dynamicTest(box.title(), () -> pass(box)));
  }

  @TestFactory
  Stream<DynamicTest> whatIsForAdministratorsIsHiddenFromOutside() {
    return Stream.of(new NginxBox(), new HaproxyBox(), new HttpdBox())
        .map(box -> DynamicTest.dynamicTest(box.title(), () -> hideAdmin(box)));
  }

  private void hideAdmin(ReverseProxy box) throws Exception {
    Optional<Installed> missing = box.missing();
    if (missing.isPresent()) {
      abort(missing.get().notInstalled());
    }
    try (StandingBox standing = box.start(Mode.UPGRADE_ALLOWED, bed)) {
      String url = standing.arguments().replaceAll(",.*", "");
      assertThat(bed.statusOf(url + "/health/ready")).isEqualTo(200);
      assertThat(bed.statusOf(url + "/services")).isEqualTo(200);
      assertThat(bed.statusOf(url + "/admin/sessions")).isEqualTo(404);
      assertThat(bed.statusOf(url + "/%61dmin/sessions")).isEqualTo(404);
      assertThat(bed.statusOf(url + "/metrics")).isEqualTo(404);
    }
  }

  private void pass(Box box) throws Exception {
    Optional<Installed> missing = box.missing();
    if (missing.isPresent()) {
      abort(missing.get().notInstalled());
    }
    try (StandingBox standing = box.start(Mode.UPGRADE_ALLOWED, bed);
        Traveller client = bed.client(standing.arguments())) {
      client.ask("lookup");
      assertThat(client.ask("calls 10")).isEqualTo("10");
      assertThat(client.ask("callbacks 10")).isEqualTo("10");
      assertThat(client.standing().rung()).isEqualTo(Rung.WEBSOCKET);
    }
  }
}
