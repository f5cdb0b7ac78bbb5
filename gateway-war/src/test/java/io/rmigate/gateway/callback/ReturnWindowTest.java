package io.rmigate.gateway.callback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rmigate.protocol.ProtocolViolationException;
import org.junit.jupiter.api.Test;

/** PROTOCOL.md, section 8: an agent never has more of the gateway's room than it was promised. */
class ReturnWindowTest {
  private final ReturnWindow window = new ReturnWindow(100);

  @Test
  void roomIsGivenBackInHalves() throws Exception {
    window.arrived(2, 100);
    assertThat(window.consumed(49)).isZero();
    assertThat(window.consumed(1)).isEqualTo(50);
    assertThat(window.consumed(50)).isEqualTo(50);
    window.arrived(2, 100);
  }

  @Test
  void whatTheGatewayAnswersWidensNothing() throws Exception {
    assertThat(window.consumed(1000)).isZero();
    window.arrived(2, 30);
    assertThat(window.consumed(1000)).isEqualTo(30);
    assertThatThrownBy(() -> window.arrived(2, 101))
        .isInstanceOf(ProtocolViolationException.class)
        .hasMessageContaining("stream 2, got 1");
  }

  @Test
  void whatIsHeldUntilMoreHasComeIsGivenBackOnce() throws Exception {
    window.arrived(2, 60);
    assertThat(window.lend(60)).isEqualTo(60);
    window.arrived(2, 100);
    assertThat(window.consumed(60)).isZero(); // those that were lent
    assertThat(window.consumed(100)).isEqualTo(100);
    window.arrived(2, 100);
  }
}
