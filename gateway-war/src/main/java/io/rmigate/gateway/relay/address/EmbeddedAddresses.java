package io.rmigate.gateway.relay.address;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * IPv4 addresses inside IPv6 addresses: packets to the IPv6 address go to the IPv4 address, where
 * there is a translator or a tunnel. IPv4-mapped ones (RFC 4291, 2.5.5.2) are IPv4 addresses to
 * every socket, and to Java where they are written down, but not where a name server says them: see
 * {@link #unmapped}.
 */
final class EmbeddedAddresses {

  /**
   * One way to embed an IPv4 address.
   *
   * @param start what such IPv6 addresses begin with, in hex
   * @param mask what each octet is written with, by exclusive or
   * @param octets where they are, first to last
   */
  private record Place(Pattern start, int mask, List<Integer> octets) {

    static Place of(String start, Integer... octets) {
      return new Place(Pattern.compile(start), 0, List.of(octets));
    }

    boolean isIn(String hex) {
      return start.matcher(hex).lookingAt();
    }

    InetAddress read(byte[] six) {
      byte[] four = new byte[octets.size()];
      for (int i = 0; i < four.length; i++) {
        four[i] = (byte) (six[octets.get(i)] ^ mask);
      }
      try {
        return InetAddress.getByAddress(four);
      } catch (UnknownHostException impossible) {
        throw new AssertionError(impossible); // four bytes are one
      }
    }
  }

  private static final List<Place> PLACES =
      List.of(
          Place.of("0{24}", 12, 13, 14, 15), // "IPv4-compatible": RFC 4291, 2.5.5.1
          Place.of("0{16}ffff0000", 12, 13, 14, 15), // "IPv4-translated": RFC 2765, 2.1
          Place.of("0064ff9b0{16}", 12, 13, 14, 15), // NAT64: RFC 6052, 2.1
          Place.of("2002", 2, 3, 4, 5), // 6to4: RFC 3056, 2
          Place.of(".{16}0[0-3]005efe", 12, 13, 14, 15), // ISATAP: RFC 5214, 6.1
          Place.of("20010000", 4, 5, 6, 7), // Teredo, the server: RFC 4380, 4
          new Place(Pattern.compile("20010000"), 0xff, List.of(12, 13, 14, 15))); // its client

  /**
   * NAT64 of a network's own (RFC 8215), which alone knows the length of its prefix: 48, 56, 64 or
   * 96 bits, without octet 8 (RFC 6052, 2.2).
   */
  private static final String LOCAL = "0064ff9b0001";

  private static final List<Place> LOCAL_PLACES =
      List.of(
          Place.of(LOCAL, 6, 7, 9, 10),
          Place.of(LOCAL, 7, 9, 10, 11),
          Place.of(LOCAL, 9, 10, 11, 12),
          Place.of(LOCAL, 12, 13, 14, 15));

  /** The IPv4 address that an IPv4-mapped one is another notation of; any other address itself. */
  static InetAddress unmapped(InetAddress address) {
    if (!(address instanceof Inet6Address)) {
      return address;
    }
    try {
      InetAddress read = InetAddress.getByAddress(address.getAddress());
      return read instanceof Inet6Address
          ? address
          : read; // address, because a read Inet6Address has lost its zone
    } catch (UnknownHostException impossible) {
      throw new AssertionError(impossible); // sixteen bytes are one
    }
  }

  /** The IPv4 addresses that every translator derives; none for an IPv4 address. */
  static Stream<InetAddress> certain(InetAddress address) {
    return read(address, PLACES).stream();
  }

  /**
   * The IPv4 addresses that translators may derive, of which one is meant; none for an IPv4
   * address. No host is at 0.0.0.0/8 (RFC 1122, 3.2.1.3): such a result has the wrong prefix
   * length.
   */
  static List<InetAddress> possible(InetAddress address) {
    List<InetAddress> all = read(address, LOCAL_PLACES);
    List<InetAddress> likely = all.stream().filter(read -> read.getAddress()[0] != 0).toList();
    return likely.isEmpty() ? all : likely;
  }

  private static List<InetAddress> read(InetAddress address, List<Place> places) {
    if (!(address instanceof Inet6Address)) {
      return List.of();
    }
    byte[] bytes = address.getAddress();
    String hex = HexFormat.of().formatHex(bytes);
    return places.stream()
        .filter(place -> place.isIn(hex))
        .map(place -> place.read(bytes))
        .toList();
  }

  private EmbeddedAddresses() {}
}
