package io.rmigate.client.link;

import static io.rmigate.testing.Patience.PATIENCE;
import static io.rmigate.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rmigate.client.jvm.ThreadShortage;
import io.rmigate.client.stats.UsageCounters;
import io.rmigate.protocol.coding.Compression;
import io.rmigate.protocol.tunnel.Close;
import io.rmigate.protocol.tunnel.CloseCause;
import io.rmigate.protocol.tunnel.Data;
import io.rmigate.protocol.tunnel.Frame;
import io.rmigate.protocol.tunnel.Open;
import io.rmigate.protocol.tunnel.Tunnel;
import io.rmigate.testing.FakeGateway;
import io.rmigate.testing.FakeGateway.Connection;
import io.rmigate.testing.NamedThreads;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who writes a link, and in which order, against a transport that takes what the test lets it. */
class LinkWritingTest {
  private static final byte[] REQUEST = new byte[10];

  private final FakeGateway gateway = new FakeGateway();
  private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(1);
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private Link link;
  private Connection connection;

  @BeforeEach
  void openLink() throws Exception {
    link =
        new Link(
            gateway.connect(Duration.ofSeconds(10)),
            new UsageCounters(),
            Compression.AUTO,
            LinkListener.NONE);
    link.greet(Duration.ofSeconds(60), Map.of(), timer);
    connection = gateway.accept();
  }

  @AfterEach
  void nothingIsLeft() {
    connection.letAllWrite();
    link.close();
    timer.shutdownNow();
    threads.shutdownNow();
    NamedThreads.awaitEnd("rmigate-");
  }

  @Test
  void noDataOfAStreamFollowsItsCloseWhenTheSenderHadToWaitForRoom() throws Exception {
    LinkStream first = request();
    LinkStream closing = request();
    connection.holdWrites();
    int before = connection.writers().size();
    Future<?> writing = threads.submit(() -> send(first, REQUEST));
    await().until(() -> connection.writers().size() == before + 1);
    Thread sender = new Thread(() -> sendUntilItFails(closing), "sender");
    sender.start();
    await().until(() -> sender.getState() == Thread.State.WAITING); // for room
    closing.close();
    connection.letAllWrite();
    sender.join();
    writing.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    assertThatThrownBy(() -> closing.send(true, REQUEST, 0, REQUEST.length))
        .isInstanceOf(SocketException.class);
    assertEndsWithItsClose(closing, framesUntil(closing));
  }

  @Test
  void noDataOfAStreamFollowsItsCloseWhenTheCloserRacesWithTheSender() throws Exception {
    for (int i = 0; i < 300; i++) {
      LinkStream closing = request();
      CyclicBarrier start = new CyclicBarrier(2);
      send(closing, REQUEST); // opened in any case
      Future<?> sender =
          threads.submit(
              () -> {
                start.await();
                sendUntilItFails(closing);
                return null;
              });
      start.await();
      closing.close();
      sender.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      assertEndsWithItsClose(closing, framesUntil(closing));
      connection.send(new Close(closing.id(), CloseCause.DONE));
      await().until(() -> link.openStreams() == 0);
    }
  }

  @Test
  void noCallerWritesForOthersLongerThanItsOwnRounds() throws Exception {
    LinkStream own = request();
    LinkStream others = request();
    connection.holdWrites();
    int before = connection.writers().size();
    Thread[] caller = new Thread[1];
    Future<?> calling =
        threads.submit(
            () -> {
              caller[0] = Thread.currentThread();
              send(own, REQUEST);
            });
    await().until(() -> connection.writers().size() == before + 1);
    send(others, REQUEST); // returns at once: the caller is going to write it
    connection.letWrite();
    await().until(() -> connection.writers().size() == before + 2);
    send(others, REQUEST);
    connection.letWrite();
    await().until(() -> connection.writers().size() == before + 3);
    calling.get(PATIENCE.toSeconds(), TimeUnit.SECONDS); // while the third write is held
    List<Thread> writers = connection.writers().subList(before, before + 3);
    assertThat(writers.subList(0, 2)).containsOnly(caller[0]);
    assertThat(writers.get(2).getName()).startsWith("rmigate-writer ");
    assertThat(writers.get(2).isDaemon()).isTrue();
    connection.letAllWrite();
    assertThat(connection.expect(Open.class).stream()).isEqualTo(own.id());
    assertThat(connection.expect(Data.class).stream()).isEqualTo(own.id());
    assertThat(connection.expect(Open.class).stream()).isEqualTo(others.id());
    assertThat(connection.expect(Data.class).stream()).isEqualTo(others.id());
    assertThat(connection.expect(Data.class).stream()).isEqualTo(others.id());
  }

