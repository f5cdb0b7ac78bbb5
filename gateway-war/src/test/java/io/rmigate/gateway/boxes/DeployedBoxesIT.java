package io.rmigate.gateway.boxes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import io.rmigate.gateway.container.WorkDirectory;
import io.rmigate.gateway.testing.BuiltArtefacts;
import io.rmigate.gateway.testing.LeftoverCheck;
import io.rmigate.testing.Tier;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The files of {@code deploy/} for what stands before gateways and clients do what they are for.
 */
@Tag(Tier.FULL)
@ExtendWith(LeftoverCheck.class)
@TestInstance(Lifecycle.PER_CLASS)
class DeployedBoxesIT {
  /** Among them what servlet containers make of it. */
  private static final List<String> HIDDEN =
      List.of(
          "/rmigate/admin/sessions",
          "/rmigate/metrics",
          "/rmigate/%61dmin/sessions",
          "/rmigate//admin/sessions",
          "/rmigate/./admin/sessions",
          "/rmigate/;/admin/sessions",
          "/rmigate/;x=y/metrics",
          "/rmigate;x/admin/sessions",
          "/rmigate/%3b/admin/sessions",
          "/rmigate/tunnel/../admin/sessions",
          "/rmigate/tunnel/../metrics",
          "/rmigate/tunnel/..;/admin/sessions",
          "/rmigate/tunnel/..;x=y/metrics",
          "/rmigate/tunnel/%2e%2e/admin/sessions",
          "/rmigate/tunnel/%2E%2E/metrics",
          "/rmigate/tunnel/%2e%2e;/admin/sessions",
          "/rmigate/tunnel/..%2fadmin/sessions",
          "/rmigate/tunnel/%252e%252e/admin/sessions",
          "/rmigate/tunnel/..\\admin/sessions",
          "/rmigate/tunnel/..%5cadmin/sessions");

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
      URI url = URI.create(standing.arguments().replaceAll(",.*", ""));
      for (String open : List.of("/health/ready", "/services", "/services?of=..;//")) {
        assertThat(bed.statusOf(url, "/rmigate" + open)).as(open).isEqualTo(200);
      }
      for (String hidden : HIDDEN) { // the gateway itself would ask for a login, or answer 400
        assertThat(bed.statusOf(url, hidden)).as(hidden).isIn(403, 404);
      }
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
