package io.rmigate.gateway.edge.legacy;

import io.rmigate.protocol.jrmp.EndpointId;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Which RMI server a request is for. The client names it as it stands in its stub, and believes to
 * speak to that host or, through its HTTP proxy, about it:
 *
 * <pre>
 *   POST / HTTP/1.1                                     POST http://host:port/ HTTP/1.1
 *   Host: host:port
 *
 *   POST /cgi-bin/java-rmi.cgi?forward=port HTTP/1.1    POST http://host/cgi-bin/java-rmi.cgi?forward=port HTTP/1.1
 *   Host: host
 * </pre>
 *
 * Where the request line names a host, that one counts and the header has to say the same (RFC
 * 9112, section 3.2.2), of which containers make sure. Nothing is looked up; policy decides.
 */
final class LegacyTarget {
  /** Path of HTTP-to-CGI. */
  static final String CGI = "/cgi-bin/java-rmi.cgi";

  private static final Pattern HOST =
      Pattern.compile("[A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,252}[A-Za-z0-9_.])?|[0-9A-Fa-f:.]{2,45}");
  private static final Pattern FORWARD = Pattern.compile("forward=([0-9]{1,5})");

  /** Reads it; empty when the request names none. */
  static Optional<EndpointId> of(HttpServletRequest request) {
    if (Collections.list(request.getHeaders("Host")).size() != 1) {
      return Optional.empty(); // else the container's own name would be taken for one
    }
    String host = withoutBrackets(String.valueOf(request.getServerName()));
    int port = isCgi(request) ? forward(request) : request.getServerPort();
    return HOST.matcher(host).matches() && port > 0 && port <= 65535
        ? Optional.of(new EndpointId(host, port))
        : Optional.empty();
  }

  private static boolean isCgi(HttpServletRequest request) {
    return request.getServletPath().equals(CGI);
  }

  /** 0 when it says none. */
  private static int forward(HttpServletRequest request) {
    String query = request.getQueryString();
    return query != null && FORWARD.matcher(query).matches()
        ? Integer.parseInt(query.substring(query.indexOf('=') + 1))
        : 0;
  }

  private static String withoutBrackets(String host) {
    return host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
  }

  private LegacyTarget() {}
}
