package io.rmigate.gateway.relay;

import static io.rmigate.testing.Patience.PATIENCE;
import static io.rmigate.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.relay.address.AddressRule;
import io.rmigate.gateway.relay.address.Target;
import io.rmigate.gateway.relay.listener.InnerConnection;
import io.rmigate.gateway.relay.listener.InnerListener;
import io.rmigate.protocol.jrmp.Jrmp;
import io.rmigate.protocol.tunnel.RefusalReason;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.util.HexFormat;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** One thread for many sessions: what goes wrong for one of them concerns no other. */
class RelayLoopTest {
  private static final byte[] CALL =
      HexFormat.of()
          .parseHex("50aced00057722" + "00".repeat(Jrmp.OBJ_ID_BYTES) + "ffffffff9c9e6b1308366dda");

  private final Relay relay =
      new Relay(new RelaySettings(PATIENCE, PATIENCE, PATIENCE, 64 * 1024, 1));
  private final RelayLoop loop = relay.assignLoop();

  @AfterEach
  void end() {
    relay.close();
  }

  @Test
  void listenerThatFailsOnceListensOn() throws Exception {
    AtomicInteger accepted = new AtomicInteger();
    try (InnerListener listener = InnerListener.bind(loop, InetAddress.getLoopbackAddress(), 0)) {
      listener.start(refusing(accepted));
      loop.execute(listener::breakDown); // as when something fails on the way to a connection
      try (Socket peer = new Socket(InetAddress.getLoopbackAddress(), listener.port())) {
        assertThat(peer.isConnected()).isTrue();
        await().until(() -> accepted.get() == 1);
      }
    }
  }

  @Test
  void listenerThatFailsWhileItIsClosedOrBeforeItHasStartedFailsOnce() throws Exception {
    try (InnerListener listener = InnerListener.bind(loop, InetAddress.getLoopbackAddress(), 0)) {
      onLoop(listener::breakDown);
      assertThat(onLoop(() -> listener.checkDeadline(System.nanoTime()))).isFalse();
      AtomicInteger accepted = new AtomicInteger();
      listener.start(refusing(accepted));
      try (Socket peer = new Socket(InetAddress.getLoopbackAddress(), listener.port())) {
        assertThat(peer.isConnected()).isTrue();
        await().until(() -> accepted.get() == 1);
      }
      onLoop(
          () -> {
            // As when another thread is about to close the channel.
            loop.selector().keys().forEach(SelectionKey::cancel);
            listener.breakDown();
          });
      assertThat(onLoop(() -> listener.checkDeadline(System.nanoTime()))).isFalse();
    }
  }

  private void onLoop(Runnable task) throws Exception {
    onLoop(Executors.callable(task));
  }

  private <T> T onLoop(Callable<T> task) throws Exception {
    FutureTask<T> done = new FutureTask<>(task);
    loop.execute(done);
    return done.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
  }

  private static InnerListener.Acceptor refusing(AtomicInteger refused) {
    return new InnerListener.Acceptor() {
      @Override
      public boolean admits(InetSocketAddress peer) {
        refused.incrementAndGet();
        return false;
      }

      @Override
      public void onConnection(InnerConnection connection, InetSocketAddress peer) {}
    };
  }

  private static class Listener implements ConnectionListener {
    final AtomicInteger bytes = new AtomicInteger();
    final AtomicInteger broken = new AtomicInteger();

    @Override
    public int wanted() {
      return 1000;
    }

    @Override
    public void onBytes(ByteBuffer more) {
      bytes.addAndGet(more.remaining());
    }

    @Override
    public void onWritten(int count) {}

    @Override
    public void onRefused(RefusalReason reason, String text) {}

    @Override
    public void onServerClosed() {}

    @Override
    public void onBroken() {
      broken.incrementAndGet();
    }
  }

  /** Fails as no code should: with an Error. */
  private static final class Failing extends Listener {
    @Override
    public void onBytes(ByteBuffer more) {
      throw new StackOverflowError("wanted by the test");
    }

    @Override
    public void onBroken() {
      super.onBroken();
      throw new StackOverflowError("wanted by the test");
    }
  }

  private ServerConnection connection(ScriptedRmiServer server, ConnectionListener listener) {
    Target target = new Target("127.0.0.1", server.port(), AddressRule.NAMED, PATIENCE, PATIENCE);
    return new ServerConnection(
        relay, loop, target, ServerConnection.Protocol.STREAM, this, listener);
  }

  @Test
  void errorOfOneConnectionEndsThatOneOnly() throws Exception {
    try (ScriptedRmiServer server = new ScriptedRmiServer(FailurePolicy.NONE)) {
      Failing failing = new Failing();
      Listener healthy = new Listener();
      ServerConnection broken = connection(server, failing);
      ServerConnection other = connection(server, healthy);

      broken.send(CALL.clone(), true);
      await().until(() -> failing.broken.get() == 1);
      other.send(CALL.clone(), true);

      await().until(() -> healthy.bytes.get() == ScriptedRmiServer.VOID_RETURN.length);
      assertThat(broken.state()).isEqualTo(ServerConnection.State.CLOSED);
      assertThat(healthy.broken).hasValue(0);
      other.close();
    }
  }

  @Test
  void errorOfATaskOrAFlushOrADeadlineEndsNothingElse() throws Exception {
    CountDownLatch ended = new CountDownLatch(1);
    DeadlineCheck failing =
        new DeadlineCheck() {
          @Override
          public boolean checkDeadline(long now) {
            throw new StackOverflowError("wanted by the test");
          }

          @Override
          public void breakDown() {
            ended.countDown();
          }
        };
    loop.execute(
        () -> {
          loop.watch(failing);
          loop.afterRound(
              () -> {
                throw new StackOverflowError("wanted by the test");
              });
          throw new StackOverflowError("wanted by the test");
        });

    assertThat(ended.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    CountDownLatch alive = new CountDownLatch(1);
    loop.execute(alive::countDown);
    assertThat(alive.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void tasksWithoutEndKeepNeitherServersNorFlushesWaiting() throws Exception {
    try (ScriptedRmiServer server = new ScriptedRmiServer(FailurePolicy.NONE)) {
      CountDownLatch flushed = new CountDownLatch(1);
      Listener listener = new Listener();
      ServerConnection connection = connection(server, listener);
      loop.execute(
          new Runnable() {
            @Override
            public void run() {
              loop.afterRound(flushed::countDown);
              loop.execute(this);
            }
          });

      connection.send(CALL.clone(), true);

      await().until(() -> listener.bytes.get() == ScriptedRmiServer.VOID_RETURN.length);
      assertThat(flushed.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
      connection.close();
    }
  }
}
