package io.rmigate.gateway.session;

import io.rmigate.protocol.tunnel.CloseCause;
import java.nio.ByteBuffer;

/** The sending half of a transport connection, as the edge offers it to a session. */
public interface LinkPort {

  /** Called when a send has ended, on any thread, perhaps within {@link #send} itself. */
  @FunctionalInterface
  interface SendEnd {
    /**
     * The send is over.
     *
     * @param failure null when the bytes have been taken
     */
    void sendEnded(Throwable failure);
  }

  /** Sends without blocking. Called again only after the end of the previous send. */
  void send(ByteBuffer bytes, SendEnd end);

  /**
   * Pauses reading for that time; what has been read still comes. Called by the thread that brings
   * bytes, within that call and without locks of the session. A transport that cannot leave
   * anything unread ignores it.
   *
   * @param nanos a heartbeat at most
   */
  default void rest(long nanos) {}

  /** Closes the transport connection without blocking; what has been sent may still leave. */
  void close(CloseCause cause);

  /** Nanoseconds for which the agent has had no request open, as far as can be seen. */
  default long desertedNanos() {
    return 0;
  }

  /** Address of the agent's end, for logs and the admin view. */
  String peer();
}
