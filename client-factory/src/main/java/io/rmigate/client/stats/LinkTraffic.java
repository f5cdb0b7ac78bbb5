package io.rmigate.client.stats;

import io.rmigate.protocol.coding.CodingFigures;

/**
 * What one link has carried so far.
 *
 * @param bytesSent WebSocket framing included, before TLS
 * @param bytesReceived WebSocket framing included, before TLS
 * @param coding what was compressed of that, both ways
 */
public record LinkTraffic(long bytesSent, long bytesReceived, CodingFigures coding) {
  /** No traffic. */
  public static final LinkTraffic NONE = new LinkTraffic(0, 0, CodingFigures.NONE);

  LinkTraffic plus(LinkTraffic other) {
    return new LinkTraffic(
        bytesSent + other.bytesSent,
        bytesReceived + other.bytesReceived,
        coding.plus(other.coding));
  }

  /** The source of the figures of a link that is in use. */
  @FunctionalInterface
  public interface Meter {
    /** Traffic of the link so far; takes no lock. */
    LinkTraffic traffic();
  }
}
