package io.rmigate.client.callback;

import static io.rmigate.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.client.link.LinkStream;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.VmIdentifier;
import io.rmigate.protocol.jrmp.message.LeaseReturn;
import io.rmigate.protocol.tunnel.Listening;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** For what a hold is waited, at a JVM that answers when the test says so. */
class HeldObjectsTest {
  private static final VmIdentifier AGENT = new VmIdentifier(1, 2, 3, (short) 4);
  private static final List<ObjIdentifier> OBJECTS = List.of(ObjIdentifier.ACTIVATOR);

  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private final Recorded site = new Recorded();
  private final HeldObjects held =
      new HeldObjects(site, AGENT, new AtomicLong(), timer, Duration.ofSeconds(2));
  private final AtomicInteger carriedOut = new AtomicInteger();

  private static final class Recorded implements ExportSite {
    private final List<CollectorCall> calls = new CopyOnWriteArrayList<>();

    @Override
    public void begin(int port) {}

    @Override
    public boolean accept(LinkStream stream, InetAddress peer, int peerPort) {
      return false;
    }

    @Override
    public void collect(CollectorCall call) {
      calls.add(call);
    }

    @Override
    public void endCollecting() {}

    @Override
    public Optional<Socket> connect() {
      return Optional.empty();
    }

    @Override
    public IOException refusal(Listening answer, int port) {
      return new IOException();
    }

    @Override
    public void close() {}
  }

  @AfterEach
  void stop() {
    held.close();
    timer.shutdownNow();
  }

  @Test
  void aJvmThatDoesNotAnswerIsWaitedForOnceUntilItDoes() {
    held.hold(null, OBJECTS, carriedOut::incrementAndGet);
    assertThat(carriedOut).hasValue(0);
    await().until(() -> carriedOut.get() == 1); // it has been waited for

    held.hold(null, OBJECTS, carriedOut::incrementAndGet);
    assertThat(carriedOut).hasValue(2);
    assertThat(site.calls).hasSizeGreaterThanOrEqualTo(2); // it is asked all the same

    site.calls.get(1).answered(LeaseReturn.encode(AGENT, 600_000));
    held.hold(null, OBJECTS, carriedOut::incrementAndGet);
    assertThat(carriedOut).hasValue(2);
    site.calls.get(site.calls.size() - 1).answered(LeaseReturn.encode(AGENT, 600_000));
    assertThat(carriedOut).hasValue(3);
  }
}
