package io.rmigate.gateway.relay;

import io.rmigate.protocol.tunnel.RefusalReason;
import java.nio.ByteBuffer;

/**
 * Events of a {@link ServerConnection} for its owner. Called without locks, from the selector
 * thread or from within the owner's own call.
 */
public interface ConnectionListener {

  /**
   * The server has completed a JRMP handshake; requests follow. Of a raw connection: there is one.
   * Not called for SingleOp.
   */
  default void onConnected() {}

  /**
   * How many bytes the owner can take now; 0 pauses reading until {@link ServerConnection#resume}.
   */
  int wanted();

  /** Bytes from the server, at most as many as were {@link #wanted}; valid during the call only. */
  void onBytes(ByteBuffer bytes);

  /** The operating system has taken bytes of requests. */
  void onWritten(int count);

  /**
   * No connection could be had. No byte of what was sent since the last request that went through
   * has reached the server; it is dropped here.
   */
  void onRefused(RefusalReason reason, String text);

  /** The server has ended the connection, or it broke. It takes nothing any more. */
  void onServerClosed();

  /**
   * An unexpected failure in the gateway, perhaps in this listener. The connection is closed; its
   * owner has to end.
   */
  void onBroken();
}
