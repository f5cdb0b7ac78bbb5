package io.rmigate.gateway.services;

import io.rmigate.gateway.callback.InnerPeers;
import io.rmigate.gateway.login.LoginAudit;
import io.rmigate.protocol.AddressLiteral;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the proxy before this gateway says of a request ({@code Forwarded}, RFC 7239, else the
 * {@code X-Forwarded-} headers), if it is one that is trusted. Of several values the last counts,
 * since the nearest proxy has added it; who has added others is not known.
 */
public final class ForwardedHeaders {
  private static final Pattern PAIR =
      Pattern.compile("\\s*([A-Za-z-]+)=(?:\"([^\"\\\\]*)\"|([^\\s\",;]*))\\s*");

  /** As proxies write it: RFC 7239, section 6, and what is usual elsewhere. */
  private static final Pattern NODE =
      Pattern.compile(
          "((?:\\d{1,3}\\.){3}\\d{1,3})(?::(\\d{1,5}))?"
              + "|\\[([0-9A-Fa-f:.]+)](?::(\\d{1,5}))?|([0-9A-Fa-f]*:[0-9A-Fa-f:.]+)");

  /** The attribute with the trusted proxy's own address, of a request that it has passed on. */
  public static final String PROXY = LoginAudit.PROXY;

  private ForwardedHeaders() {}

  /** Whether a request was passed on by one of these. */
  public static boolean isFrom(HttpServletRequest request, InnerPeers proxies) {
    return request.getAttribute(PROXY) instanceof String proxy
        ? isFrom(proxy, proxies)
        : isFrom(request.getRemoteAddr(), proxies);
  }

  /**
   * An address, and a port where it is known.
   *
   * @param address a literal, of IPv6 without brackets
   * @param port 0: not known
   */
  public record Node(String address, int port) {}

  /** Whether the connection of a request comes from one of these. */
  public static boolean isFrom(String address, InnerPeers proxies) {
    return address != null
        && AddressLiteral.ofPeer(address).filter(proxies::hasAddress).isPresent();
  }

  /**
   * From where the proxy was asked; empty when it does not say, or says it in other words. Where
   * both headers are there and disagree it is empty, too: a proxy writes the one that it knows, and
   * what stands in the other may be the client's own word.
   */
  public static Optional<Node> client(HttpServletRequest request) {
    Optional<Node> said = word(request, "for", "X-Forwarded-For").flatMap(ForwardedHeaders::node);
    boolean isDisputed =
        request.getHeader("Forwarded") != null
            && request.getHeader("X-Forwarded-For") != null
            && !said.map(Node::address)
                .equals(
                    last(request, "X-Forwarded-For")
                        .flatMap(ForwardedHeaders::node)
                        .map(Node::address));
    return said.filter(node -> !isDisputed);
  }

  /** The host for which the proxy was asked, with its port; empty when the proxy does not say. */
  public static Optional<String> host(HttpServletRequest request) {
    return word(request, "host", "X-Forwarded-Host");
  }

  private static Optional<Node> node(String text) {
    Matcher matcher = NODE.matcher(text);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    String address =
        matcher.group(1) != null
            ? matcher.group(1)
            : matcher.group(3) != null ? matcher.group(3) : matcher.group(5);
    String port = matcher.group(1) != null ? matcher.group(2) : matcher.group(4);
    return AddressLiteral.ofPeer(address)
        .map(found -> new Node(found.getHostAddress(), port == null ? 0 : Integer.parseInt(port)));
  }

  /** A proxy that knows the one header lets a client's other ones pass. */
  static Optional<String> word(HttpServletRequest request, String name, String header) {
    return request.getHeader("Forwarded") == null
        ? last(request, header)
        : forwarded(request, name);
  }

  private static Optional<String> forwarded(HttpServletRequest request, String name) {
    return last(request, "Forwarded")
        .flatMap(
            element -> {
              for (String pair : element.split(";", -1)) {
                Matcher matcher = PAIR.matcher(pair);
                if (matcher.matches() && matcher.group(1).equalsIgnoreCase(name)) {
                  return Optional.of(
                      matcher.group(2) == null ? matcher.group(3) : matcher.group(2));
                }
              }
              return Optional.empty();
            });
  }

  /** The last element of a header that is a list. */
  static Optional<String> last(HttpServletRequest request, String header) {
    List<String> values = Collections.list(request.getHeaders(header));
    if (values.isEmpty()) {
      return Optional.empty();
    }
    String value = values.get(values.size() - 1);
    return Optional.of(value.substring(value.lastIndexOf(',') + 1).strip())
        .filter(text -> !text.isEmpty());
  }
}
