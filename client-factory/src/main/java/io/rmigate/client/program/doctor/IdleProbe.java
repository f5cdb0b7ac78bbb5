package io.rmigate.client.program.doctor;

import io.rmigate.client.transport.Transport;
import io.rmigate.protocol.tunnel.CloseCause;
import io.rmigate.protocol.tunnel.Frame;
import io.rmigate.protocol.tunnel.FrameOutput;
import io.rmigate.protocol.tunnel.FrameReader;
import io.rmigate.protocol.tunnel.Goodbye;
import io.rmigate.protocol.tunnel.Heartbeat;
import io.rmigate.protocol.tunnel.HeartbeatAck;
import io.rmigate.protocol.tunnel.Hello;
import io.rmigate.protocol.tunnel.SessionToken;
import io.rmigate.protocol.tunnel.Tunnel;
import io.rmigate.protocol.tunnel.Welcome;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Keeps a session silent for a while, to see whether a device on the way cuts idle connections. A
 * link in use is never silent, because it sends heartbeats.
 */
final class IdleProbe {
  private final Transport transport;
  private final Duration patience;
  private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();

  private IdleProbe(Transport transport, Duration patience) {
    this.transport = transport;
    this.patience = patience;
  }

  /** The state of the connection after the idle time. */
  sealed interface Result {
    /** The connection still carried frames after that time. */
    record Open(Duration after, Duration heartbeat) implements Result {}

    /** The peer or a device on the way has closed it after that time. */
    record Closed(Duration after, Duration heartbeat, String how) implements Result {}

    /** The connection was not closed, but carried no bytes after that time. */
    record Dead(Duration after, Duration heartbeat) implements Result {}

    /** The probe could not measure the connection. */
    record Unknown(String why) implements Result {}
  }

  private sealed interface Event {
    record Came(Frame frame) implements Event {}

    record Ended(String how) implements Event {}
  }

  /**
   * Measures, for about as long as {@code idle} says, but no longer than the gateway bears silence.
   *
   * @param transport to a gateway that has not said anything yet; closed at the end
   * @param patience for each answer
   * @param self the properties of the hello
   */
  static Result measure(
      Transport transport, Duration idle, Duration patience, Map<String, String> self)
      throws InterruptedException {
    try (transport) {
      return new IdleProbe(transport, patience).measure(idle, self);
    } catch (IOException failed) {
      return new Result.Unknown(String.valueOf(failed.getMessage()));
    }
  }

  private Result measure(Duration wanted, Map<String, String> self)
      throws IOException, InterruptedException {
    Thread reader = new Thread(this::read, "rmigate-doctor idle");
    reader.setDaemon(true);
    reader.start();
    send(
        new Hello(
            Tunnel.VERSION,
            Tunnel.VERSION,
            Set.of(),
            SessionToken.NONE,
            0,
            Tunnel.MAX_BODY_BYTES,
            List.of(),
            self));
    Event first = next(patience);
    if (!(first instanceof Event.Came came && came.frame() instanceof Welcome welcome)) {
      return new Result.Unknown(first == null ? "the gateway sent no welcome" : text(first));
    }
    Duration heartbeat = welcome.heartbeat();
    Duration idle = min(wanted, heartbeat.multipliedBy(5).dividedBy(2)); // at 3 the gateway ends it
    long start = System.nanoTime();
    Event cut = next(idle);
    Duration after = Duration.ofNanos(System.nanoTime() - start);
    if (cut != null) {
      return new Result.Closed(after, heartbeat, text(cut));
    }
    send(new Heartbeat(1));
    Event answer = next(patience);
    if (answer instanceof Event.Came beat && beat.frame() instanceof HeartbeatAck) {
      send(new Goodbye(CloseCause.DONE, ""));
      return new Result.Open(idle, heartbeat);
    }
    return answer == null
        ? new Result.Dead(idle, heartbeat)
        : new Result.Closed(idle, heartbeat, text(answer));
  }

  private Event next(Duration within) throws InterruptedException {
    return events.poll(within.toNanos(), TimeUnit.NANOSECONDS);
  }

  private static Duration min(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  private static String text(Event event) {
    return event instanceof Event.Ended ended
        ? ended.how()
        : event instanceof Event.Came came && came.frame() instanceof Goodbye goodbye
            ? "the gateway said goodbye: " + goodbye.text()
            : "the gateway sent an unexpected frame";
  }

  private void send(Frame frame) throws IOException {
    FrameOutput out = new FrameOutput(256);
    out.append(frame);
    transport.write(out.array(), 0, out.size());
  }

  private void read() {
    FrameReader frames = new FrameReader(frame -> events.add(new Event.Came(frame)));
    byte[] buffer = new byte[4096];
    try {
      while (true) {
        int count = transport.read(buffer, 0, buffer.length);
        if (count < 0) {
          events.add(new Event.Ended("closed without an error"));
          return;
        }
        frames.feed(buffer, 0, count);
      }
    } catch (IOException e) {
      events.add(new Event.Ended(String.valueOf(e.getMessage())));
    }
  }
}
