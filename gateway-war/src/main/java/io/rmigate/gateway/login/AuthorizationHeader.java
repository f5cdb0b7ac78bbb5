package io.rmigate.gateway.login;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * The one {@code Authorization} header of a request (RFC 9110, section 11.6.2).
 *
 * @param scheme as sent
 * @param credentials what follows it, without surrounding blanks
 */
record AuthorizationHeader(String scheme, String credentials) {

  /** Empty when the request has none or, which {@link Login} refuses before, several. */
  static Optional<AuthorizationHeader> of(HttpServletRequest request) {
    List<String> headers = Collections.list(request.getHeaders("Authorization"));
    if (headers.size() != 1) {
      return Optional.empty();
    }
    String header = headers.get(0).strip();
    int blank = header.indexOf(' ');
    return Optional.of(
        blank < 0
            ? new AuthorizationHeader(header, "")
            : new AuthorizationHeader(
                header.substring(0, blank), header.substring(blank + 1).strip()));
  }

  boolean is(String name) {
    return scheme.equalsIgnoreCase(name);
  }

  /** Never the credentials: this may end up in a log. */
  @Override
  public String toString() {
    return scheme + " …";
  }
}
