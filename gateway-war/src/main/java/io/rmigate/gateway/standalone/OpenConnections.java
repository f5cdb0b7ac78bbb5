package io.rmigate.gateway.standalone;

import io.rmigate.gateway.log.RareLines;
import io.rmigate.gateway.metrics.GatewayMetrics;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SocketChannel;
import java.util.function.IntSupplier;
import java.util.function.Predicate;
import javax.management.JMException;
import javax.management.ObjectName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connections of this gateway's ports, within {@code http.max-connections}. One that is too
 * many is closed where it is accepted, before a byte of it is read; it is counted, and a line a
 * minute says so. Thread-safe.
 */
final class OpenConnections {
  private static final Logger log = LoggerFactory.getLogger(OpenConnections.class);

  private final IntSupplier configured;
  private final int descriptors;
  private final GatewayMetrics metrics;
  private final PeerShares shares;
  private final RareLines lines = new RareLines();

  /**
   * @param configured {@code http.max-connections}, now
   * @param proxy whether an address is that of a trusted proxy, now
   */
  OpenConnections(IntSupplier configured, Predicate<InetAddress> proxy, GatewayMetrics metrics) {
    this(configured, proxy, metrics, descriptors());
  }

  /**
   * @param descriptors that the process may open
   */
  OpenConnections(
      IntSupplier configured,
      Predicate<InetAddress> proxy,
      GatewayMetrics metrics,
      int descriptors) {
    this.configured = configured;
    this.metrics = metrics;
    this.descriptors = descriptors;
    shares = new PeerShares(this::most, proxy);
  }

  /** How many there are. */
  long open() {
    return shares.open();
  }

  /** The other half is for what is opened inside for those who come in, and for files. */
  int most() {
    return Math.min(configured.getAsInt(), descriptors / 2);
  }

  /** The limit of file descriptors; {@link Integer#MAX_VALUE} if it is unknown. */
  private static int descriptors() {
    try {
      Object most =
          ManagementFactory.getPlatformMBeanServer()
              .getAttribute(
                  new ObjectName(ManagementFactory.OPERATING_SYSTEM_MXBEAN_NAME),
                  "MaxFileDescriptorCount");
      return most instanceof Long count && count > 0
          ? (int) Math.min(count, Integer.MAX_VALUE)
          : Integer.MAX_VALUE;
    } catch (JMException notUnix) {
      return Integer.MAX_VALUE;
    }
  }

  /** Whether a new connection may stay; if not, it has been closed. */
  boolean admits(SocketChannel connection) throws IOException {
    if (!(connection.getRemoteAddress() instanceof InetSocketAddress peer)
        || shares.admits(connection, peer.getAddress())) {
      return true;
    }
    connection.close();
    metrics.refused("connections");
    if (lines.mayWrite(this)) {
      log.warn(
          "a connection from {} was closed at once: there are {} of {} (http.max-connections, and"
              + " half of the descriptors that the process may open), {} of them from there; for a"
              + " minute others are only counted",
          peer.getAddress().getHostAddress(),
          shares.open(),
          most(),
          shares.of(peer.getAddress()));
    }
    return false;
  }

  /** A connection is over, or was never one. Idempotent. */
  void release(SelectableChannel connection) {
    shares.release(connection);
  }
}
