package io.rmigate.client.stats;

/**
 * What rmigate has done in this JVM, as seen by JMX consoles under {@code io.rmigate:type=Stats}.
 * Sums since the JVM's start unless they say otherwise. How plain RMI is reckoned: {@link
 * UsageCounters}.
 */
public interface StatsMBean {

  /** URLs of the gateways, as configured. */
  String getGateways();

  /**
   * The HTTP proxy of the connection made last, or that there is none, and what says so in
   * brackets; empty before the first.
   */
  String getHttpProxy();

  /**
   * By which ways destinations are reached in this network: {@code <destination>: <way>: <why it
   * and not a better one>}. Destinations are gateways, and with a ladder that may pass them
   * servers, as {@code host:port}, and {@code socket host:port} for other sockets.
   */
  String[] getWays();

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

  /** Bytes received on links, WebSocket framing included, before TLS. */
  long getBytesReceived();

  /** Bytes that crossed links compressed, both ways, counted before compression. */
  long getUncompressedBytes();

  /** Bytes that crossed links compressed, both ways, counted after compression. */
  long getCompressedBytes();

  /** Ratio of compressed to uncompressed bytes; 1 while nothing has been compressed. */
  double getCompressionRatio();

  /** Bytes of JRMP that plain RMI would have sent and received, without TCP and IP. */
  long getPlainBytes();

  /** Registry lookups answered from the cache. */
  long getLookupsAnswered();

  /** Dirty and clean calls of the garbage collector answered here. */
  long getLeaseCallsAnswered();

  /** Pings answered here. */
  long getPingsAnswered();

  /** Calls of JVMs behind the gateway to objects that this one has exported. */
  long getCallbacks();

  /** Ports at which the gateway listens for exported objects now, or should. */
  long getCallbackPorts();

  /** How often the gateway of a new session did not listen at such a port. */
  long getCallbackPortsLost();

  /** Remote references that the JVM holds now and the gateway keeps alive. */
  long getLeasesHeld();

  /**
   * Connections that were carried as they are, of sockets which no RMI socket factory of ours has
   * made. Nothing in them is mediated, and they are in no other figure but the links' bytes.
   */
  long getOpaqueConnections();

  /** Bytes of those connections, both ways. */
  long getOpaqueBytes();
}
