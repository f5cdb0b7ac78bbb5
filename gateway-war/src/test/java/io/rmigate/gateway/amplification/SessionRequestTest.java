package io.rmigate.gateway.amplification;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Checks that the measured requests have the intended effect. */
class SessionRequestTest {
  private final Meter meter = Meter.begin(Meter.Resource.CPU_NANOS);
  private MeasuredGateway gateway;

  @BeforeEach
  void begin() throws IOException {
    gateway = new MeasuredGateway();
  }

  @AfterEach
  void end() throws IOException {
    gateway.close();
  }

  @Test
  void leasesAreOfNewObjectsEachTimeAndEndWithTheirSession() throws IOException {
    try (LeaseRequest leases = LeaseRequest.taking(gateway, 512)) {
      leases.once(meter);
      leases.once(meter);
      assertThat(gateway.meters().held()).isEqualTo(2 * 512);
      for (int i = 2; i <= SessionRequest.REQUESTS; i++) {
        leases.once(meter);
      }
      assertThat(gateway.meters().held()).isEqualTo(512); // those of the next session
    }
    assertThat(gateway.meters().held()).isZero();
  }

  @Test
  void isLetGoOfWhatIsHeld() throws IOException {
    try (LeaseRequest lettingGo = LeaseRequest.lettingGo(gateway, 512)) {
      lettingGo.once(meter);
      assertThat(gateway.meters().held()).isEqualTo((SessionRequest.REQUESTS - 1) * 512);
      lettingGo.once(meter);
      assertThat(gateway.meters().held()).isEqualTo((SessionRequest.REQUESTS - 2) * 512);
    }
  }

  @Test
  void grantsCountUnlessTheyAreForged() throws IOException {
    for (int objects : new int[] {0, 400}) {
      try (GrantRequest sealed = GrantRequest.sealed(gateway, objects);
          GrantRequest forged = GrantRequest.forged(gateway, objects)) {
        sealed.once(meter);
        forged.once(meter);
      }
    }
    assertThat(gateway.meters().accepted()).isEqualTo(2);
    assertThat(gateway.meters().forged()).isEqualTo(2);
  }
}
