package io.rmigate.gateway.callback;

import io.rmigate.protocol.AddressLiteral;
import io.rmigate.protocol.DestinationPatterns;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which inner hosts may connect to listeners (THREATS T27): addresses, in which {@code *} stands
 * for any characters, networks such as {@code 10.0.0.0/8}, and names. Immutable. A lone {@code *}
 * is every address but loopback.
 */
public final class InnerPeers {
  private static final Pattern NAME =
      Pattern.compile("(?=.*[A-Za-z])[A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_])?");
  private static final Pattern ADDRESS =
      Pattern.compile("[0-9*.]+|\\[?[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*]?");
  private static final Pattern NETWORK = Pattern.compile("([0-9A-Fa-f:.]+)/(\\d{1,3})");

  /** A network by its first bits. */
  @SuppressWarnings("ArrayRecordComponent") // only ever compared bit by bit
  private record Network(byte[] address, int bits) {
    boolean contains(InetAddress peer) {
      byte[] other = peer.getAddress();
      if (other.length != address.length) {
        return false;
      }
      for (int bit = 0; bit < bits; bit++) {
        int mask = 0x80 >>> (bit % 8);
        if (((other[bit / 8] ^ address[bit / 8]) & mask) != 0) {
          return false;
        }
      }
      return true;
    }
  }

  private final List<String> texts;
  private final DestinationPatterns addresses;
  private final List<Network> networks = new ArrayList<>();
  private final Set<String> names = new LinkedHashSet<>();

  private InnerPeers(List<String> texts) {
    this.texts = List.copyOf(texts);
    List<String> patterns = new ArrayList<>();
    for (String text : texts) {
      if (text.indexOf('/') >= 0) {
        networks.add(network(text));
      } else if (ADDRESS.matcher(text).matches()) {
        patterns.add(
            (text.indexOf(':') >= 0 && !text.startsWith("[") ? "[" + text + "]" : text) + ":*");
      } else if (NAME.matcher(text).matches()) {
        names.add(text);
      } else {
        throw new IllegalArgumentException("'" + text + "' is not a host");
      }
    }
    this.addresses = DestinationPatterns.of(patterns);
  }

  /**
   * Reads patterns, one per element.
   *
   * @throws IllegalArgumentException an element is none
   */
  public static InnerPeers of(List<String> texts) {
    return new InnerPeers(texts);
  }

  private static Network network(String text) {
    Matcher matcher = NETWORK.matcher(text);
    if (matcher.matches()) {
      Optional<InetAddress> address = AddressLiteral.parse(matcher.group(1));
      int bits = Integer.parseInt(matcher.group(2));
      if (address.isPresent() && bits <= address.get().getAddress().length * 8) {
        return new Network(address.get().getAddress(), bits);
      }
    }
    throw new IllegalArgumentException("'" + text + "' is no network such as 10.0.0.0/8");
  }

  /** Names that have to be looked up to know who may connect. */
  Set<String> names() {
    return names;
  }

  /** Whether the address alone does not decide. */
  public boolean hasNames() {
    return !names.isEmpty();
  }

  /** Whether an address or network of these is the peer's. */
  public boolean hasAddress(InetAddress peer) {
    return admits(peer, name -> Set.of());
  }

  /**
   * Whether a peer may connect.
   *
   * @param resolved what a name stands for now
   */
  boolean admits(InetAddress peer, Function<String, Set<InetAddress>> resolved) {
    return addresses.matches(peer.getHostAddress(), 1)
        || networks.stream().anyMatch(network -> network.contains(peer))
        || names.stream().anyMatch(name -> resolved.apply(name).contains(peer));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof InnerPeers peers && peers.texts.equals(texts);
  }

  @Override
  public int hashCode() {
    return texts.hashCode();
  }

  @Override
  public String toString() {
    return String.join(", ", texts);
  }
}
