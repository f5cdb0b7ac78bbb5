package io.rmigate.gateway.edge;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Collections;
import java.util.List;

/**
 * Refuses a request whose body another HTTP implementation may end elsewhere (RFC 9112, 6.1): a
 * proxy in front of the gateway would take a part of the body for the next request. The connection
 * ends with the answer.
 */
public final class FramingFilter implements Filter {

  /**
   * Whether a request's transfer codings are ambiguous. Only HTTP/1.1 has transfer codings, and
   * {@code chunked} alone is read alike by every implementation.
   *
   * @param protocol as in the request line
   * @param codings the values of all Transfer-Encoding fields
   */
  public static boolean isAmbiguous(String protocol, List<String> codings) {
    return !codings.isEmpty()
        && !(protocol.equals("HTTP/1.1")
            && codings.size() == 1
            && codings.get(0).strip().equalsIgnoreCase("chunked"));
  }

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    List<String> codings =
        Collections.list(((HttpServletRequest) request).getHeaders("Transfer-Encoding"));
    if (isAmbiguous(request.getProtocol(), codings)) {
      refuse((HttpServletResponse) response);
    } else {
      chain.doFilter(request, response);
    }
  }

  private static void refuse(HttpServletResponse response) throws IOException {
    response.setStatus(HttpServletResponse.SC_BAD_REQUEST);
    response.setHeader("Connection", "close");
    response.setHeader("Cache-Control", "no-store");
    response.setContentType("text/plain;charset=utf-8");
    response
        .getWriter()
        .println("The body must come with a Content-Length, or chunked and in HTTP/1.1.");
  }
}
