package io.rmigate.client.config;

import io.rmigate.protocol.AddressLiteral;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The environment variable {@code no_proxy}, for which there is no standard: elements separated by
 * commas or spaces, each {@code *} for everything, or a name, which stands for what is below it as
 * well (also written {@code .name} and {@code *.name}), an address, or a network {@code
 * 10.0.0.0/8}; behind the first two a port may stand. Names are compared as written, never
 * resolved, so that networks hold addresses only. What curl and Go's net/http have in common.
 */
record NoProxy(List<Element> elements) {
  private static final Pattern PORT = Pattern.compile("(\\[.*]|[^:]*):([0-9]{1,5})");

  /** One element. */
  private sealed interface Element {
    boolean matches(String host, Optional<InetAddress> address, int port);
  }

  /** A name and those below it; empty for all. Port 0 for any. */
  private record Name(String name, int port) implements Element {
    @Override
    public boolean matches(String host, Optional<InetAddress> address, int port) {
      return (this.port == 0 || this.port == port)
          && (name.isEmpty() || host.equals(name) || host.endsWith("." + name));
    }
  }

  /** Addresses whose first {@code bits} are those of {@code address}. Port 0 for any. */
  private record Network(InetAddress address, int bits, int port) implements Element {
    @Override
    public boolean matches(String host, Optional<InetAddress> other, int port) {
      return (this.port == 0 || this.port == port)
          && other.isPresent()
          && other.get().getAddress().length == address.getAddress().length
          && prefix(other.get()).equals(prefix(address));
    }

    private BigInteger prefix(InetAddress of) {
      byte[] bytes = of.getAddress();
      return new BigInteger(1, bytes).shiftRight(bytes.length * 8 - bits);
    }
  }

  static NoProxy parse(String text) {
    return new NoProxy(
        Arrays.stream(text.split("[,\\s]+"))
            .filter(element -> !element.isEmpty())
            .map(NoProxy::element)
            .toList());
  }

  private static Element element(String text) {
    String lower = text.toLowerCase(Locale.ROOT);
    Matcher withPort = PORT.matcher(lower);
    int port = withPort.matches() ? Integer.parseInt(withPort.group(2)) : 0;
    String host = port > 0 ? withPort.group(1) : lower;
    int slash = host.indexOf('/');
    Optional<InetAddress> address =
        AddressLiteral.parse(slash < 0 ? host : host.substring(0, slash));
    if (address.isPresent()) {
      int all = address.get().getAddress().length * 8;
      int bits = slash < 0 ? all : bits(host.substring(slash + 1), all);
      return new Network(address.get(), bits, port);
    }
    return new Name(host.equals("*") ? "" : host.replaceFirst("^\\*?\\.", ""), port);
  }

  /** A length that is none makes the network the one address. */
  private static int bits(String text, int all) {
    return text.matches("[0-9]{1,3}") ? Math.min(Integer.parseInt(text), all) : all;
  }

  boolean contains(URI gateway) {
    Authority authority = Authority.required(gateway);
    String host = authority.host().toLowerCase(Locale.ROOT).replaceAll("\\.$", "");
    int port =
        authority.port() >= 0 ? authority.port() : gateway.getScheme().equals("https") ? 443 : 80;
    Optional<InetAddress> address = AddressLiteral.parse(host);
    return elements.stream().anyMatch(element -> element.matches(host, address, port));
  }
}
