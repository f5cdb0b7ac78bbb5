package io.rmigate.gateway.services;

import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestWrapper;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * What a client is still sending of a body that is refused. Containers close a connection on which
 * more comes than was read, and a close with unread bytes is a reset, which may take the answer
 * away from a client that is still writing (RFC 9112, 9.6): it is read first, and thrown away.
 */
final class UnreadBody {
  private static final int PIECE = 8 << 10;

  /** Far faster than a body that is wanted must come. */
  private static final Pace PACE = new Pace(Duration.ofSeconds(2), 1 << 20);

  private final LongSupplier ticker;

  UnreadBody(LongSupplier ticker) {
    this.ticker = ticker;
  }

  /**
   * Reads to the end of the body, unless that is too far away: what comes then is a reset. It is
   * read as it came, because one that cannot be inflated has no end otherwise.
   *
   * @param most bytes
   */
  void passOver(HttpServletRequest request, long most) {
    if (request.getHeader("Expect") != null) {
      return; // it may be waiting to be asked for its body, and can go without one
    }
    byte[] piece = new byte[PIECE];
    long begun = ticker.getAsLong();
    long read = 0;
    try {
      InputStream body = asItCame(request).getInputStream();
      for (int got = 0; got >= 0 && read <= most; got = body.read(piece)) {
        read += got;
        if (ticker.getAsLong() - begun > PACE.nanosFor(read)) {
          return;
        }
      }
    } catch (IOException gone) {
      // The answer fails, too, and reports it.
    }
  }

  private static ServletRequest asItCame(ServletRequest request) {
    ServletRequest outer = request;
    while (outer instanceof ServletRequestWrapper wrapper) {
      outer = wrapper.getRequest();
    }
    return outer;
  }
}
