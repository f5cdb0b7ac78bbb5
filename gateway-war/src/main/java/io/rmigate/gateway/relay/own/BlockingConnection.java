package io.rmigate.gateway.relay.own;

import io.rmigate.gateway.relay.Preamble;
import io.rmigate.gateway.relay.address.OwnListeners;
import io.rmigate.gateway.relay.address.Target;
import io.rmigate.protocol.jrmp.Jrmp;
import io.rmigate.protocol.tunnel.RefusalReason;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One StreamProtocol connection of the gateway's own, on which the calling thread itself connects,
 * writes and reads: no other thread has to be woken for a call.
 *
 * <p>Confined to the thread that has it at the moment, except for {@link #endIfDue} and {@link
 * #close}, which cut it off from wherever it waits.
 */
final class BlockingConnection {
  private static final Logger LOG = LoggerFactory.getLogger(BlockingConnection.class);

  private static final int READ_BYTES = 16 * 1024;

  /** The JDK keeps a buffer outside the heap, as large as the largest read, for each thread. */
  private static final int MAX_READ_BYTES = 64 * 1024;

  /** Value of {@link #deadline} while the connection is idle. */
  private static final long IDLE = Long.MAX_VALUE;

  /**
   * Value of {@link #deadline}: the time was over, or the connection is closed and cannot be used.
   */
  private static final long ENDED = Long.MIN_VALUE;

  private final Target target;
  private final OwnListeners ownListeners;

  /** When it is to be cut off, as nanoseconds since {@link #epoch}; or one of the above. */
  private final AtomicLong deadline = new AtomicLong(IDLE);

  private final long epoch = System.nanoTime();

  private final ByteBuffer in = ByteBuffer.allocate(READ_BYTES).limit(0);
  private volatile SocketChannel channel;
  private volatile InetSocketAddress ownSource;
  private volatile long lastUseNanos = System.nanoTime();
  private long replyBytes;
  private long maxReplyBytes;

  /** Bytes of the message that is under way. */
  private long written;

  /** Value of {@link #deadline} while the connection is used. */
  private long untilNanos;

  BlockingConnection(Target target, OwnListeners ownListeners) {
    this.target = target;
    this.ownListeners = ownListeners;
  }

  /** From here on it is in use, and cut off at the deadline; false if it has ended. */
  boolean begin(long deadlineNanos, long maxReply) {
    written = 0;
    replyBytes = 0;
    maxReplyBytes = maxReply;
    untilNanos = deadlineNanos;
    return deadline.compareAndSet(IDLE, deadlineNanos - epoch);
  }

  /** While it is in use: from here on it is cut off then. */
  private void limit(long deadlineNanos) {
    untilNanos = deadlineNanos;
    deadline.updateAndGet(before -> before == ENDED ? ENDED : deadlineNanos - epoch);
  }

  private boolean isLate() {
    return System.nanoTime() - untilNanos >= 0;
  }

  private static long earlier(long deadlineNanos, Duration timeout) {
    long other = System.nanoTime() + timeout.toNanos();
    return other - deadlineNanos < 0 ? other : deadlineNanos;
  }

  /** The connection becomes idle; false if it has ended, or has unexpected bytes. */
  boolean becomeIdle() {
    lastUseNanos = System.nanoTime();
    long before = deadline.get();
    return before != ENDED && !in.hasRemaining() && deadline.compareAndSet(before, IDLE);
  }

  /** Cuts it off if its deadline has passed, or it has been idle for too long. */
  void endIfDue(long nowNanos, Duration longestIdle) {
    long until = deadline.get();
    if (until == ENDED) {
      return;
    }
    if (until == IDLE) {
      if (nowNanos - lastUseNanos > longestIdle.toNanos() && deadline.compareAndSet(IDLE, ENDED)) {
        closeChannel();
      }
    } else if (nowNanos - epoch > until && deadline.compareAndSet(until, ENDED)) {
      closeChannel();
    }
  }

  /** From any thread; idempotent. */
  void close() {
    deadline.set(ENDED);
    closeChannel();
  }

  boolean isEnded() {
    return deadline.get() == ENDED;
  }

  private void closeChannel() {
    InetSocketAddress source = ownSource;
    if (source != null) {
      ownListeners.forget(source);
    }
    SocketChannel open = channel;
    if (open != null) {
      try {
        open.close();
      } catch (IOException harmless) {
        LOG.trace("{}: close", this, harmless);
      }
    }
  }

  /**
   * Connects and shakes hands.
   *
   * @throws OwnCallException with {@link OwnCallFailure.Kind#REFUSED}
   */
  void connect(Iterable<InetAddress> addresses, long deadlineNanos) throws OwnCallException {
    IOException failure = null;
    for (InetAddress address : addresses) {
      try {
        connect(address, deadlineNanos);
        limit(earlier(deadlineNanos, target.handshakeTimeout()));
        handshake();
        limit(deadlineNanos);
        return;
      } catch (ConnectFailed failed) {
        failure = failed.getCause() instanceof IOException cause ? cause : failed;
      } catch (IOException failed) {
        throw refused(RefusalReason.NOT_JRMP, "no JRMP handshake: " + reason(failed), failed);
      }
    }
    boolean refused =
        failure instanceof ConnectException && !String.valueOf(failure).contains("timed out");
    throw refused(
        refused ? RefusalReason.CONNECTION_REFUSED : RefusalReason.CONNECT_FAILED,
        reason(failure),
        failure);
  }

  private static final class ConnectFailed extends IOException {
    private static final long serialVersionUID = 1L;

    ConnectFailed(Throwable cause) {
      super(cause);
    }
  }

  private void connect(InetAddress address, long deadlineNanos) throws IOException {
    closeChannel();
    try {
      SocketChannel opened = SocketChannel.open();
      channel = opened;
      opened.setOption(StandardSocketOptions.TCP_NODELAY, true);
      opened.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
      if (ownListeners.isOne(address, target.port())) {
        opened.bind(new InetSocketAddress(address, 0));
        ownSource = (InetSocketAddress) opened.getLocalAddress();
        ownListeners.expect(ownSource, Optional.empty());
      }
      long left = earlier(deadlineNanos, target.connectTimeout()) - System.nanoTime();
      long millis = Math.max(1, Math.min(left / 1_000_000, Integer.MAX_VALUE));
      opened.socket().connect(new InetSocketAddress(address, target.port()), (int) millis);
    } catch (IOException | RuntimeException failed) { // such as an address family we have not
      throw new ConnectFailed(failed);
    }
    if (isEnded()) {
      closeChannel(); // which may have come before there was one
      throw new ConnectFailed(new IOException("closed"));
    }
  }

  private void handshake() throws IOException {
    writeAll(Preamble.streamHeader());
    Preamble.Ack ack = new Preamble.Ack();
    Preamble.Ack.State state = Preamble.Ack.State.INCOMPLETE;
    while (state == Preamble.Ack.State.INCOMPLETE) {
      fill();
      state = ack.add(in);
    }
    if (state == Preamble.Ack.State.WRONG) {
      throw new IOException("the peer did not answer the header with an ack");
    }
    writeAll(Preamble.endpoint());
  }

  private void writeAll(ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }

  /**
   * Whether it still is a connection: what the server has done to it since its last use is seen
   * here, and after a longer silence it is asked.
   */
  boolean isAlive(Duration pingAfterIdle) {
    try {
      boolean silent = System.nanoTime() - lastUseNanos > pingAfterIdle.toNanos();
      return nothingHasCome() && (!silent || answersPing(untilNanos));
    } catch (IOException dead) {
      LOG.debug("{}: {}", this, dead.toString());
      return false;
    }
  }

  private boolean nothingHasCome() throws IOException {
    SocketChannel open = channel;
    open.configureBlocking(false);
    int count = open.read(ByteBuffer.allocate(1));
    open.configureBlocking(true);
    return count == 0;
  }

  private boolean answersPing(long deadlineNanos) throws IOException {
    limit(earlier(deadlineNanos, target.handshakeTimeout()));
    writeAll(ByteBuffer.wrap(new byte[] {Jrmp.PING}));
    fill();
    limit(deadlineNanos);
    return in.get() == Jrmp.PING_ACK && !in.hasRemaining();
  }

  /** Writes part of a message. */
  void write(byte[] bytes, int count) throws OwnCallException {
    ByteBuffer buffer = ByteBuffer.wrap(bytes, 0, count);
    try {
      while (buffer.hasRemaining()) {
        written += channel.write(buffer);
      }
    } catch (IOException broken) {
      throw failed(broken);
    }
  }

  /** The server's answer; the reader must find its end, which is not the end of the stream. */
  InputStream reply() {
    return new Reply();
  }

  private final class Reply extends InputStream {
    @Override
    public int read() throws IOException {
      if (!in.hasRemaining()) {
        more();
      }
      count(1);
      return in.get() & 0xFF;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      if (length == 0) {
        return 0;
      }
      int taken;
      if (!in.hasRemaining() && length >= READ_BYTES) {
        taken = receive(ByteBuffer.wrap(target, offset, Math.min(length, MAX_READ_BYTES)));
      } else {
        if (!in.hasRemaining()) {
          more();
        }
        taken = Math.min(length, in.remaining());
        in.get(target, offset, taken);
      }
      count(taken);
      return taken;
    }

    @Override
    public int available() {
      return in.remaining();
    }

    private void more() throws OwnCallException {
      in.clear().limit(0);
      ByteBuffer space = in.duplicate().clear();
      in.limit(receive(space));
    }

    private void count(int bytes) throws OwnCallException {
      replyBytes += bytes;
      if (replyBytes > maxReplyBytes) {
        throw new OwnCallException(
            failure(
                OwnCallFailure.Kind.NO_RETURN,
                "a Return of more than " + maxReplyBytes + " bytes"));
      }
    }
  }

  private int receive(ByteBuffer space) throws OwnCallException {
    try {
      int count = channel.read(space);
      if (count < 0) {
        throw new IOException("the server closed the connection");
      }
      return count;
    } catch (IOException broken) {
      throw failed(broken);
    }
  }

  /** Waits for bytes before there is a message. */
  private void fill() throws IOException {
    in.clear();
    int count = channel.read(in);
    in.flip();
    if (count < 0) {
      throw new IOException("the server closed the connection");
    }
  }

  private OwnCallException failed(IOException broken) {
    return isLate()
        ? new OwnCallException(failure(OwnCallFailure.Kind.LATE, "no Return in time"), broken)
        : new OwnCallException(failure(OwnCallFailure.Kind.CLOSED, reason(broken)), broken);
  }

  private OwnCallFailure failure(OwnCallFailure.Kind kind, String text) {
    return new OwnCallFailure(
        kind,
        written == 0 ? DeliveryStatus.NOT_SENT : DeliveryStatus.POSSIBLY_DELIVERED,
        Optional.empty(),
        target + ": " + text);
  }

  private OwnCallException refused(RefusalReason reason, String text, IOException cause) {
    return new OwnCallException(
        new OwnCallFailure(
            OwnCallFailure.Kind.REFUSED,
            DeliveryStatus.NOT_SENT,
            Optional.of(isLate() ? RefusalReason.CONNECT_FAILED : reason),
            target + ": " + (isLate() ? "not connected in time" : text)),
        cause);
  }

  private static String reason(IOException failure) {
    return failure == null
        ? "no address"
        : failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage();
  }

  @Override
  public String toString() {
    return target.toString();
  }
}
