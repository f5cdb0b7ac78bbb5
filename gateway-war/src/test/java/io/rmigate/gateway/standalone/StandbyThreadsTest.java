package io.rmigate.gateway.standalone;

import static io.rmigate.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Threads that stand by, for so long that no test reaches the end unless it sets a short time. */
class StandbyThreadsTest {
  private static final Duration NEVER = Duration.ofHours(1);

  private final AtomicBoolean spare = new AtomicBoolean(true);
  private final List<AutoCloseable> opened = new ArrayList<>();

  /** Two ends of a connection. */
  private record Pair(SocketChannel ours, SocketChannel theirs) {}

  private Pair pair() throws IOException {
    try (ServerSocketChannel listener =
        ServerSocketChannel.open()
            .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
      SocketChannel theirs = SocketChannel.open(listener.getLocalAddress());
      SocketChannel ours = listener.accept();
      ours.configureBlocking(false);
      opened.add(theirs);
      opened.add(ours);
      return new Pair(ours, theirs);
    }
  }

  private StandbyThreads standbys(int places, Duration moment) {
    StandbyThreads standbys = new StandbyThreads(places, moment, spare::get);
    opened.add(standbys);
    return standbys;
  }

  @AfterEach
  void closeAll() throws Exception {
    for (AutoCloseable one : opened) {
      one.close();
    }
  }

  /** Stands by; returns when that is seen. */
  private static CompletableFuture<Void> begin(StandbyThreads standbys, Pair pair) {
    int before = standbys.taken();
    CompletableFuture<Void> standby = start(standbys, pair);
    await().until(() -> standbys.taken() > before);
    assertThat(standby).isNotDone();
    return standby;
  }

  private static CompletableFuture<Void> start(StandbyThreads standbys, Pair pair) {
    return CompletableFuture.runAsync(
        () -> standbys.await(pair.ours()), run -> new Thread(run).start());
  }

  private static void ends(CompletableFuture<Void> standby) throws Exception {
    standby.get(30, TimeUnit.SECONDS);
  }

  @Test
  void comesBackWhenThereIsSomethingToRead() throws Exception {
    StandbyThreads standbys = standbys(1, NEVER);
    Pair pair = pair();

    for (int i = 0; i < 3; i++) {
      CompletableFuture<Void> standby = begin(standbys, pair);
      pair.theirs().write(ByteBuffer.wrap(new byte[] {1}));
      ends(standby);
      assertThat(pair.ours().read(ByteBuffer.allocate(2))).isEqualTo(1);
    }

    assertThat(standbys.taken()).isZero();
    assertThat(standbys.open()).isEqualTo(1);
    assertThat(pair.ours().isRegistered()).isFalse();
  }

  @Test
  void comesBackAtTheEnd() throws Exception {
    StandbyThreads standbys = standbys(1, NEVER);
    Pair pair = pair();
    CompletableFuture<Void> standby = begin(standbys, pair);

    pair.theirs().close();

    ends(standby);
    assertThat(pair.ours().read(ByteBuffer.allocate(1))).isEqualTo(-1);
  }

  @Test
  void comesBackWhenTheMomentIsOver() throws Exception {
    StandbyThreads standbys = standbys(1, Duration.ofMillis(1));
    Pair pair = pair();

    ends(start(standbys, pair));

    assertThat(standbys.open()).isEqualTo(1);
    assertThat(pair.ours().isRegistered()).isFalse();
  }

  @Test
  void whenPlacesAreTakenNobodyStandsByForAWhile() throws Exception {
    StandbyThreads standbys = standbys(2, NEVER);
    Pair first = pair();
    CompletableFuture<Void> one = begin(standbys, first);
    CompletableFuture<Void> other = begin(standbys, pair());

    ends(start(standbys, pair()));
    assertThat(standbys.taken()).isEqualTo(2);
    assertThat(standbys.open()).isEqualTo(2);

    first.theirs().write(ByteBuffer.wrap(new byte[] {1}));
    ends(one);
    ends(start(standbys, pair())); // though there is a place
    assertThat(other).isNotDone();
    Pair later = pair();
    await()
        .until(
            () -> {
              CompletableFuture<Void> tried = start(standbys, later);
              return standbys.taken() == 2 && !tried.isDone();
            });
  }

  @Test
  void nobodyStandsByWhileThreadsAreScarce() throws Exception {
    StandbyThreads standbys = standbys(1, NEVER);
    spare.set(false);

    ends(start(standbys, pair()));

    assertThat(standbys.open()).isZero();
  }

  @Test
  void aClosedConnectionTakesNoPlace() throws Exception {
    StandbyThreads standbys = standbys(1, NEVER);
    Pair pair = pair();
    pair.ours().close();

    ends(start(standbys, pair));

    assertThat(standbys.taken()).isZero();
    CompletableFuture<Void> another = begin(standbys, pair());
    assertThat(another).isNotDone();
    assertThat(standbys.open()).isEqualTo(1);
  }

  @Test
  void aConnectionThatIsClosedMeanwhileIsGivenUpAfterTheMoment() throws Exception {
    StandbyThreads standbys = standbys(1, Duration.ofMillis(200));
    Pair pair = pair();
    CompletableFuture<Void> standby = begin(standbys, pair);

    pair.ours().close();

    ends(standby);
    assertThat(pair.theirs().read(ByteBuffer.allocate(1))).isEqualTo(-1);
  }

  @Test
  void atTheCloseEverybodyGoes() throws Exception {
    StandbyThreads standbys = standbys(2, NEVER);
    CompletableFuture<Void> one = begin(standbys, pair());
    CompletableFuture<Void> other = begin(standbys, pair());

    standbys.close();

    ends(one);
    ends(other);
    ends(start(standbys, pair()));
    assertThat(standbys.open()).isZero();
    assertThat(standbys.taken()).isZero();
  }
}
