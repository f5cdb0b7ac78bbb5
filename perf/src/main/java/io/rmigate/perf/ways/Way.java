package io.rmigate.perf.ways;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** How a client gets to a server, after the comparison of Juric et al. (2004). */
public enum Way {
  /** Plain RMI. */
  DIRECT("plain RMI"),
  /** rmigate, by CONNECT through an HTTP proxy to the RMI port: "HTTP-to-port". */
  CONNECT("connect"),
  /**
   * The tunnelling of JDKs until version 8, to the gateway's legacy endpoint: "HTTP-to-servlet".
   * Each call, clean, dirty and DgcAck is one POST on a connection of its own.
   */
  SERVLET("HTTP-to-servlet"),
  /** rmigate, by POST. */
  POST("rmigate POST"),
  /** rmigate, by WebSocket. */
  WEBSOCKET("rmigate WebSocket"),
  /** rmigate, by the best way that it finds. */
  AUTO("rmigate auto"),
  /** SOAP 1.1 to the gateway's web-service front. */
  SOAP("SOAP"),
  /** JSON over HTTP to the gateway's web-service front. */
  JSON("JSON");

  private final String title;

  Way(String title) {
    this.title = title;
  }

  /** For tables. */
  public String title() {
    return title;
  }

  /** For options and file names. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Whether the client speaks to the gateway's web-service front. */
  public boolean isService() {
    return this == SOAP || this == JSON;
  }

  /**
   * By its label.
   *
   * @throws IllegalArgumentException there is none
   */
  public static Way parse(String label) {
    return Arrays.stream(values())
        .filter(way -> way.label().equals(label))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "no way \""
                        + label
                        + "\"; there are "
                        + Arrays.stream(values())
                            .map(Way::label)
                            .collect(Collectors.joining(", "))));
  }
}
