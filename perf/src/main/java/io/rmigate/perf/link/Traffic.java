package io.rmigate.perf.link;

/**
 * What a link has carried.
 *
 * @param connections that were opened; each cost a round trip
 * @param exchanges how often something came back down for something that had gone up, connection by
 *     connection
 * @param upBytes payload
 * @param downBytes payload
 * @param packets both ways
 * @param tcp what real TCP would have added
 */
public record Traffic(
    int connections, int exchanges, long upBytes, long downBytes, int packets, TcpOverhead tcp) {

  /** Nothing. */
  public static final Traffic NONE = new Traffic(0, 0, 0, 0, 0, TcpOverhead.NONE);

  /** Both together. */
  public Traffic plus(Traffic other) {
    return new Traffic(
        connections + other.connections,
        exchanges + other.exchanges,
        upBytes + other.upBytes,
        downBytes + other.downBytes,
        packets + other.packets,
        tcp.plus(other.tcp));
  }

  /** Both ways. */
  public long bytes() {
    return upBytes + downBytes;
  }

  /** Exchanges, and those that open connections. */
  public int roundTrips() {
    return exchanges + connections;
  }
}
