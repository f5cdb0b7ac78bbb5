package io.rmigate.gateway.relay.address;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;

/**
 * The listeners of this gateway itself, which stubs name like servers (JRMP.md 3.6). A connection
 * to one never leaves the machine, and the listener learns whom it is for: its address alone would
 * only say that it comes from here. Thread-safe; called under locks, never blocks.
 */
public interface OwnListeners {

  /** There are none. */
  OwnListeners NONE =
      new OwnListeners() {
        @Override
        public Optional<InetAddress> address(String host, int port) {
          return Optional.empty();
        }

        @Override
        public boolean isOne(InetAddress address, int port) {
          return false;
        }

        @Override
        public void expect(InetSocketAddress source, Optional<InetAddress> caller) {}

        @Override
        public void forget(InetSocketAddress source) {}
      };

  /** Where the listener is whose stubs name this host and port; empty when there is none. */
  Optional<InetAddress> address(String host, int port);

  /** Whether a listener of this gateway is there. */
  boolean isOne(InetAddress address, int port);

  /**
   * A connection is about to be made from {@code source} to a listener.
   *
   * @param caller from where the agent has come for whose JVM it is; empty when it is the gateway's
   *     own
   */
  void expect(InetSocketAddress source, Optional<InetAddress> caller);

  /** The connection from {@code source} is over. */
  void forget(InetSocketAddress source);
}
