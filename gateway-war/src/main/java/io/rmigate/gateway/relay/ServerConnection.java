package io.rmigate.gateway.relay;

import io.rmigate.gateway.log.RareLines;
import io.rmigate.gateway.relay.address.LocalAddresses;
import io.rmigate.gateway.relay.address.NameLookups;
import io.rmigate.gateway.relay.address.NameService;
import io.rmigate.gateway.relay.address.OwnListeners;
import io.rmigate.gateway.relay.address.Target;
import io.rmigate.gateway.relay.address.TargetAddresses;
import io.rmigate.protocol.jrmp.Jrmp;
import io.rmigate.protocol.tunnel.RefusalReason;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
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
public final class ServerConnection implements Selected, Watched {

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

  private static final Logger LOG = LoggerFactory.getLogger(ServerConnection.class);

  private final RelayLoop loop;
  private final NameLookups lookups;
  private final RareLines lines;
  private final LocalAddresses localAddresses;
  private final Object sharer;
  private final OwnListeners ownListeners;
  private final NameService names;
  private final Optional<InetAddress> caller;
  private final Target target;
  private final Protocol protocol;
  private final Duration pingAfterIdle;
  private final ConnectionListener listener;

  private final ReentrantLock lock = new ReentrantLock();
  private State state = State.IDLE;
  private final WriteQueue queue = new WriteQueue();
  private SocketChannel channel;
  private SelectionKey key;

  /** The source address of a connection to a listener of this gateway; else null. */
  private InetSocketAddress ownSource;

  /** The only address to connect to; null when the name is resolved. */
  private InetSocketAddress pinned;

  private List<InetAddress> addresses = List.of();
  private int nextAddress;
  private long deadlineNanos;
  private long lastUseNanos;
  private long attemptNanos;

  /** Whether {@link #finish} was called. */
  private boolean finishing;

  /** See {@link #peer}. Written on the loop. */
  private volatile InetSocketAddress peer;

  /** See {@link #connectNanos}. Written on the loop. */
  private volatile long connectNanos;

