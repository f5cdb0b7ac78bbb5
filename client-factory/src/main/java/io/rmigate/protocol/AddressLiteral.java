package io.rmigate.protocol;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Addresses as text. The JDK looks up as a name each text that is no address to it, for example
 * {@code 300.1.1.1}; here nothing is looked up.
 */
public final class AddressLiteral {
  /** RFC 4291 §2.2 with a scope behind it; what is longer is none. */
  private static final int MAX_LENGTH = 100;

  private static final String NUMBER = "(?:0|[1-9][0-9]{0,2})";

  private static final Pattern FOUR_NUMBERS = Pattern.compile(NUMBER + "(?:\\." + NUMBER + "){3}");

  private AddressLiteral() {}

  /**
   * The address that the text is: IPv4 of four decimal numbers without leading zeros, which others
   * read as octal (RFC 6943, 3.1.1, "strict"), or IPv6 without a zone, which may be in brackets.
   */
  public static Optional<InetAddress> parse(String text) {
    if (text.length() > MAX_LENGTH) {
      return Optional.empty();
    }
    try {
      return FOUR_NUMBERS.matcher(text).matches()
          ? ipv4(text.split("\\."))
          : ipv6(text.startsWith("[") && text.endsWith("]") ? inner(text) : text);
    } catch (UnknownHostException e) {
      return Optional.empty();
    }
  }

  /** The address of a peer, without the zone that may stand behind it. */
  public static Optional<InetAddress> ofPeer(String text) {
    return parse(text.replaceFirst("%[^]]*", ""));
  }

  private static String inner(String text) {
    return text.substring(1, Math.max(1, text.length() - 1));
  }

  private static Optional<InetAddress> ipv6(String text) throws UnknownHostException {
    String last = text.substring(text.lastIndexOf(':') + 1);
    boolean isPlain = last.indexOf('.') < 0 || FOUR_NUMBERS.matcher(last).matches();
    return text.indexOf(':') < 0 || text.indexOf('%') >= 0 || !isPlain
        ? Optional.empty()
        : Optional.of(InetAddress.getByName("[" + text + "]")); // in brackets never a name
  }

  private static Optional<InetAddress> ipv4(String[] parts) throws UnknownHostException {
    byte[] address = new byte[4];
    for (int i = 0; i < 4; i++) {
      int part = Integer.parseInt(parts[i]);
      if (part > 255) {
        return Optional.empty();
      }
      address[i] = (byte) part;
    }
    return Optional.of(InetAddress.getByAddress(address));
  }
}
