package io.rmigate.gateway.relay.address;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.regex.Pattern;

/** An IP address, as it is written: nothing is looked up, whatever the text. */
public final class AddressLiteral {
  private static final String BYTE = "(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)";
  private static final Pattern FOUR = Pattern.compile("(?:" + BYTE + "\\.){3}" + BYTE);
  private static final Pattern SIX = Pattern.compile("[0-9A-Fa-f.]*:[0-9A-Fa-f:.]*");

  /** Reads an address, of IPv6 without brackets; empty when it is none. */
  public static Optional<InetAddress> of(String text) {
    String literal = SIX.matcher(text).matches() ? "[" + text + "]" : text;
    if (literal.equals(text) && !FOUR.matcher(text).matches()) {
      return Optional.empty();
    }
    try {
      return Optional.of(InetAddress.getByName(literal)); // brackets are never looked up
    } catch (UnknownHostException none) {
      return Optional.empty();
    }
  }

  private AddressLiteral() {}
}
