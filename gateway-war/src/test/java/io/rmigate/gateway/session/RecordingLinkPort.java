package io.rmigate.gateway.session;

import io.rmigate.protocol.coding.CodedReader;
import io.rmigate.protocol.coding.CodingFigures;
import io.rmigate.protocol.coding.ContentCoding;
import io.rmigate.protocol.tunnel.CloseCause;
import io.rmigate.protocol.tunnel.Data;
import io.rmigate.protocol.tunnel.Frame;
import io.rmigate.protocol.tunnel.FrameType;
import io.rmigate.protocol.tunnel.Welcome;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.ReentrantLock;
import java.util.zip.CRC32;

/**
 * The transport under a session, in memory: decodes what the session sends and keeps it. A buffer
 * is decoded when its send ends, so that one which is changed meanwhile is noticed. Thread-safe.
 */
final class RecordingLinkPort implements LinkPort {
  /** Payload of a stream is kept up to this length; beyond, only counted and summed. */
  private static final int KEPT_BYTES = 1 << 20;

  /** When sends end. */
  enum Sends {
    INLINE,
    LATER,
    /** Not before {@link #release}. */
    STUCK
  }

  /** One frame of data, in the order of the link. */
  record Piece(int stream, int bytes) {}

  /** What has come on one stream. */
  private static final class Payload {
    final ByteArrayOutputStream kept = new ByteArrayOutputStream();
    final CRC32 sum = new CRC32();
    long bytes;
  }

  private final ReentrantLock lock = new ReentrantLock();
  private final List<Frame> frames = new ArrayList<>();
  private final List<Piece> pieces = new ArrayList<>();
  private final Map<Integer, Payload> payloads = new HashMap<>();
  private final CodedReader reader = new CodedReader(this::onFrame);
  private final ExecutorService later;
  private volatile Sends sends;
  private volatile long desertedNanos;
  private ByteBuffer stuckBytes;
  private SendEnd stuckEnd;
  private boolean underWay;
  private long received;
  private final List<Long> rests = new ArrayList<>();
  private CloseCause closed;
  private boolean closedBehindAll;
  private Throwable failure;

  RecordingLinkPort(Sends sends) {
    this.sends = sends;
    this.later =
        Executors.newSingleThreadExecutor(
            task -> {
              Thread thread = new Thread(task, "recording-link");
              thread.setDaemon(true);
              return thread;
            });
  }

  void sends(Sends next) {
    sends = next;
  }

  /** The agent has sent no request for {@code since}, as may happen over POST. */
  void deserted(Duration since) {
    desertedNanos = since.toNanos();
  }

  @Override
  public long desertedNanos() {
    return desertedNanos;
  }

  @Override
  public void send(ByteBuffer bytes, SendEnd end) {
    Sends now = sends;
    lock.lock();
    try {
      if (underWay) {
        failure = new AssertionError("a send before the end of the one before");
      }
      if (closed != null) {
        failure = new AssertionError("a send after close");
      }
      underWay = true;
      if (now == Sends.STUCK) {
        stuckBytes = bytes;
        stuckEnd = end;
        return;
      }
    } finally {
      lock.unlock();
    }
    if (now == Sends.INLINE) {
      finish(bytes, end);
    } else {
      later.execute(() -> finish(bytes, end));
    }
  }

  private void finish(ByteBuffer bytes, SendEnd end) {
    lock.lock();
    try {
      received += bytes.remaining();
      reader.feed(bytes);
      underWay = false;
    } catch (IOException | RuntimeException notOurProtocol) {
      failure = notOurProtocol;
    } finally {
      lock.unlock();
    }
    end.sendEnded(null);
  }

  /** Ends the send that is stuck, if there is one; later ones end as {@code next} says. */
  void release(Sends next) {
    sends = next;
    ByteBuffer bytes;
    SendEnd end;
    lock.lock();
    try {
      bytes = stuckBytes;
      end = stuckEnd;
      stuckBytes = null;
      stuckEnd = null;
    } finally {
      lock.unlock();
    }
    if (end != null) {
      finish(bytes, end);
    }
  }