  /** Handshake bytes from the server so far. Confined to the loop. */
  private Preamble.Ack ack;

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
    this.lookups = relay.lookups();
    this.sharer = sharer;
    this.ownListeners = relay.ownListeners();
    this.names = relay.names();
    this.lines = relay.lines();
    this.localAddresses = relay.localAddresses();
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
      if (state == State.CLOSED) {
        return false;
      }
      if (state == State.READY && startsRequest && queue.isEmpty() && idleTooLong()) {
        beginPing();
      }
      if (state == State.READY) {
        written = writeNow(bytes);
        if (state == State.CLOSED) {
          return false;
        }
        lastUseNanos = System.nanoTime();
      } else if (bytes.length > 0) {
        queue.add(ByteBuffer.wrap(bytes));
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
      return state == State.READY && queue.isEmpty() && !idleTooLong();
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
            if (key != null && key.isValid() && state != State.CONNECTING) {
              key.interestOpsOr(SelectionKey.OP_READ);
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
      boolean notReady =
          state == State.RESOLVING
              || state == State.CONNECTING
              || state == State.HANDSHAKING
              || state == State.PINGING;
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
      if (state == State.READY && !queue.isEmpty()) {
        finishing = true;
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

  /** The address last tried: during {@link ConnectionListener#onConnected} the one connected to. */
  public InetSocketAddress peer() {
    return peer;
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

  /** A write that fails has delivered nothing; the listener hears of the end later. */
  private int writeNow(byte[] bytes) {
    try {
      return queue.write(ByteBuffer.wrap(bytes), channel, key);
    } catch (IOException broken) {
      LOG.debug("{}: write failed: {}", this, broken.toString());
      endHere();
      later(listener::onServerClosed);
      return 0;
    }
  }

  /** Every connection ends here, and is never opened again. */
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
    if (pinned == null && protocol == Protocol.SINGLE_OP) {
      throw new IllegalStateException(this + ": to an address that has proven nothing");
    }
    attemptNanos = System.nanoTime();
    state = State.RESOLVING;
    if (pinned != null) {
      List<InetAddress> only = List.of(pinned.getAddress());
      later(() -> resolved(only));
      return;
    }
    try {
      lookups.execute(sharer, this::resolve);
    } catch (RejectedExecutionException overloaded) {
      later(() -> refuse(RefusalReason.CONNECT_FAILED, overloaded.getMessage()));
    }
  }

  private void resolve() {
    if (state() == State.CLOSED) {
      return; // while it waited: others' names are looked up instead
    }
    Optional<List<InetAddress>> usable =
        TargetAddresses.of(target, ownListeners, names, localAddresses);
    later(
        () -> {
          if (usable.isEmpty()) {
            refuse(RefusalReason.UNKNOWN_HOST, target.host());
          } else {
            resolved(usable.get());
          }
        });
  }

  // From here on: on the loop.

  private void resolved(List<InetAddress> usable) {
    if (usable.isEmpty()) {
      if (lines.mayWrite(target.toString())) {
        LOG.warn("{}: refused, its name stands for an address that is not permitted", target);
      }
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
        if (nextAddress < addresses.size()) {
          state = State.CONNECTING;
          openChannel(addresses.get(nextAddress++));
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
    peer = new InetSocketAddress(address, target.port());
    channel = SocketChannel.open();
    channel.configureBlocking(false);
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
    if (ownListeners.isOne(address, target.port())) {
      channel.bind(new InetSocketAddress(address, 0));
      ownSource = (InetSocketAddress) channel.getLocalAddress();
      ownListeners.expect(ownSource, caller);
    }
    boolean connected = channel.connect(peer);
    key = channel.register(loop.selector(), connected ? 0 : SelectionKey.OP_CONNECT, this);
    setDeadline(target.connectTimeout());
    if (connected) {
      onConnected();
      later(this::begin);
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
    if (protocol != Protocol.RAW) {
      boolean single = protocol == Protocol.SINGLE_OP;
      ByteBuffer header = single ? Preamble.singleOpHeader() : Preamble.streamHeader();
      channel.write(header);
      if (header.hasRemaining()) {
        throw new IOException("a fresh connection takes no bytes");
      }
    }
    ack = new Preamble.Ack();
    key.interestOps(SelectionKey.OP_READ);
    if (protocol == Protocol.STREAM) {
      state = State.HANDSHAKING;
      setDeadline(target.handshakeTimeout());
    } else {
      state = State.READY;
      connectNanos = System.nanoTime() - attemptNanos;
    }
  }

  /** There is a connection: a handshake may be under way, otherwise what waits is written. */
  private void begin() {
    if (protocol == Protocol.RAW && state() == State.READY) {
      listener.onConnected();
    }
    writeQueued();
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
      begin();
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
      written = queue.writeWaiting(channel, key);
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
    switch (ack.add(bytes)) {
      case INCOMPLETE -> {}
      case COMPLETE -> handshakeDone();
      case WRONG ->
          refuse(RefusalReason.NOT_JRMP, "the peer did not answer the JRMP header with an ack");
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
      ByteBuffer endpoint = Preamble.endpoint();
      channel.write(endpoint);
      if (endpoint.hasRemaining()) {
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
          state == State.CONNECTING
              || state == State.HANDSHAKING
              || state == State.PINGING
              || (state == State.READY && finishing);
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
      case READY -> {
        close();
        listener.onServerClosed(); // or as good as
      }
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
    if (ownSource != null) {
      ownListeners.forget(ownSource);
      ownSource = null;
    }
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

  @Override
  public String toString() {
    return switch (protocol) {
      case STREAM -> target.toString();
      case SINGLE_OP -> target + " (SingleOp)";
      case RAW -> target + " (raw)";
    };
  }
}
