package io.rmigate.client.callback;

import static io.rmigate.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rmigate.client.virtual.MemorySocket;
import io.rmigate.testing.InheritedMethods;
import io.rmigate.testing.NamedThreads;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A local listener that accepts connections of inner JVMs, too. */
@Timeout(180)
class SharedServerSocketTest {
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final AtomicInteger accepts = new AtomicInteger();
  private final AtomicInteger closes = new AtomicInteger();
  private volatile boolean failing;
  private SharedServerSocket socket;

  private final class Local extends ServerSocket {
    Local() throws IOException {
      super(0, 50, InetAddress.getLoopbackAddress());
    }

    @Override
    public Socket accept() throws IOException {
      accepts.incrementAndGet();
      if (failing) {
        throw new IOException("no descriptor left");
      }
      return super.accept();
    }
  }

  @BeforeEach
  void listen() throws Exception {
    socket = new SharedServerSocket(new Local());
    socket.closes(closes::incrementAndGet);
  }

  @AfterEach
  void nothingIsLeft() throws Exception {
    socket.close();
    threads.shutdown();
    await().until(threads::isTerminated);
    NamedThreads.awaitEnd("rmigate-accept-");
  }

  private Socket connect() throws IOException {
    return new Socket(InetAddress.getLoopbackAddress(), socket.getLocalPort());
  }

  private static Socket fromInside(SharedServerSocket to) throws IOException {
    Socket accepted = MemorySocket.pair(1).accepted();
    assertThat(to.offer(accepted)).isTrue();
    return accepted;
  }

  private void assertAccepts(Socket local) throws Exception {
    try (local;
        Socket accepted = socket.accept()) {
      assertThat(accepted.getPort()).isEqualTo(local.getLocalPort());
    }
  }

  @Test
  void beforeItIsSharedItIsTheLocalListenerAndHasNoThread() throws Exception {
    assertAccepts(connect());
    assertThat(Thread.getAllStackTraces().keySet())
        .noneMatch(thread -> thread.getName().startsWith("rmigate-accept-"));
    assertThat(accepts).hasValue(1);
  }

  @Test
  void aThreadThatAcceptsLocallyGetsConnectionsFromInsideAsWell() throws Exception {
    Future<Socket> accepting = threads.submit(socket::accept);
    await().until(() -> accepts.get() == 1);
    socket.share();
    socket.share();
    Socket inner = fromInside(socket);

    assertThat(accepting.get()).isSameAs(inner);
    assertAccepts(connect());
    Socket another = fromInside(socket);
    assertThat(socket.accept()).isSameAs(another);
  }

  @Test
  void theConnectionThatWakesTheThreadIsNeverAccepted() throws Exception {
    assertAccepts(connect());
    socket.share(); // no thread accepts: the connection waits in the backlog
    assertAccepts(connect());
    Socket inner = fromInside(socket);
    assertThat(socket.accept()).isSameAs(inner);
    assertAccepts(connect());
  }

  @Test
  void whatIsSharedBeforeItIsUsedNeedsNoWaking() throws Exception {
    socket.share();
    Socket inner = fromInside(socket);
    assertThat(socket.accept()).isSameAs(inner);
    assertThat(accepts).hasValue(0);
  }

  @Test
  void aFailureOfTheLocalListenerReachesItsReaderOnceForEachAccept() throws Exception {
    socket.share();
    failing = true;
    for (int i = 1; i <= 3; i++) {
      assertThatThrownBy(socket::accept).hasMessage("no descriptor left");
      assertThat(accepts).hasValue(i);
    }
    failing = false;
    assertAccepts(connect());
  }

  @Test
  void closingWakesTheReaderAndClosesWhatBelongsToItOnce() throws Exception {
    for (boolean shared : new boolean[] {false, true}) {
      if (shared) {
        listen();
        socket.share();
      }
      int before = accepts.get();
      Future<Socket> accepting = threads.submit(socket::accept);
      await().until(() -> accepts.get() == before + 1);
      socket.close();
      socket.close();
      assertThatThrownBy(accepting::get).hasCauseInstanceOf(SocketException.class);
      assertThat(socket.isClosed()).isTrue();
      assertThat(socket.offer(MemorySocket.pair(1).accepted())).isFalse();
    }
    assertThat(closes).hasValue(2);
  }

  @Test
  void noMethodOfServerSocketIsLeftToAnUnboundOne() {
    assertThat(InheritedMethods.of(SharedServerSocket.class, ServerSocket.class)).isEmpty();
  }
}
