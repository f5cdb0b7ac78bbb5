package io.rmigate.gateway.limit;

import io.rmigate.protocol.AddressLiteral;
import java.net.InetAddress;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The address in what a container says of a connection's other end. Nothing is looked up. */
public final class PeerAddress {
  private static final Pattern TEXT =
      Pattern.compile(
          "(?:((?:\\d{1,3}\\.){3}\\d{1,3})|\\[?([0-9A-Fa-f:.]+:[0-9A-Fa-f:.]*)(?:%\\w+)?]?):\\d+");

  /** Reads {@code address:port}; empty when there is no address in it. */
  public static Optional<InetAddress> of(String peer) {
    Matcher matcher = TEXT.matcher(peer);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    String four = matcher.group(1);
    return AddressLiteral.parse(four == null ? matcher.group(2) : four);
  }

  private PeerAddress() {}
}
