package io.rmigate.client.stats;

/**
 * What rmigate has done in this JVM, as seen by JMX consoles under {@code io.rmigate:type=Stats}.
 * Sums since the JVM's start unless they say otherwise. How plain RMI is reckoned: {@link Account}.
 */
public interface StatsMBean {

  /** URLs of the gateways, as configured. */
  String getGateways();

  /** Whether there is a link to a gateway now. */
  boolean isConnected();

  /** Calls that the JVM's RMI runtime has made through rmigate, those answered here included. */
  long getCalls();

  /** Round trips that were waited for on links. */
  long getRoundTrips();

  /** Round trips that plain RMI would have waited for. */
  long getPlainRoundTrips();

  /** Bytes sent on links, WebSocket framing included, before TLS. */
  long getBytesSent();

  /** Bytes received on links, likewise. */
  long getBytesReceived();

  /** What crossed links compressed, both ways, as long as it was before. */
  long getUncompressedBytes();

  /** What crossed links compressed, both ways, as long as it was then. */
  long getCompressedBytes();

  /** What compression has left of each byte it was applied to; 1 while it has not been. */
  double getCompressionRatio();

  /** Bytes of JRMP that plain RMI would have sent and received, without TCP and IP. */
  long getPlainBytes();

  /** Registry lookups answered from the cache. */
  long getLookupsAnswered();

  /** Dirty and clean calls of the garbage collector answered here. */
  long getLeaseCallsAnswered();

  /** Pings answered here. */
  long getPingsAnswered();

  /** Remote references that the JVM holds now and the gateway keeps alive. */
  long getLeasesHeld();
}