  @Test
  void whatNoThreadCanBeStartedForGoesOutWithTheNextFrame() throws Exception {
    LinkStream ours = request();
    send(ours, REQUEST);
    connection.expect(Open.class);
    connection.expect(Data.class);
    LinkStream others = request();
    try (ThreadShortage shortage = new ThreadShortage("rmigate-writer")) {
      ours.close();
      assertThat(shortage.refused()).isEqualTo(1);
      send(others, REQUEST);
    }
    assertThat(connection.expect(Close.class).stream()).isEqualTo(ours.id());
    assertThat(connection.expect(Open.class).stream()).isEqualTo(others.id());
    assertThat(connection.expect(Data.class).stream()).isEqualTo(others.id());

    others.close();
    assertThat(connection.expect(Close.class).stream()).isEqualTo(others.id());
  }

  private LinkStream request() throws Exception {
    LinkStream stream = link.openStream("inside.example", 1099, Duration.ZERO, Duration.ZERO);
    stream.beginRequest();
    return stream;
  }

  private static void send(LinkStream stream, byte[] bytes) {
    try {
      stream.send(false, bytes, 0, bytes.length);
    } catch (Exception failed) {
      throw new AssertionError(failed);
    }
  }

  private static void sendUntilItFails(LinkStream stream) {
    byte[] chunk = new byte[Tunnel.MAX_BODY_BYTES];
    try {
      for (int i = 0; i < 12; i++) { // within the credit
        stream.send(false, chunk, 0, chunk.length);
      }
    } catch (Exception closed) {
      assertThat(closed).isInstanceOf(SocketException.class).hasMessage("Socket closed");
    }
  }

  /**
   * Between the two its number would be another stream's, whose OPEN could go before the close.
   * What happens is made by hand here: the gateway closes in the very moment in between.
   */
  @Test
  void aNumberIsFreeOnlyAfterTheCloseOfBothSidesWhicheverComesFirst() throws Exception {
    LinkStream ours = request();
    send(ours, REQUEST);
    assertThat(ours.id()).isEqualTo(1);

    assertThat(ours.takeBack(false)).isTrue(); // closed here; the close is not queued yet
    ours.onClose(new Close(ours.id(), CloseCause.DONE));
    LinkStream other = request();
    assertThat(other.id()).isEqualTo(3);

    ours.onCloseQueued();
    assertThat(request().id()).isEqualTo(1);
    assertThat(link.openStreams()).isEqualTo(2);
  }

  @Test
  void aNumberIsNotFreeBeforeTheGatewayHasClosed() throws Exception {
    LinkStream ours = request();
    send(ours, REQUEST);
    ours.close();
    connection.expect(Open.class);
    connection.expect(Data.class);
    assertThat(connection.expect(Close.class).stream()).isEqualTo(1); // queued, and more

    assertThat(request().id()).isEqualTo(3);
    ours.onClose(new Close(ours.id(), CloseCause.DONE));
    assertThat(request().id()).isEqualTo(1);
  }

  /** What the gateway has got of {@code closing}, up to what was surely sent after its close. */
  private List<Frame> framesUntil(LinkStream closing) throws Exception {
    LinkStream mark = request();
    send(mark, REQUEST);
    List<Frame> frames = new ArrayList<>();
    Frame frame = connection.expect(Frame.class);
    while (frame.stream() != mark.id() || !(frame instanceof Data)) {
      if (frame.stream() == closing.id()) {
        frames.add(frame);
      }
      frame = connection.expect(Frame.class);
    }
    mark.close();
    connection.expect(Close.class);
    connection.send(new Close(mark.id(), CloseCause.DONE));
    return frames;
  }

  private static void assertEndsWithItsClose(LinkStream closing, List<Frame> frames) {
    assertThat(frames).filteredOn(Close.class::isInstance).hasSize(1);
    assertThat(frames.get(frames.size() - 1)).isEqualTo(new Close(closing.id(), CloseCause.DONE));
  }
}
