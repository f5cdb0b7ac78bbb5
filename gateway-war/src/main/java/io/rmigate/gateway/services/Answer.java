package io.rmigate.gateway.services;

import io.rmigate.gateway.policy.Refusal;
import io.rmigate.soap.http.HttpReply;
import io.rmigate.soap.json.Problem;
import jakarta.servlet.http.HttpServletResponse;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.function.UnaryOperator;

/** The response of the container. Used by the request's thread. */
final class Answer implements HttpReply {
  private static final String RETRY_SECONDS = "1";
  private static final String PROBLEM = "application/problem+json";

  /** Status of a declared exception, which is a problem and an answer. */
  private static final int DECLARED = 422;

  private static final byte[] NOTHING = {};

  private final HttpServletResponse response;
  private final UnaryOperator<OutputStream> paced;
  private int status;

  /** Takes {@code whole}; null if there is nothing to be sent. */
  private OutputStream rest;

  private byte[] whole = NOTHING;
  private int wholeLength;
  private Runnable lost = () -> {};
  private boolean problem;

  /** The refusal of the request; null unless it is refused. */
  private Refusal refusal;

  private boolean cut;
  private long bytes;

  /**
   * @param paced sees to it that a body is not taken too slowly
   */
  Answer(HttpServletResponse response, UnaryOperator<OutputStream> paced) {
    this.response = response;
    this.paced = paced;
  }

  @Override
  public OutputStream begin(int code, String contentType) throws IOException {
    if (status != 0) {
      throw new IllegalStateException("answered twice");
    }
    status = code;
    problem = contentType.startsWith(PROBLEM) && code != DECLARED;
    response.setStatus(code);
    response.setHeader("Cache-Control", "no-store");
    response.setHeader("X-Content-Type-Options", "nosniff");
    response.setHeader("X-Frame-Options", "DENY");
    response.setHeader("Referrer-Policy", "no-referrer");
    response.setHeader("Cross-Origin-Resource-Policy", "same-origin");
    if (!response.containsHeader("Content-Security-Policy")) {
      response.setHeader("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
    }
    if (contentType.isEmpty()) {
      return OutputStream.nullOutputStream();
    }
    response.setContentType(contentType);
    return new Counted(paced.apply(response.getOutputStream()));
  }

  private final class Counted extends FilterOutputStream {
    Counted(OutputStream to) {
      super(to);
    }

    @Override
    public void write(int one) throws IOException {
      out.write(one);
      bytes++;
    }

    @Override
    public void write(byte[] all, int offset, int length) throws IOException {
      out.write(all, offset, length);
      bytes += length;
    }
  }

  /** The request, or the call behind it, is refused. The first refusal counts. */
  Refusal refused(Refusal its) {
    refusal = refusal == null ? its : refusal;
    return refusal;
  }

  @Override
  public String refusal(boolean refuses, String reason) {
    if (refusal == null && refuses) {
      refusal = Refusal.of(reason);
    }
    return refusal == null ? "" : refusal.number();
  }

  /** Bytes of the body, so far. */
  long bytes() {
    return bytes;
  }

  /**
   * Replaces the answer by a problem. An answer of which no byte has been sent is dropped.
   *
   * @throws IOException a part of the answer has been sent: the connection must be cut
   */
  void instead(Problem other, Throwable cause) throws IOException {
    if (status != 0) {
      if (response.isCommitted()) {
        cut = true;
        throw new IOException("the answer failed after its head was sent: " + cause);
      }
      response.reset();
      forget();
      bytes = 0;
      lost.run();
      status = 0;
    }
    if (other.kind().status() == 429 || other.kind().status() == 503) {
      header("Retry-After", RETRY_SECONDS);
    }
    other.sendTo(this);
  }

  /**
   * The body is kept until {@link #finish}, so that a client that reads slowly holds no other
   * resource.
   */
  @Override
  public void send(int code, String contentType, byte[] body, int length) throws IOException {
    response.setContentLength(length);
    rest = begin(code, contentType);
    whole = body;
    wholeLength = length;
  }

  /** Sends all of it. */
  void send(int code, String contentType, byte[] body) throws IOException {
    send(code, contentType, body, body.length);
  }

  /** Sets the action to run, perhaps more than once, if the answer does not reach the client. */
  void ifLost(Runnable action) {
    lost = action;
  }

  /**
   * Sends what is still here; with its end known, the container sends head and body together.
   *
   * @throws IOException the client is gone
   */
  void finish() throws IOException {
    if (rest == null) {
      return;
    }
    try {
      rest.write(whole, 0, wholeLength);
      rest.flush();
    } catch (IOException | RuntimeException e) {
      cut = true;
      lost.run();
      throw e;
    } finally {
      forget();
    }
  }

  private void forget() {
    rest = null;
    whole = NOTHING;
  }

  void header(String name, String value) {
    response.setHeader(name, value);
  }

  /** Whether an answer of a remote object was begun, and no problem on the way to it. */
  boolean isWhatWasAskedFor() {
    return status != 0 && !problem;
  }

  /** Whether it says that there was no call, or none that came to an end. */
  boolean isRefusal() {
    return status() != 0 && problem;
  }

  /** 0: none yet, or it was cut off. */
  int status() {
    return cut ? 0 : status;
  }
}
