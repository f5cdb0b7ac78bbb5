package io.rmigate.gateway.relay;

import io.rmigate.protocol.jrmp.Jrmp;
import io.rmigate.protocol.tunnel.RefusalReason;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One real JRMP connection to a server, made when the first request comes.
 *
 * <pre>
 *          send              resolved             connected             ProtocolAck
 *   IDLE ────────► RESOLVING ────────► CONNECTING ─────────► HANDSHAKING ───────────► READY
 *                      ▲                                             idle, send: Ping │  ▲ PingAck
 *                      └───────────────── ping failed ─────────────────── PINGING ◄───┘──┘
 *   CLOSED from anywhere: refused, ended by the server, broken, or by {@link #close}
 * </pre>
 *
 * CLOSED is the end: the next request needs another connection. So what is heard of an ending can
 * never be taken for the ending of a later request.
 *
 * <p>A SingleOp connection has no handshake: READY once connected, one message, closed by the
 * server.
 *
 * <p>Lock: {@code lock} guards the state, the queue and the channel's writes; listeners are called
 * outside it. A request that finds the connection READY is written by the thread that sends it;
 * everything else happens on the loop.
 */
public final class ServerConnection implements Watched {

  /** How the server is spoken to (RMI specification, 10.2). */
  public enum Protocol {
    /** Handshake, then any number of messages. */
    STREAM,
    /** One message, nothing else is ever executed; the server closes after its Return. */
    SINGLE_OP
  }

  /** See the picture above. */
  public enum State {
    IDLE,
    RESOLVING,
    CONNECTING,
    HANDSHAKING,
    READY,
    PINGING,
    CLOSED
  }

  private static final Logger LOG = LoggerFactory.getLogger(ServerConnection.class);
  private static final byte[] STREAM_HEADER = header(Jrmp.STREAM_PROTOCOL);
  private static final byte[] SINGLE_OP_HEADER = header(Jrmp.SINGLE_OP_PROTOCOL);

  private static final byte[] ENDPOINT = endpoint();

  /** ProtocolAck, length of the suggested host, port. */
  private static final int ACK_FIXED_BYTES = 1 + 2 + 4;

  private static final int MAX_ACK_HOST_BYTES = 1024;

  private final RelayLoop loop;
  private final Executor resolvers;
  private final Target target;
  private final Protocol protocol;
  private final Duration pingAfterIdle;
  private final ConnectionListener listener;

  private final ReentrantLock lock = new ReentrantLock();
  private State state = State.IDLE;
  private final Deque<ByteBuffer> queue = new ArrayDeque<>();
  private SocketChannel channel;
  private SelectionKey key;
  private InetAddress[] addresses = new InetAddress[0];
  private int nextAddress;
  private long deadlineNanos;
  private long lastUseNanos;
  private long attemptNanos;

  /** See {@link #connectNanos}. Written on the loop. */
  private volatile long connectNanos;

  /** Handshake bytes from the server so far. Confined to the loop. */
  private final byte[] ack = new byte[ACK_FIXED_BYTES + MAX_ACK_HOST_BYTES];

  private int ackBytes;

  /** What the loop's crowd counts by. Confined to the loop. */
  private long lastCrowd;

  /** A connection to be; nothing is opened yet. */
  public ServerConnection(
      Relay relay, RelayLoop loop, Target target, Protocol protocol, ConnectionListener listener) {
    this.loop = loop;
    this.resolvers = relay.resolvers();
    this.target = target;
    this.protocol = protocol;
    this.pingAfterIdle = relay.settings().pingAfterIdle();
    this.listener = listener;
  }

  /**
   * Sends bytes of a request, in order. Never blocks: what cannot leave now is kept, within what
   * the stream's credit allows. {@code bytes} belong to this connection from here on.
   *
   * @param startsRequest the first bytes of a request: should the connection turn out to be broken,
   *     none of them has been delivered
   * @return false when the connection has ended and has taken nothing; another one may
   */
  public boolean send(byte[] bytes, boolean startsRequest) {
    int written = 0;
    lock.lock();
    try {
      if (state == State.CLOSED) {
        return false;
      }
      if (state == State.READY && startsRequest && queue.isEmpty() && idleTooLong()) {
        beginPing();
      }
      ByteBuffer buffer = ByteBuffer.wrap(bytes);
      if (state == State.READY && queue.isEmpty()) {
        written = writeNow(buffer);
        if (state == State.CLOSED) {
          return false;
        }
        lastUseNanos = System.nanoTime();
      }
      if (buffer.hasRemaining()) {
        queue.add(buffer);
      }
      if (state == State.IDLE) {
        beginResolving();
      }
    } finally {
      lock.unlock();
    }
    if (written > 0) {
      listener.onWritten(written);
    }
    return true;
  }

  /**
   * Sees to it that the server has completed a handshake, without sending a request.
   *
   * @return false when the connection has ended
   */
  public boolean connect() {
    return send(new byte[0], false);
  }

  /** Reads on after {@link ConnectionListener#wanted} was 0. From any thread. */
  public void resume() {
    later(
        () -> {
          lock.lock();
          try {
            if (key != null && key.isValid() && state != State.CONNECTING) {
              key.interestOpsOr(SelectionKey.OP_READ);
            }
          } finally {
            lock.unlock();
          }
        });
  }

  /** Ends the connection; the listener hears nothing more. Idempotent, from any thread. */
  public void close() {
    lock.lock();
    try {
      endHere();
    } finally {
      lock.unlock();
    }
  }

  /** Something failed that never should: ends the connection and tells the listener so. */
  @Override
  public void breakDown() {
    close();
    listener.onBroken();
  }

  /** Does a step on the loop, soon. */
  private void later(Runnable step) {
    loop.execute(
        () -> {
          try {
            step.run();
          } catch (Throwable unexpected) {
            Containment.contain(this, unexpected, this::breakDown);
          }
        });
  }

  /** How long the last connect took, from the asking to the end of the handshake. */
  public long connectNanos() {
    return connectNanos;
  }

  /** For the admin view. */
  public State state() {
    lock.lock();
    try {
      return state;
    } finally {
      lock.unlock();
    }
  }

  private boolean idleTooLong() {
    return protocol == Protocol.STREAM
        && System.nanoTime() - lastUseNanos > pingAfterIdle.toNanos();
  }

  /**
   * A write that fails has delivered nothing of the buffer; the listener hears of the end later.
   */
  private int writeNow(ByteBuffer buffer) {
    try {
      int count = channel.write(buffer);
      if (buffer.hasRemaining()) {
        key.interestOpsOr(SelectionKey.OP_WRITE);
        key.selector().wakeup();
      }
      return count;
    } catch (IOException broken) {
      LOG.debug("{}: write failed: {}", this, broken.toString());
      endHere();
      later(listener::onServerClosed);
      return 0;
    }
  }

  /** The one end of every connection: it never comes to life again. */
  private void endHere() {
    closeChannel();
    queue.clear();
    state = State.CLOSED;
  }

  private void beginPing() {
    state = State.PINGING;
    setDeadline(target.handshakeTimeout());
    try {
      ByteBuffer ping = ByteBuffer.wrap(new byte[] {Jrmp.PING});
      if (channel.write(ping) == 1) {
        return;
      }
    } catch (IOException broken) {
      LOG.debug("{}: ping failed: {}", this, broken.toString());
    }
    closeChannel();
    state = State.IDLE;
  }

  private void beginResolving() {
    attemptNanos = System.nanoTime();
    state = State.RESOLVING;
    try {
      resolvers.execute(this::resolve);
    } catch (RejectedExecutionException overloaded) {
      later(() -> refuse(RefusalReason.CONNECT_FAILED, "the gateway is overloaded"));
    }
  }

  private void resolve() {
    try {
      Optional<InetAddress[]> found = usable(target.host(), target.addresses());
      Optional<Target.StandIn> standIn = target.standIn();
      if (standIn.isPresent() && (found.isEmpty() || found.get().length == 0)) {
        LOG.debug("{}: not a place to go to, {} stands in", this, standIn.get().host());
        found = usable(standIn.get().host(), standIn.get().addresses());
      }
      InetAddress[] usable = found.orElse(null);
      later(
          () -> {
            if (usable == null) {
              refuse(RefusalReason.UNKNOWN_HOST, target.host());
            } else {
              resolved(usable);
            }
          });
    } catch (RuntimeException unusable) {
      LOG.debug("{}: {}", this, unusable.toString());
      later(() -> refuse(RefusalReason.UNKNOWN_HOST, target.host()));
    }
  }

  /** The addresses that may be connected to; empty when the name is unknown. */
  private Optional<InetAddress[]> usable(String host, AddressRule rule) {
    try {
      InetAddress[] resolved = InetAddress.getAllByName(host);
      int allowed = 0;
      for (InetAddress address : resolved) {
        if (rule.allows(address)) {
          resolved[allowed++] = address;
        }
      }
      return Optional.of(Arrays.copyOf(resolved, allowed));
    } catch (UnknownHostException unknown) {
      LOG.debug("{}: {}", this, unknown.toString());
      return Optional.empty();
    }
  }

  // From here on: on the loop.

  private void resolved(InetAddress[] usable) {
    if (usable.length == 0) {
      LOG.warn("{}: refused, its name stands for an address that is not permitted", target);
      refuse(
          RefusalReason.TARGET_NOT_PERMITTED,
          "rmigate: " + target + " is not permitted by the gateway's policy");
      return;
    }
    lock.lock();
    try {
      if (state != State.RESOLVING) {
        return;
      }
      addresses = usable;
      nextAddress = 0;
    } finally {
      lock.unlock();
    }
    connectNext(null);
  }

  /** Tries the next address; refuses with the last failure when there is none left. */
  private void connectNext(IOException lastFailure) {
    IOException failure = lastFailure;
    while (true) {
      lock.lock();
      try {
        if (state == State.CLOSED) {
          return;
        }
        closeChannel();
        if (nextAddress < addresses.length) {
          state = State.CONNECTING;
          openChannel(addresses[nextAddress++]);
          return;
        }
      } catch (IOException failed) {
        failure = failed;
        continue;
      } catch (RuntimeException unusable) { // an address family that this machine has not
        failure = new IOException(unusable);
        continue;
      } finally {
        lock.unlock();
      }
      refuseConnect(failure);
      return;
    }
  }

  private void openChannel(InetAddress address) throws IOException {
    channel = SocketChannel.open();
    channel.configureBlocking(false);
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
    boolean connected = channel.connect(new InetSocketAddress(address, target.port()));
    key = channel.register(loop.selector(), connected ? 0 : SelectionKey.OP_CONNECT, this);
    setDeadline(target.connectTimeout());
    if (connected) {
      onConnected();
      later(this::writeQueued);
    }
  }

  private void refuseConnect(IOException failure) {
    if (failure instanceof ConnectException && !String.valueOf(failure).contains("timed out")) {
      refuse(RefusalReason.CONNECTION_REFUSED, "Connection refused");
    } else {
      refuse(RefusalReason.CONNECT_FAILED, String.valueOf(failure.getMessage()));
    }
  }

  private void refuse(RefusalReason reason, String text) {
    lock.lock();
    try {
      if (state == State.CLOSED) {
        return;
      }
      endHere();
    } finally {
      lock.unlock();
    }
    LOG.debug("{}: refused: {} {}", this, reason, text);
    listener.onRefused(reason, text);
  }

  /** Header first; a SingleOp request follows at once, any other after the server's ack. */
  private void onConnected() throws IOException {
    assert lock.isHeldByCurrentThread();
    boolean single = protocol == Protocol.SINGLE_OP;
    ByteBuffer header = ByteBuffer.wrap(single ? SINGLE_OP_HEADER : STREAM_HEADER);
    if (channel.write(header) != STREAM_HEADER.length) {
      throw new IOException("a fresh connection takes no bytes");
    }
    ackBytes = 0;
    key.interestOps(SelectionKey.OP_READ);
    state = single ? State.READY : State.HANDSHAKING;
    if (!single) {
      setDeadline(target.handshakeTimeout());
    }
  }

  void onReady(SelectionKey ready) {
    if (ready.isConnectable()) {
      finishConnect();
    }
    if (ready.isValid() && ready.isWritable()) {
      writeQueued();
    }
    if (ready.isValid() && ready.isReadable()) {
      read();
    }
  }

  private void finishConnect() {
    IOException failed = null;
    lock.lock();
    try {
      if (state != State.CONNECTING) {
        return;
      }
      channel.finishConnect();
      onConnected();
    } catch (IOException failure) {
      failed = failure;
    } finally {
      lock.unlock();
    }
    if (failed != null) {
      connectNext(failed);
    } else {
      writeQueued();
    }
  }

  private void writeQueued() {
    int written = 0;
    boolean broken = false;
    lock.lock();
    try {
      if (state != State.READY) {
        return;
      }
      while (!queue.isEmpty()) {
        ByteBuffer head = queue.peek();
        written += channel.write(head);
        if (head.hasRemaining()) {
          key.interestOpsOr(SelectionKey.OP_WRITE);
          break;
        }
        queue.remove();
      }
      if (queue.isEmpty()) {
        key.interestOpsAnd(~SelectionKey.OP_WRITE);
      }
      lastUseNanos = System.nanoTime();
    } catch (IOException failed) {
      LOG.debug("{}: write failed: {}", this, failed.toString());
      endHere();
      broken = true;
    } finally {
      lock.unlock();
    }
    if (written > 0) {
      listener.onWritten(written);
    }
    if (broken) {
      listener.onServerClosed();
    }
  }

  private void read() {
    lastCrowd = loop.crowd().seen(lastCrowd);
    ByteBuffer buffer = loop.readBuffer();
    State before;
    int count;
    int wanted = listener.wanted(); // outside the lock: the owner has one of its own
    lock.lock();
    try {
      before = state;
      if (key == null || !key.isValid() || state == State.CLOSED) {
        return;
      }
      if (state == State.READY) {
        if (wanted == 0) {
          key.interestOpsAnd(~SelectionKey.OP_READ);
          return;
        }
        buffer.limit(Math.min(buffer.capacity(), wanted));
      }
      count = channel.read(buffer);
      lastUseNanos = System.nanoTime();
    } catch (IOException reset) {
      LOG.debug("{}: read failed: {}", this, reset.toString());
      count = -1;
      before = state;
    } finally {
      lock.unlock();
    }
    if (count < 0) {
      ended(before);
      return;
    }
    buffer.flip();
    switch (before) {
      case HANDSHAKING -> handshake(buffer);
      case PINGING -> pingAnswered(buffer);
      default -> listener.onBytes(buffer);
    }
  }

  private void handshake(ByteBuffer bytes) {
    int count = Math.min(bytes.remaining(), ack.length - ackBytes);
    bytes.get(ack, ackBytes, count);
    ackBytes += count;
    int whole =
        ackBytes < 3
            ? ACK_FIXED_BYTES
            : ACK_FIXED_BYTES + (((ack[1] & 0xFF) << 8) | (ack[2] & 0xFF));
    if (ack[0] != Jrmp.PROTOCOL_ACK
        || whole > ack.length
        || ackBytes > whole
        || bytes.hasRemaining()) {
      refuse(RefusalReason.NOT_JRMP, "the peer did not answer the JRMP header with an ack");
    } else if (ackBytes == whole) {
      handshakeDone();
    }
  }

  private void handshakeDone() {
    lock.lock();
    try {
      if (state != State.HANDSHAKING) {
        return;
      }
      state = State.READY;
      connectNanos = System.nanoTime() - attemptNanos;
      if (channel.write(ByteBuffer.wrap(ENDPOINT)) != ENDPOINT.length) {
        throw new IOException("a fresh connection takes no bytes");
      }
    } catch (IOException broken) {
      closeChannel();
      state = State.HANDSHAKING; // nothing was delivered
    } finally {
      lock.unlock();
    }
    if (state() == State.READY) {
      listener.onConnected();
      writeQueued();
    } else {
      refuse(RefusalReason.CONNECT_FAILED, "connection lost in the JRMP handshake");
    }
  }

  private void pingAnswered(ByteBuffer bytes) {
    if (bytes.remaining() != 1 || bytes.get() != Jrmp.PING_ACK) {
      LOG.debug("{}: expected a PingAck, connecting again", this);
      connectAgain();
      return;
    }
    lock.lock();
    try {
      if (state == State.PINGING) {
        state = State.READY;
      }
    } finally {
      lock.unlock();
    }
    writeQueued();
  }

  /** Nothing of the waiting request has been written: it may go over another connection. */
  private void connectAgain() {
    lock.lock();
    try {
      if (state == State.CLOSED) {
        return;
      }
      closeChannel();
      beginResolving();
    } finally {
      lock.unlock();
    }
  }

  private void ended(State before) {
    switch (before) {
      case HANDSHAKING -> refuse(RefusalReason.NOT_JRMP, "the peer closed on the JRMP header");
      case PINGING -> connectAgain();
      case CONNECTING -> connectNext(new IOException("connection lost"));
      default -> {
        lock.lock();
        try {
          if (state == State.CLOSED) {
            return;
          }
          endHere();
        } finally {
          lock.unlock();
        }
        listener.onServerClosed();
      }
    }
  }

  /** Whether this connection still waits for something that must not take for ever. */
  @Override
  public boolean checkDeadline(long now) {
    State late;
    lock.lock();
    try {
      boolean waits =
          state == State.CONNECTING || state == State.HANDSHAKING || state == State.PINGING;
      if (!waits || deadlineNanos - now > 0) {
        return waits;
      }
      late = state;
    } finally {
      lock.unlock();
    }
    switch (late) {
      case CONNECTING -> connectNext(new IOException("connect timed out"));
      case PINGING -> connectAgain();
      default -> refuse(RefusalReason.CONNECT_FAILED, "no JRMP handshake in time");
    }
    return true;
  }

  private void setDeadline(Duration timeout) {
    deadlineNanos = System.nanoTime() + timeout.toNanos();
    if (loop.inLoop()) {
      loop.watch(this);
    } else {
      loop.execute(() -> loop.watch(this));
    }
  }

  private void closeChannel() {
    if (channel != null) {
      try {
        channel.close();
      } catch (IOException harmless) {
        LOG.trace("{}: close", this, harmless);
      }
      channel = null;
      key = null;
      loop.selector().wakeup(); // the descriptor is freed when the key is deregistered
    }
  }

  /** Our own idea of our address; servers read and ignore it. */
  private static byte[] endpoint() {
    byte[] host = "0.0.0.0".getBytes(StandardCharsets.US_ASCII);
    ByteBuffer bytes = ByteBuffer.allocate(2 + host.length + 4);
    bytes.putShort((short) host.length).put(host).putInt(0);
    return bytes.array();
  }

  private static byte[] header(int protocol) {
    ByteBuffer bytes = ByteBuffer.allocate(7);
    bytes.putInt(Jrmp.MAGIC).putShort((short) Jrmp.VERSION).put((byte) protocol);
    return bytes.array();
  }

  @Override
  public String toString() {
    return target + (protocol == Protocol.SINGLE_OP ? " (SingleOp)" : "");
  }
}
