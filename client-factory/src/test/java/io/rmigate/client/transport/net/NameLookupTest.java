package io.rmigate.client.transport.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rmigate.client.jvm.ThreadShortage;
import io.rmigate.testing.Interrupted;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class NameLookupTest {
  private static final Duration LONG = Duration.ofSeconds(30);
  private static final Duration SHORT = Duration.ofMillis(20);

  private final CountDownLatch answer = new CountDownLatch(1);
  private final AtomicInteger asked = new AtomicInteger();

  private final NameLookup slow =
      new NameLookup(
          host -> {
            asked.incrementAndGet();
            try {
              answer.await();
            } catch (InterruptedException unexpected) {
              throw new UnknownHostException("interrupted");
            }
            return new InetAddress[] {InetAddress.getLoopbackAddress()};
          });

  @Test
  void aNameIsLookedUp() throws IOException {
    assertThat(NameLookup.SYSTEM.addressesOf("127.0.0.7", LONG))
        .containsExactly(InetAddress.getByName("127.0.0.7"));
  }

  @Test
  void anUnknownNameIsSaidToBeUnknown() {
    NameLookup none =
        new NameLookup(
            host -> {
              throw new UnknownHostException(host);
            });
    assertThatThrownBy(() -> none.addressesOf("no.example", LONG))
        .isInstanceOf(UnknownHostException.class)
        .hasMessage("no.example");
  }

  @Test
  void aLookupThatTakesTooLongIsGivenUp() {
    assertThatThrownBy(() -> slow.addressesOf("gw.example", SHORT))
        .isInstanceOf(SocketTimeoutException.class)
        .hasMessageContaining("gw.example");
    answer.countDown();
  }

  @Test
  void theNextAttemptJoinsTheOneThatHangs() throws IOException {
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> slow.addressesOf("gw.example", SHORT))
          .isInstanceOf(SocketTimeoutException.class);
    }
    answer.countDown();

    assertThat(slow.addressesOf("gw.example", LONG)).hasSize(1);
    assertThat(asked.get()).isLessThanOrEqualTo(2); // 2 if the first had ended just before
  }

  @Test
  void theNextAttemptBeginsAnewAfterAThreadCouldNotBeStarted() throws IOException {
    answer.countDown();
    try (ThreadShortage shortage = new ThreadShortage("rmigate-name-lookup")) {
      for (int i = 1; i <= 2; i++) {
        assertThatThrownBy(() -> slow.addressesOf("gw.example", LONG))
            .isInstanceOf(ConnectException.class)
            .hasMessageContaining("gw.example");
        assertThat(shortage.refused()).isEqualTo(i);
      }
    }
    assertThat(slow.addressesOf("gw.example", LONG)).hasSize(1);
  }

  @Test
  void anInterruptDoesNotEndTheWaitAndIsKept() throws IOException {
    Interrupted.thisThread(answer::countDown);
    assertThat(slow.addressesOf("gw.example", LONG)).hasSize(1);
    assertThat(Thread.interrupted()).isTrue();
  }
}
