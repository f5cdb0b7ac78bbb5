package io.rmigate.gateway.relay;

import io.rmigate.gateway.relay.address.Target;
import io.rmigate.protocol.jrmp.Jrmp;
import io.rmigate.protocol.tunnel.RefusalReason;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One real connection to a server, made when the first request comes.
 *
 * <pre>
 *          send              resolved             connected             ProtocolAck
 *   IDLE ────────► RESOLVING ────────► CONNECTING ─────────► HANDSHAKING ───────────► READY
 *                      ▲                                             idle, send: Ping │  ▲ PingAck
 *                      └───────────────── ping failed ─────────────────── PINGING ◄───┘──┘
 *   CLOSED from anywhere: refused, ended by the server, broken, or by {@link #close}
 * </pre>
 *
 * CLOSED is the end: the next request needs another connection. So a late event of an ending can
 * never be taken for the end of a later request.
 *
 * <p>A SingleOp connection has no handshake: READY once connected, one message, closed by the
 * server. Nor has a raw one. Requests that cannot be parsed go over a SingleOp connection. Such a
 * connection never goes to an unproven address: {@link #pin} gives the address where another
 * connection has completed a handshake (THREATS T23).
 *
 * <p>Lock: {@code lock} guards the state, the queue and the channel's writes; listeners are called
 * outside it. A request that finds the connection READY is written by the thread that sends it;
 * everything else happens on the loop.
 */
public final class ServerConnection implements SelectorListener, DeadlineCheck {

  /** How the server is spoken to (RMI specification, 10.2). */
  public enum Protocol {
    /** Handshake, then any number of messages. */
    STREAM,
    /** One message, nothing else is ever executed; the server closes after its Return. */
    SINGLE_OP,
    /** Not JRMP: bytes of a raw stream, without any of ours. */
    RAW
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

  /** A state with what exists in that state only. */
  private sealed interface Phase permits Idle, Attempting, Ready, Finishing, Pinging, Closed {

    State state();

    /** The channel that the server's bytes come by; null when there is none. */
    default ServerChannel channel() {
      return null;
    }
  }

  private record Idle() implements Phase {
    @Override
    public State state() {
      return State.IDLE;
    }
  }

  private record Attempting(ConnectionAttempt attempt) implements Phase {
    @Override
    public State state() {
      return attempt.state();
    }

    @Override
    public ServerChannel channel() {
      return attempt.handshaking();
    }
  }

  private record Ready(ServerChannel channel) implements Phase {
    @Override
    public State state() {
      return State.READY;
    }
  }

  /** The connection ends when the queue is written; see {@link #finish}. */
  private record Finishing(ServerChannel channel) implements Phase {
    @Override
    public State state() {
      return State.READY;
    }
  }

  private record Pinging(ServerChannel channel) implements Phase {
    @Override
    public State state() {
      return State.PINGING;
    }
  }

  private record Closed() implements Phase {
    @Override
    public State state() {
      return State.CLOSED;
    }
  }

  private static final Logger LOG = LoggerFactory.getLogger(ServerConnection.class);

  private final RelayLoop loop;
  private final Relay relay;
  private final Object sharer;
  private final Optional<InetAddress> caller;
  private final Target target;
  private final Protocol protocol;
  private final Duration pingAfterIdle;
  private final ConnectionListener listener;

  private final ReentrantLock lock = new ReentrantLock();
  private Phase phase = new Idle();
  private final WriteQueue queue = new WriteQueue();

  /** The only address to connect to; null when the name is resolved. */
  private InetSocketAddress pinned;

  private long deadlineNanos;
  private long lastUseNanos;
  private long attemptNanos;

  /** See {@link #peer}. Written on the loop. */
  private volatile InetSocketAddress peer;

  /** See {@link #connectNanos}. Written on the loop. */
  private volatile long connectNanos;

  /**
   * The window of the loop's crowd in which this connection was read last. Confined to the loop.
   */
  private long lastCrowd;

  /**
   * A connection for the gateway's own calls; nothing is opened yet.
   *
   * @param sharer whose share of name lookups the connection takes
   */
  public ServerConnection(
      Relay relay,
      RelayLoop loop,
      Target target,
      Protocol protocol,
      Object sharer,
      ConnectionListener listener) {
    this(relay, loop, target, protocol, sharer, Optional.empty(), listener);
  }

  /**
   * A connection for a stream; nothing is opened yet.
   *
   * @param sharer whose share of name lookups the connection takes
   * @param caller address of the agent, for the case that the server is a listener of this gateway
   */
  public ServerConnection(
      Relay relay,
      RelayLoop loop,
      Target target,
      Protocol protocol,
      Object sharer,
      Optional<InetAddress> caller,
      ConnectionListener listener) {
    this.loop = loop;
    this.relay = relay;
    this.sharer = sharer;
    this.caller = caller;
    this.target = target;
    this.protocol = protocol;
    this.pingAfterIdle = relay.settings().pingAfterIdle();
    this.listener = listener;
  }

  /**
   * From here on the connection goes to that address and nowhere else; the name is not asked for.
   * Before anything is sent.
   *
   * @param proven the {@link #peer} of a connection to the same target that heard {@link
   *     ConnectionListener#onConnected}
   */
  public void pin(InetSocketAddress proven) {
    if (proven.getPort() != target.port()) {
      throw new IllegalArgumentException(proven + " is not where " + target + " is");
    }
    lock.lock();
    try {
      pinned = proven;
    } finally {
      lock.unlock();
    }
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
      if (phase instanceof Closed) {
        return false;
      }
      if (phase instanceof Ready ready && startsRequest && queue.isEmpty() && idleTooLong()) {
        beginPing(ready.channel());
      }
      if (phase instanceof Ready ready) {
        written = writeNow(bytes, ready.channel());
        if (written < 0) {
          return false;
        }
        lastUseNanos = System.nanoTime();
      } else if (bytes.length > 0) {
        queue.add(ByteBuffer.wrap(bytes));
      }
      if (phase instanceof Idle) {
        beginAttempt();
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
   * Completes a handshake with the server without sending a request.
   *
   * @return false when the connection has ended
   */
  public boolean connect() {
    return send(new byte[0], false);
  }

  /**
   * Whether the beginning of a request would be written now, as far as the operating system takes
   * it, and nothing stands before it. From any thread.
   */
  public boolean writesAtOnce() {
    lock.lock();
    try {
      return phase instanceof Ready && queue.isEmpty() && !idleTooLong();
    } finally {
      lock.unlock();
    }
  }

  /** Reads on after {@link ConnectionListener#wanted} was 0. From any thread. */
  public void resume() {
    later(
        () -> {
          lock.lock();
          try {
            ServerChannel channel = phase.channel();
            if (channel != null && channel.isValid()) {
              channel.resumeReading();
            }
          } finally {
            lock.unlock();
          }
        });
  }

  /** Ends the connection; the listener hears nothing more. Idempotent, from any thread. */
  @Override
  public void close() {
    lock.lock();
    try {
      endHere();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Ends the connection, like {@link #close}, if it is still being made or proven alive: then
   * nothing has been written of what it was given last.
   *
   * @return whether it was
   */
  public boolean closeIfNotReady() {
    lock.lock();
    try {
      boolean notReady = phase instanceof Attempting || phase instanceof Pinging;
      if (notReady) {
        endHere();
      }
      return notReady;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Ends the connection when what was sent has been written, or the server has taken nothing of it
   * for as long as a handshake may take, which the listener hears of as if the server had ended it.
   * Nothing may be sent afterwards. Idempotent, from any thread.
   */
  public void finish() {
    lock.lock();
    try {
      ServerChannel channel = writable();
      if (channel != null && !queue.isEmpty()) {
        phase = new Finishing(channel);
        setDeadline(target.handshakeTimeout());
      } else {
        endHere();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Ends the connection after an unexpected failure, and tells the listener. */
  @Override
  public void breakDown() {
    close();
    listener.onBroken();
  }

  /** Runs a step on the loop, soon. */
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

  /** The address last tried: during {@link ConnectionListener#onConnected} the one connected to. */
  public InetSocketAddress peer() {
    return peer;
  }

  /** The duration of the latest connect, from the request to the end of the handshake. */
  public long connectNanos() {
    return connectNanos;
  }

  /** The state for the admin view. */
  public State state() {
    lock.lock();
    try {
      return phase.state();
    } finally {
      lock.unlock();
    }
  }

  /** The channel of READY; null in other states. Under the lock. */
  private ServerChannel writable() {
    return phase instanceof Ready || phase instanceof Finishing ? phase.channel() : null;
  }

  private boolean idleTooLong() {
    return protocol == Protocol.STREAM
        && System.nanoTime() - lastUseNanos > pingAfterIdle.toNanos();
  }

  /**
   * Writes to the server; −1 when the connection has ended. A write that fails has delivered
   * nothing; the listener hears of the end later.
   */
  private int writeNow(byte[] bytes, ServerChannel channel) {
    try {
      return queue.write(ByteBuffer.wrap(bytes), channel.socket(), channel.key());
    } catch (IOException broken) {
      LOG.debug("{}: write failed: {}", this, broken.toString());
      endHere();
      later(listener::onServerClosed);
      return -1;
    }
  }

  /** Every connection ends here, and is never opened again. */
  private void endHere() {
    closeChannel();
    queue.clear();
    phase = new Closed();
  }

  /** Ends the connection; false when it has ended already. */
  private boolean endIfOpen() {
    lock.lock();
    try {
      boolean isOpen = !(phase instanceof Closed);
      if (isOpen) {
        endHere();
      }
      return isOpen;
    } finally {
      lock.unlock();
    }
  }

  private void beginPing(ServerChannel channel) {
    phase = new Pinging(channel);
    setDeadline(target.handshakeTimeout());
    try {
      ByteBuffer ping = ByteBuffer.wrap(new byte[] {Jrmp.PING});
      if (channel.socket().write(ping) == 1) {
        return;
      }
    } catch (IOException broken) {
      LOG.debug("{}: ping failed: {}", this, broken.toString());
    }
    closeChannel();
    phase = new Idle();
  }

  private void beginAttempt() {
    if (pinned == null && protocol == Protocol.SINGLE_OP) {
      throw new IllegalStateException(this + ": to an address that has proven nothing");
    }
    attemptNanos = System.nanoTime();
    ConnectionAttempt attempt =
        new ConnectionAttempt(relay, loop, target, protocol, caller, lock, new AttemptOwner());
    phase = new Attempting(attempt);
    attempt.begin(pinned, sharer);
  }

  private final class AttemptOwner implements ConnectionAttempt.Owner {
    @Override
    public SelectorListener selected() {
      return ServerConnection.this;
    }

    @Override
    public void onTry(InetSocketAddress address) {
      peer = address;
    }

    @Override
    public void toReady(ServerChannel channel) {
      phase = new Ready(channel);
      connectNanos = System.nanoTime() - attemptNanos;
    }

    @Override
    public void onMade() {
      if (protocol != Protocol.SINGLE_OP && state() == State.READY) {
        listener.onConnected();
      }
      writeQueued();
    }

    @Override
    public void refuse(RefusalReason reason, String text) {
      ServerConnection.this.refuse(reason, text);
    }

    @Override
    public void setDeadline(Duration timeout) {
      ServerConnection.this.setDeadline(timeout);
    }

    @Override
    public void later(Runnable step) {
      ServerConnection.this.later(step);
    }
  }

  // From here on: on the loop.

  private void refuse(RefusalReason reason, String text) {
    if (endIfOpen()) {
      LOG.debug("{}: refused: {} {}", this, reason, text);
      listener.onRefused(reason, text);
    }
  }

  @Override
  public void onReady(SelectionKey ready) {
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
    ConnectionAttempt attempt;
    lock.lock();
    try {
      attempt = phase instanceof Attempting attempting ? attempting.attempt() : null;
    } finally {
      lock.unlock();
    }
    if (attempt != null) {
      attempt.finishConnect();
    }
  }

  private void writeQueued() {
    int written = 0;
    boolean broken = false;
    lock.lock();
    try {
      ServerChannel channel = writable();
      if (channel == null) {
        return;
      }
      written = queue.writeWaiting(channel.socket(), channel.key());
      boolean finishing = phase instanceof Finishing;
      if (finishing && queue.isEmpty()) {
        endHere();
      } else if (finishing && written > 0) {
        setDeadline(target.handshakeTimeout());
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
    Phase before;
    int count;
    int wanted = listener.wanted(); // outside the lock: the owner has one of its own
    lock.lock();
    try {
      before = phase;
      ServerChannel channel = before.channel();
      if (channel == null || !channel.isValid()) {
        return;
      }
      if (writable() != null) {
        if (wanted == 0) {
          channel.pauseReading();
          return;
        }
        buffer.limit(Math.min(buffer.capacity(), wanted));
      }
      count = channel.socket().read(buffer);
      lastUseNanos = System.nanoTime();
    } catch (IOException reset) {
      LOG.debug("{}: read failed: {}", this, reset.toString());
      count = -1;
      before = phase;
    } finally {
      lock.unlock();
    }
    if (count < 0) {
      ended(before);
      return;
    }
    buffer.flip();
    if (before instanceof Attempting attempting) {
      attempting.attempt().onBytes(buffer);
    } else if (before instanceof Pinging pinging) {
      pingAnswered(buffer, pinging);
    } else {
      listener.onBytes(buffer);
    }
  }

  private void pingAnswered(ByteBuffer bytes, Pinging pinging) {
    if (bytes.remaining() != 1 || bytes.get() != Jrmp.PING_ACK) {
      LOG.debug("{}: expected a PingAck, connecting again", this);
      connectAgain();
      return;
    }
    lock.lock();
    try {
      if (phase == pinging) {
        phase = new Ready(pinging.channel());
      }
    } finally {
      lock.unlock();
    }
    writeQueued();
  }

  /** Connects again for the waiting request, of which no byte has been written. */
  private void connectAgain() {
    lock.lock();
    try {
      if (phase instanceof Closed) {
        return;
      }
      closeChannel();
      beginAttempt();
    } finally {
      lock.unlock();
    }
  }

  private void ended(Phase before) {
    if (before instanceof Attempting attempting) {
      attempting.attempt().onEnded();
    } else if (before instanceof Pinging) {
      connectAgain();
    } else if (endIfOpen()) {
      listener.onServerClosed();
    }
  }

  /** Whether this connection still waits for something that must not take for ever. */
  @Override
  public boolean checkDeadline(long now) {
    Phase late;
    State lateState;
    lock.lock();
    try {
      late = phase;
      lateState = late.state();
      boolean waits =
          lateState == State.CONNECTING
              || lateState == State.HANDSHAKING
              || late instanceof Pinging
              || late instanceof Finishing;
      if (!waits || deadlineNanos - now > 0) {
        return waits;
      }
    } finally {
      lock.unlock();
    }
    if (late instanceof Attempting attempting) {
      attempting.attempt().onLate(lateState);
    } else if (late instanceof Pinging) {
      connectAgain();
    } else {
      close();
      listener.onServerClosed(); // it takes no more bytes
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
    if (phase instanceof Attempting attempting) {
      attempting.attempt().close();
    } else if (phase.channel() != null) {
      phase.channel().close();
    }
  }

  @Override
  public String toString() {
    return switch (protocol) {
      case STREAM -> target.toString();
      case SINGLE_OP -> target + " (SingleOp)";
      case RAW -> target + " (raw)";
    };
  }
}
