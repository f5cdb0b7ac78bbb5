package io.rmigate.gateway.relay;

import io.rmigate.gateway.relay.address.Target;
import io.rmigate.gateway.relay.address.TargetAddresses;
import io.rmigate.protocol.tunnel.RefusalReason;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One attempt of a {@link ServerConnection} to reach its server: resolves the name, connects to one
 * address after the other, and completes the handshake.
 *
 * <p>{@code lock} is the lock of the connection and guards the step; name lookups and calls of
 * {@link Owner} without "under the lock" happen outside it. All but {@link #begin} and {@link
 * #close} runs on the loop.
 */
final class ConnectionAttempt {
  private static final Logger LOG = LoggerFactory.getLogger(ServerConnection.class);

  /** The steps in their order; a step that fails leads to OVER. */
  private enum Step {
    RESOLVING,
    CONNECTING,
    HANDSHAKING,
    /** Made, refused or closed. */
    OVER
  }

  /** The connection that makes the attempt. */
  interface Owner {

    /** Hears of the events of channels. */
    SelectorListener selected();

    /** A connect to an address begins. Under the lock. */
    void onTry(InetSocketAddress address);

    /** The connection is made, and the channel is the owner's. Under the lock. */
    void toReady(ServerChannel channel);

    /** The connection was made a moment ago. */
    void onMade();

    /** The attempt has failed. */
    void refuse(RefusalReason reason, String text);

    /** Calls {@link #onLate} when the current step takes longer. Under the lock. */
    void setDeadline(Duration timeout);

    /** Does a step on the loop, soon. */
    void later(Runnable step);
  }

  private final Relay relay;
  private final RelayLoop loop;
  private final Target target;
  private final ServerConnection.Protocol protocol;
  private final Optional<InetAddress> caller;
  private final ReentrantLock lock;
  private final Owner owner;

  private Step step = Step.RESOLVING;

  /** The addresses that have not been tried. Set when the name is resolved. */
  private Iterator<InetAddress> addresses;

  /** Null but in CONNECTING and HANDSHAKING. */
  private ServerChannel channel;

  /** The handshake bytes of the server so far; null before HANDSHAKING. Confined to the loop. */
  private Preamble.Ack ack;

  /**
   * @param caller address of the agent, for the case that the server is a listener of this gateway
   */
  ConnectionAttempt(
      Relay relay,
      RelayLoop loop,
      Target target,
      ServerConnection.Protocol protocol,
      Optional<InetAddress> caller,
      ReentrantLock lock,
      Owner owner) {
    this.relay = relay;
    this.loop = loop;
    this.target = target;
    this.protocol = protocol;
    this.caller = caller;
    this.lock = lock;
    this.owner = owner;
  }

  /**
   * Begins. Under the lock.
   *
   * @param pinned the only address to try; null: the name is resolved
   * @param sharer whose share of name lookups the attempt takes
   */
  void begin(InetSocketAddress pinned, Object sharer) {
    if (pinned != null) {
      List<InetAddress> only = List.of(pinned.getAddress());
      owner.later(() -> resolved(only));
      return;
    }
    try {
      relay.lookups().execute(sharer, this::resolve);
    } catch (RejectedExecutionException overloaded) {
      owner.later(() -> owner.refuse(RefusalReason.CONNECT_FAILED, overloaded.getMessage()));
    }
  }

  /** On a thread of the name lookups. */
  private void resolve() {
    if (isOver()) {
      return; // closed while it waited
    }
    Optional<List<InetAddress>> usable =
        TargetAddresses.of(target, relay.ownListeners(), relay.names(), relay.localAddresses());
    owner.later(
        () -> {
          if (usable.isEmpty()) {
            owner.refuse(RefusalReason.UNKNOWN_HOST, target.host());
          } else {
            resolved(usable.get());
          }
        });
  }

  private boolean isOver() {
    lock.lock();
    try {
      return step == Step.OVER;
    } finally {
      lock.unlock();
    }
  }

  private void resolved(List<InetAddress> usable) {
    if (usable.isEmpty()) {
      if (relay.lines().mayWrite(target.toString())) {
        LOG.warn("{}: refused, its name stands for an address that is not permitted", target);
      }
      owner.refuse(
          RefusalReason.TARGET_NOT_PERMITTED,
          "rmigate: " + target + " is not permitted by the gateway's policy");
      return;
    }
    lock.lock();
    try {
      if (step != Step.RESOLVING) {
        return;
      }
      addresses = usable.iterator();
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
        if (step == Step.OVER) {
          return;
        }
        closeChannel();
        if (addresses.hasNext()) {
          step = Step.CONNECTING;
          connect(addresses.next());
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

  private void connect(InetAddress address) throws IOException {
    InetSocketAddress peer = new InetSocketAddress(address, target.port());
    owner.onTry(peer);
    channel = ServerChannel.open(loop, relay.ownListeners(), caller, peer, owner.selected());
    owner.setDeadline(target.connectTimeout());
    if (channel.isConnected()) {
      onConnected();
      if (step == Step.OVER) {
        owner.later(owner::onMade);
      }
    }
  }

  private void refuseConnect(IOException failure) {
    if (failure instanceof ConnectException && !String.valueOf(failure).contains("timed out")) {
      owner.refuse(RefusalReason.CONNECTION_REFUSED, "Connection refused");
    } else {
      owner.refuse(RefusalReason.CONNECT_FAILED, String.valueOf(failure.getMessage()));
    }
  }

  /** Header first; a SingleOp request follows at once, any other after the server's ack. */
  private void onConnected() throws IOException {
    assert lock.isHeldByCurrentThread();
    if (protocol != ServerConnection.Protocol.RAW) {
      boolean single = protocol == ServerConnection.Protocol.SINGLE_OP;
      channel.writeFirst(single ? Preamble.singleOpHeader() : Preamble.streamHeader());
    }
    channel.readOnly();
    if (protocol == ServerConnection.Protocol.STREAM) {
      step = Step.HANDSHAKING;
      ack = new Preamble.Ack();
      owner.setDeadline(target.handshakeTimeout());
    } else {
      toReady();
    }
  }

  private void toReady() {
    ServerChannel made = channel;
    channel = null;
    step = Step.OVER;
    owner.toReady(made);
  }

  /** The channel can be connected. */
  void finishConnect() {
    IOException failed = null;
    boolean made = false;
    lock.lock();
    try {
      if (step != Step.CONNECTING) {
        return;
      }
      channel.finishConnect();
      onConnected();
      made = step == Step.OVER;
    } catch (IOException failure) {
      failed = failure;
    } finally {
      lock.unlock();
    }
    if (failed != null) {
      connectNext(failed);
    } else if (made) {
      owner.onMade();
    }
  }

  /** Bytes of the handshake. */
  void onBytes(ByteBuffer bytes) {
    switch (ack.add(bytes)) {
      case INCOMPLETE -> {}
      case COMPLETE -> handshakeDone();
      case WRONG ->
          owner.refuse(
              RefusalReason.NOT_JRMP, "the peer did not answer the JRMP header with an ack");
    }
  }

  private void handshakeDone() {
    boolean made = false;
    lock.lock();
    try {
      if (step != Step.HANDSHAKING) {
        return;
      }
      channel.writeFirst(Preamble.endpoint());
      toReady();
      made = true;
    } catch (IOException broken) {
      closeChannel(); // nothing was delivered
    } finally {
      lock.unlock();
    }
    if (made) {
      owner.onMade();
    } else {
      owner.refuse(RefusalReason.CONNECT_FAILED, "connection lost in the JRMP handshake");
    }
  }

  /** The server has closed the connection in the handshake. */
  void onEnded() {
    owner.refuse(RefusalReason.NOT_JRMP, "the peer closed on the JRMP header");
  }

  /**
   * The deadline of a step is over.
   *
   * @param late CONNECTING or HANDSHAKING
   */
  void onLate(ServerConnection.State late) {
    if (late == ServerConnection.State.CONNECTING) {
      connectNext(new IOException("connect timed out"));
    } else {
      owner.refuse(RefusalReason.CONNECT_FAILED, "no JRMP handshake in time");
    }
  }

  /** The step as a state of the connection. Under the lock. */
  ServerConnection.State state() {
    return switch (step) {
      case RESOLVING -> ServerConnection.State.RESOLVING;
      case CONNECTING -> ServerConnection.State.CONNECTING;
      case HANDSHAKING -> ServerConnection.State.HANDSHAKING;
      case OVER -> throw new AssertionError("an attempt that is over has a successor");
    };
  }

  /** The channel of the handshake; null in other steps. Under the lock. */
  ServerChannel handshaking() {
    return step == Step.HANDSHAKING ? channel : null;
  }

  /** Gives up. Under the lock. */
  void close() {
    closeChannel();
    step = Step.OVER;
  }

  private void closeChannel() {
    if (channel != null) {
      channel.close();
      channel = null;
    }
  }
}
