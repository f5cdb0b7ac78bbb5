package io.rmigate.client.link;

import io.rmigate.protocol.tunnel.Close;
import io.rmigate.protocol.tunnel.CloseCause;
import java.io.IOException;
import java.net.SocketException;
import java.util.Optional;

/**
 * The states of the two sides of a stream. The agent's side goes from unopened to closed, the
 * gateway's from open to closed or lost. Guarded by the lock of the stream.
 */
final class StreamEnds {

  /** The agent's side; transitions lead down this list only. */
  private enum AgentSide {
    /** The gateway has not been told of the stream. */
    UNOPENED,
    OPEN,
    /** Closed before the gateway has been told of the stream. */
    NEVER_OPENED,
    /** Closed, and the CLOSE of the agent is not queued yet. */
    CLOSING,
    /** Closed, and the CLOSE stands before all that is sent from now on. */
    CLOSED
  }

  /** The gateway's side. */
  private sealed interface GatewaySide {
    GatewaySide OPEN = new Open();

    /** The CLOSE of the gateway, if it has come. */
    Optional<Close> close();

    /** Why the link was lost, if it was. */
    Optional<IOException> loss();
  }

  private record Open() implements GatewaySide {
    @Override
    public Optional<Close> close() {
      return Optional.empty();
    }

    @Override
    public Optional<IOException> loss() {
      return Optional.empty();
    }
  }

  private record Closed(Optional<Close> close) implements GatewaySide {
    @Override
    public Optional<IOException> loss() {
      return Optional.empty();
    }
  }

  /** A CLOSE may have come before the link was lost, or with the last bytes that were read. */
  private record Lost(Optional<IOException> loss, Optional<Close> close) implements GatewaySide {}

  private AgentSide agent;
  private GatewaySide gateway = GatewaySide.OPEN;

  /**
   * @param isOpened whether the gateway knows the stream already
   */
  StreamEnds(boolean isOpened) {
    agent = isOpened ? AgentSide.OPEN : AgentSide.UNOPENED;
  }

  /** Whether data can still go in both directions. */
  boolean isOpen() {
    return !isClosedHere() && gateway == GatewaySide.OPEN;
  }

  /** Whether the agent has closed the stream. */
  boolean isClosedHere() {
    return agent.compareTo(AgentSide.OPEN) > 0;
  }

  /** The CLOSE of the gateway, if it has come. */
  Optional<Close> closeReceived() {
    return gateway.close();
  }

  /** Whether the link was lost. */
  boolean isLost() {
    return gateway.loss().isPresent();
  }

  /** Whether the gateway has to be told that the agent has closed the stream. */
  boolean owesClose() {
    return agent == AgentSide.CLOSING && !isLost();
  }

  /**
   * Data may go, or the frame that opens the stream.
   *
   * @return whether the gateway has to be told of the stream first
   * @throws SocketException the agent has closed the stream
   */
  boolean toOpened() throws SocketException {
    if (isClosedHere()) {
      throw new SocketException("Socket closed");
    }
    boolean first = agent == AgentSide.UNOPENED;
    agent = AgentSide.OPEN;
    return first;
  }

  /**
   * The agent closes the stream.
   *
   * @param isOpenTakenBack whether the frame that opens the stream was removed from the queue
   * @return false when the agent has closed the stream before
   */
  boolean toClosing(boolean isOpenTakenBack) {
    if (isClosedHere()) {
      return false;
    }
    boolean known = agent == AgentSide.OPEN && !isOpenTakenBack;
    agent = known ? AgentSide.CLOSING : AgentSide.NEVER_OPENED;
    return true;
  }

  /**
   * The agent's CLOSE is queued, or not needed.
   *
   * @return whether the number of the stream is free
   */
  boolean toCloseQueued() {
    assert isClosedHere();
    if (agent == AgentSide.CLOSING) {
      agent = AgentSide.CLOSED;
    }
    return agent == AgentSide.NEVER_OPENED || gateway != GatewaySide.OPEN;
  }

  /**
   * The gateway has closed the stream.
   *
   * @return whether the number of the stream is free
   */
  boolean toClosedByGateway(Close close) {
    assert gateway.close().isEmpty();
    Optional<Close> received = Optional.of(close);
    // No conditional expression: to verify one, the JVM would load both classes at the start.
    if (isLost()) {
      gateway = new Lost(gateway.loss(), received);
    } else {
      gateway = new Closed(received);
    }
    return agent == AgentSide.CLOSED;
  }

  /** The link was lost. */
  void toLost(IOException cause) {
    gateway = new Lost(Optional.of(cause), gateway.close());
  }

  /**
   * Asserts that no side has ended.
   *
   * @param peer for the message
   */
  void throwIfOver(String peer) throws IOException {
    if (isClosedHere()) {
      throw new SocketException("Socket closed");
    }
    throwIfLost();
    if (gateway.close().isPresent()) {
      throw endedByGateway(peer, gateway.close().get().cause());
    }
  }

  /** Asserts that the link was not lost. */
  void throwIfLost() throws IOException {
    if (isLost()) {
      throw LinkLostException.again(gateway.loss().get());
    }
  }

  static SocketException endedByGateway(String peer, CloseCause cause) {
    return new SocketException(
        "the rmigate gateway ended the connection to " + peer + ": " + cause.sentence());
  }
}
