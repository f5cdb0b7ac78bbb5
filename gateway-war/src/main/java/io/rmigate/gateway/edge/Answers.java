package io.rmigate.gateway.edge;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Complete answers with the headers that each answer of this gateway carries. */
final class Answers {
  static final String JSON = "application/json";
  static final String TEXT = "text/plain;charset=utf-8";

  private Answers() {}

  /** Sends status, headers and body. */
  static void send(HttpServletResponse response, int status, String contentType, String body)
      throws IOException {
    send(response, status, contentType, body.getBytes(StandardCharsets.UTF_8));
  }

  /** Sends status, headers and body. */
  static void send(HttpServletResponse response, int status, String contentType, byte[] body)
      throws IOException {
    harden(response);
    response.setStatus(status);
    response.setContentType(contentType);
    response.setContentLength(body.length);
    response.getOutputStream().write(body);
  }

  /** Sets headers that keep browsers, frames and caches from using the response. */
  static void harden(HttpServletResponse response) {
    response.setHeader("Cache-Control", "no-store");
    response.setHeader("X-Content-Type-Options", "nosniff");
    response.setHeader("X-Frame-Options", "DENY");
    response.setHeader("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
    response.setHeader("Referrer-Policy", "no-referrer");
    response.setHeader("Cross-Origin-Resource-Policy", "same-origin");
  }
}
