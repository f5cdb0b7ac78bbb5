package io.rmigate.client.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rmigate.protocol.tunnel.Close;
import io.rmigate.protocol.tunnel.CloseCause;
import java.io.IOException;
import java.net.SocketException;
import org.junit.jupiter.api.Test;

class StreamEndsTest {
  private static final Close CLOSE = new Close(1, CloseCause.SERVER_CLOSED);

  private final StreamEnds ends = new StreamEnds(false);

  @Test
  void theFrameThatOpensTheStreamGoesOnce() throws Exception {
    assertThat(ends.toOpened()).isTrue();
    assertThat(ends.toOpened()).isFalse();
    assertThat(new StreamEnds(true).toOpened()).isFalse();
  }

  @Test
  void aStreamThatWasNeverOpenedOwesNoClose() {
    assertThat(ends.toClosing(false)).isTrue();

    assertThat(ends.owesClose()).isFalse();
    assertThat(ends.toCloseQueued()).as("number is free").isTrue();
  }

  @Test
  void aStreamWhoseOpeningWasTakenBackOwesNoClose() throws Exception {
    ends.toOpened();

    assertThat(ends.toClosing(true)).isTrue();

    assertThat(ends.owesClose()).isFalse();
  }

  @Test
  void theSecondCloseFreesTheNumber() throws Exception {
    ends.toOpened();
    ends.toClosing(false);
    assertThat(ends.owesClose()).isTrue();
    assertThat(ends.toCloseQueued()).isFalse();

    assertThat(ends.toClosedByGateway(CLOSE)).isTrue();
  }

  @Test
  void theNumberIsNotFreeBeforeTheCloseOfTheAgentIsQueued() throws Exception {
    ends.toOpened();
    ends.toClosing(false);

    assertThat(ends.toClosedByGateway(CLOSE)).isFalse();
    assertThat(ends.toCloseQueued()).isTrue();
  }

  @Test
  void aStreamClosesOnce() throws Exception {
    ends.toOpened();
    ends.toClosing(false);

    assertThat(ends.toClosing(false)).isFalse();
    assertThatThrownBy(ends::toOpened).isInstanceOf(SocketException.class);
  }

  @Test
  void aLossAfterTheCloseOfTheGatewayKeepsBoth() throws Exception {
    assertThatNoException().isThrownBy(() -> ends.throwIfOver("peer"));
    ends.toOpened();
    ends.toClosedByGateway(CLOSE);

    ends.toLost(new IOException("scripted"));

    assertThat(ends.closeReceived()).contains(CLOSE);
    assertThat(ends.isOpen()).isFalse();
    assertThatThrownBy(() -> ends.throwIfOver("peer")).isInstanceOf(LinkLostException.class);
  }

  @Test
  void aCloseOfTheGatewayAfterTheLossKeepsBoth() throws Exception {
    ends.toOpened();
    ends.toLost(new IOException("scripted"));

    ends.toClosedByGateway(CLOSE);

    assertThat(ends.closeReceived()).contains(CLOSE);
    assertThat(ends.isLost()).isTrue();
    assertThatThrownBy(() -> ends.throwIfOver("peer")).isInstanceOf(LinkLostException.class);
  }

  @Test
  void aLostStreamOwesNoClose() throws Exception {
    ends.toOpened();
    ends.toLost(new IOException("scripted"));

    ends.toClosing(false);

    assertThat(ends.owesClose()).isFalse();
    assertThat(ends.toCloseQueued()).isTrue();
  }
}
