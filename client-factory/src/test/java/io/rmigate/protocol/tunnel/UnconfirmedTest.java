package io.rmigate.protocol.tunnel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rmigate.protocol.ProtocolViolationException;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class UnconfirmedTest {
  private final Unconfirmed unconfirmed = new Unconfirmed();

  @Test
  void whatIsNotConfirmedCanBeReadAgainFromAnyPosition() throws Exception {
    byte[] sent = new byte[300_000];
    new Random(1).nextBytes(sent);
    Random random = new Random(2);
    int end = 0;
    int confirmed = 0;
    while (end < sent.length) {
      int length = Math.min(random.nextInt(9_000), sent.length - end);
      unconfirmed.append(sent, end, length);
      end += length;
      confirmed += random.nextInt(end - confirmed + 1);
      unconfirmed.confirm(confirmed);
      int from = confirmed + random.nextInt(end - confirmed + 1);
      byte[] copy = new byte[end - from];
      assertThat(unconfirmed.copy(from, copy, copy.length)).isEqualTo(copy.length);
      assertThat(copy).isEqualTo(Arrays.copyOfRange(sent, from, end));
      assertThat(unconfirmed.size()).isEqualTo(end - confirmed);
      assertThat(unconfirmed.reachesBackTo(confirmed)).isTrue();
      assertThat(unconfirmed.reachesBackTo(confirmed - 1L)).isFalse();
      assertThat(unconfirmed.reachesBackTo(end + 1L)).isFalse();
    }
  }

  @Test
  void whatComesAfterAPauseIsKeptAsWell() throws Exception {
    byte[] sent = new byte[100_000];
    new Random(3).nextBytes(sent);
    for (int round = 0; round < 3; round++) {
      unconfirmed.append(sent, 0, sent.length);
      unconfirmed.giveBackIfIdle();
      byte[] copy = new byte[sent.length];
      unconfirmed.copy(unconfirmed.begin(), copy, copy.length);
      assertThat(copy).isEqualTo(sent);
      unconfirmed.confirm(unconfirmed.end());
      unconfirmed.giveBackIfIdle();
      unconfirmed.giveBackIfIdle();
      assertThat(unconfirmed.end()).isEqualTo((round + 1L) * sent.length);
    }
  }

  @Test
  void whatWasNeverSentCannotBeConfirmed() {
    unconfirmed.append(new byte[10], 0, 10);
    assertThatThrownBy(() -> unconfirmed.confirm(11))
        .isInstanceOf(ProtocolViolationException.class);
  }

  @Test
  void anOlderConfirmationChangesNothing() throws Exception {
    unconfirmed.append(new byte[10], 0, 10);
    unconfirmed.confirm(8);
    unconfirmed.confirm(3);
    assertThat(unconfirmed.begin()).isEqualTo(8);
    assertThat(unconfirmed.size()).isEqualTo(2);
  }
}
