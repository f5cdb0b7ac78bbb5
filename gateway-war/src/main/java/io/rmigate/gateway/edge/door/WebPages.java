package io.rmigate.gateway.edge.door;

import jakarta.servlet.http.HttpServletRequest;

/**
 * Recognizes requests that a browser sends for a web page, with credentials that its user may not
 * know of. Browsers send {@code Origin} with every POST (Fetch standard, "append a request Origin
 * header") and {@code Sec-Fetch-Site} with every request; agents and programs send neither.
 */
public final class WebPages {
  private WebPages() {}

  /** Whether a web page may have caused the request. */
  public static boolean maySend(HttpServletRequest request) {
    return request.getHeader("Origin") != null || request.getHeader("Sec-Fetch-Site") != null;
  }
}
