package io.rmigate.gateway.edge;

import io.rmigate.gateway.log.RareLines;
import io.rmigate.protocol.AddressLiteral;
import io.rmigate.protocol.AddressOwner;
import io.rmigate.protocol.LogText;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps what a servlet throws from its container, which would write a stack trace to its own log
 * for each request: a caller who finds a request that fails could fill that log.
 */
public final class FailureFilter extends HttpFilter {
  private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(FailureFilter.class);

  private final transient RareLines lines;

  /**
   * @param lines of callers
   */
  public FailureFilter(RareLines lines) {
    this.lines = lines;
  }

  /** The container ends a connection whose answer has begun, because it is told of the failure. */
  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    try {
      chain.doFilter(request, response);
    } catch (IOException cutOff) {
      if (response.isCommitted()) {
        throw cutOff;
      }
      answer(request, response, HttpServletResponse.SC_BAD_REQUEST, cutOff);
    } catch (ServletException | RuntimeException failure) {
      if (response.isCommitted()) {
        throw failure;
      }
      answer(request, response, HttpServletResponse.SC_INTERNAL_SERVER_ERROR, failure);
    }
  }

  private void answer(
      HttpServletRequest request, HttpServletResponse response, int status, Exception failure)
      throws IOException {
    Object caller =
        AddressLiteral.ofPeer(String.valueOf(request.getRemoteAddr()))
            .<Object>map(AddressOwner::of)
            .orElse("unknown address");
    lines.warn(
        LOG,
        caller,
        "{} {} of {} failed, answered with {}",
        LogText.brief(request.getMethod()),
        LogText.brief(request.getRequestURI()),
        caller,
        status,
        failure);
    response.reset();
    response.setHeader("Connection", "close");
    Answers.send(
        response,
        status,
        Answers.TEXT,
        status == HttpServletResponse.SC_BAD_REQUEST
            ? "The request is incomplete.\n"
            : "The request failed; the gateway's log says why.\n");
  }
}
