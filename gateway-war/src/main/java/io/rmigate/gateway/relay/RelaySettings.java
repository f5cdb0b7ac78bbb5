package io.rmigate.gateway.relay;

import java.time.Duration;

/**
 * How the gateway talks to RMI servers.
 *
 * @param connectTimeout for one TCP connection to a server, unless the agent asks for less
 * @param handshakeTimeout until the server's ProtocolAck or PingAck has come
 * @param pingAfterIdle a connection unused for so long is pinged before the next call; shorter
 *     silences rely on the operating system's notice of a closed connection
 * @param maxHeldCallBytes where calls are not inspected, a Call is parsed to its end when it is at
 *     most so long; a longer one is streamed through a SingleOp connection, on which only one
 *     message is ever executed. Where they are, {@code call-limit} counts
 * @param threads selector threads; 0 means one for every two processors
 */
public record RelaySettings(
    Duration connectTimeout,
    Duration handshakeTimeout,
    Duration pingAfterIdle,
    int maxHeldCallBytes,
    int threads) {

  /** The shipped defaults. */
  public static final RelaySettings DEFAULTS =
      new RelaySettings(
          Duration.ofSeconds(15), Duration.ofSeconds(60), Duration.ofSeconds(1), 64 * 1024, 0);
}
