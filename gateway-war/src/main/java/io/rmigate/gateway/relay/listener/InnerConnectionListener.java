package io.rmigate.gateway.relay.listener;

import java.nio.ByteBuffer;

/**
 * Events of an {@link InnerConnection} for its owner. Called without locks of the connection, on
 * the loop or from within the owner's own call.
 */
public interface InnerConnectionListener {

  /** How many bytes the owner can take now; 0 pauses until {@link InnerConnection#resume}. */
  int wanted();

  /** Bytes of the peer, at most as many as were {@link #wanted}; valid during the call only. */
  void onBytes(ByteBuffer bytes);

  /** The operating system has taken bytes. */
  void onWritten(int count);

  /** The time is over that {@link InnerConnection#expectWithin} has set. */
  void onLate();

  /**
   * The peer has ended the connection, or it broke, or a gentle close is done. Nothing comes after
   * it.
   */
  void onEnded();

  /** Something has failed on this side that never should. The connection is closed. */
  void onBroken();
}
