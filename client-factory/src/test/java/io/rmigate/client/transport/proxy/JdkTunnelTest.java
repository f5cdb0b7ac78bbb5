package io.rmigate.client.transport.proxy;

import static io.rmigate.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rmigate.client.transport.TransportBed;
import io.rmigate.client.transport.net.Deadline;
import io.rmigate.testing.Interrupted;
import java.net.ConnectException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(180)
class JdkTunnelTest {
  private static final Duration SHORT = Duration.ofMillis(20);

  @RegisterExtension final TransportBed bed = new TransportBed();
  private final CountDownLatch go = new CountDownLatch(1);
  private final Socket socket = new Socket();

  private Socket late() throws InterruptedException {
    go.await();
    return socket;
  }

  @Test
  void aSocketThatComesTooLateIsClosed() {
    assertThatThrownBy(() -> JdkTunnel.within(Deadline.in(SHORT), this::late))
        .isInstanceOf(SocketTimeoutException.class);
    go.countDown();

    await().until(socket::isClosed);
  }

  @Test
  void anInterruptDoesNotEndTheWaitAndIsKept() throws Exception {
    Interrupted.thisThread(go::countDown);

    assertThat(JdkTunnel.within(Deadline.in(Duration.ofMinutes(1)), this::late)).isSameAs(socket);
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void theKindOfAFailureIsKept() {
    assertThatThrownBy(
            () ->
                JdkTunnel.within(
                    Deadline.in(Duration.ofMinutes(1)),
                    () -> {
                      throw new ConnectException("no listener");
                    }))
        .isExactlyInstanceOf(ConnectException.class)
        .hasMessage("no listener");
  }
}
