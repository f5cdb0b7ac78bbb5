package io.rmigate.gateway.edge;

import io.rmigate.soap.http.BodyTooLargeException;
import io.rmigate.soap.http.DamagedBodyException;
import io.rmigate.soap.json.Problem;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Locale;

/**
 * Gzip for web services, alike in every container: bodies of requests that say so are inflated
 * within bounds, answers are compressed for those who accept it. Other content codings, and one
 * upon another, are refused. A body that is damaged or grows too much is found out as it is read:
 * the reader gets a {@link DamagedBodyException} or a {@link BodyTooLargeException}, and answers in
 * its own notation. Bodies of the tunnel never come here: they have a coding of their own.
 */
public final class GzipFilter implements Filter {
  private static final String GZIP = "gzip";

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    filter((HttpServletRequest) request, (HttpServletResponse) response, chain);
  }

  private static void filter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    String coding = request.getHeader("Content-Encoding");
    HttpServletRequest inflated = request;
    if (coding != null && !coding.isBlank() && !coding.strip().equalsIgnoreCase("identity")) {
      if (!isGzip(coding)) {
        response.setHeader("Accept-Encoding", GZIP);
        Problem.of(Problem.Kind.MEDIA_TYPE, "This content encoding is not taken; gzip is.")
            .sendTo((status, type) -> begin(response, status, type));
        return;
      }
      inflated = new GzippedRequest(request);
    }
    if (accepts(request) && !request.getMethod().equals("HEAD")) {
      GzippedResponse compressed = new GzippedResponse(response);
      chain.doFilter(inflated, compressed);
      // An answer that failed is not to look like a whole one: no end is written then.
      compressed.finish();
    } else {
      chain.doFilter(inflated, response);
    }
  }

  private static OutputStream begin(HttpServletResponse response, int status, String type)
      throws IOException {
    response.setStatus(status);
    response.setContentType(type);
    response.setHeader("Cache-Control", "no-store");
    return response.getOutputStream();
  }

  /** RFC 9110, 8.4.1.3. */
  private static boolean isGzip(String coding) {
    String name = coding.strip().toLowerCase(Locale.ROOT);
    return name.equals(GZIP) || name.equals("x-gzip");
  }

  private static boolean accepts(HttpServletRequest request) {
    String header = request.getHeader("Accept-Encoding");
    if (header == null) {
      return false;
    }
    for (String range : header.split(",", -1)) {
      String[] parts = range.split(";", 2);
      boolean refused = parts.length == 2 && parts[1].strip().matches("q=0(\\.0*)?");
      if (isGzip(parts[0]) && !refused) {
        return true;
      }
    }
    return false;
  }
}