  /** How many bytes have come. */
  long received() {
    lock.lock();
    try {
      return received;
    } finally {
      lock.unlock();
    }
  }

  /** Whether a send waits to be released. */
  boolean isStuck() {
    lock.lock();
    try {
      return stuckEnd != null;
    } finally {
      lock.unlock();
    }
  }

  /** Ends the send that is stuck with a failure. */
  void breakStuckSend(Throwable cause) {
    SendEnd end;
    lock.lock();
    try {
      end = stuckEnd;
      stuckEnd = null;
    } finally {
      lock.unlock();
    }
    end.sendEnded(cause);
  }

  /** Only called by the reader, with the lock held. */
  private void onFrame(Frame frame) {
    if (frame instanceof Data data) {
      Payload payload = payloads.computeIfAbsent(data.stream(), stream -> new Payload());
      payload.bytes += data.bytes().length;
      payload.sum.update(data.bytes());
      if (payload.kept.size() < KEPT_BYTES) {
        payload.kept.writeBytes(data.bytes());
      }
      pieces.add(new Piece(data.stream(), data.bytes().length));
    } else {
      frames.add(frame);
    }
    if (frame instanceof Welcome welcome) {
      reader.begin(ContentCoding.named(welcome.coding()).orElseThrow());
    }
  }

  /** What the session has sent coded. */
  CodingFigures coded() {
    return reader.figures();
  }

  @Override
  public void rest(long nanos) {
    lock.lock();
    try {
      rests.add(nanos);
    } finally {
      lock.unlock();
    }
  }

  /** For how many nanoseconds it was to be left unread, each time. */
  List<Long> rests() {
    lock.lock();
    try {
      return List.copyOf(rests);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close(CloseCause cause) {
    lock.lock();
    try {
      if (closed != null) {
        failure = new AssertionError("closed twice");
      }
      closed = cause;
      closedBehindAll = !underWay;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public String peer() {
    return "192.0.2.1:40000";
  }

  /** Why the session closed the transport; null while it has not. */
  CloseCause closed() {
    lock.lock();
    try {
      return closed;
    } finally {
      lock.unlock();
    }
  }

  /** Whether every send had ended when the session closed the transport. */
  boolean closedBehindAll() {
    lock.lock();
    try {
      return closedBehindAll;
    } finally {
      lock.unlock();
    }
  }

  /** All frames but data, in their order. */
  List<Frame> frames() {
    lock.lock();
    try {
      return List.copyOf(frames);
    } finally {
      lock.unlock();
    }
  }

  /** The frames of one type. */
  <F extends Frame> List<F> frames(Class<F> type) {
    return frames().stream().filter(type::isInstance).map(type::cast).toList();
  }

  /** All frames of data, in their order. */
  List<Piece> pieces() {
    lock.lock();
    try {
      return List.copyOf(pieces);
    } finally {
      lock.unlock();
    }
  }

  /** Bytes of data on one stream so far. */
  long dataBytes(int stream) {
    lock.lock();
    try {
      Payload payload = payloads.get(stream);
      return payload == null ? 0 : payload.bytes;
    } finally {
      lock.unlock();
    }
  }

  /** The data of one stream so far. */
  byte[] data(int stream) {
    lock.lock();
    try {
      Payload payload = payloads.get(stream);
      return payload == null ? new byte[0] : payload.kept.toByteArray();
    } finally {
      lock.unlock();
    }
  }

  /** CRC-32 of the data of one stream. */
  long sum(int stream) {
    lock.lock();
    try {
      return payloads.get(stream).sum.getValue();
    } finally {
      lock.unlock();
    }
  }

  /** Whether the last byte sent ended a frame. */
  boolean atFrameBoundary() {
    lock.lock();
    try {
      return reader.atFrameBoundary();
    } finally {
      lock.unlock();
    }
  }

  /** What the session did that no {@link LinkPort} allows; null when nothing. */
  Throwable failure() {
    lock.lock();
    try {
      return failure;
    } finally {
      lock.unlock();
    }
  }

  long count(FrameType type) {
    return frames().stream().filter(frame -> frame.type() == type).count();
  }

  void stop() {
    later.shutdownNow();
    reader.close();
  }
}
