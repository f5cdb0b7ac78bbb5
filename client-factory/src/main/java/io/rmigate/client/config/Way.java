package io.rmigate.client.config;

import java.util.Locale;
import java.util.Optional;

/** How calls get through the network between this JVM and an RMI server. */
public enum Way {
  /** By a TCP connection to the server itself. */
  DIRECT,
  /** By CONNECT through an HTTP proxy to the server itself. */
  CONNECT,
  /** Over the link to the gateway, by WebSocket. */
  WEBSOCKET,
  /** Over the link to the gateway, by HTTP POST. */
  POST;

  /** Whether it leads to a gateway, rather than to the server itself. */
  public boolean isLink() {
    return this == WEBSOCKET || this == POST;
  }

  /** As written in the configuration. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The way of that text. */
  static Optional<Way> of(String text) {
    for (Way way : values()) {
      if (way.text().equals(text.toLowerCase(Locale.ROOT))) {
        return Optional.of(way);
      }
    }
    return Optional.empty();
  }
}
