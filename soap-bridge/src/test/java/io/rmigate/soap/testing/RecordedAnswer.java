package io.rmigate.soap.testing;

import io.rmigate.soap.http.HttpReply;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** An answer as a client would get it, in JSON or SOAP. */
class RecordedAnswer implements HttpReply {
  private final ByteArrayOutputStream body = new ByteArrayOutputStream();
  private int status;
  private String contentType;

  @Override
  public final OutputStream begin(int code, String type) {
    if (status != 0) {
      throw new IllegalStateException("begun twice");
    }
    status = code;
    contentType = type;
    return body;
  }

  public final int status() {
    return status;
  }

  public final String contentType() {
    return contentType;
  }

  public final byte[] body() {
    return body.toByteArray();
  }

  public final String text() {
    return body.toString(StandardCharsets.UTF_8);
  }

  @Override
  public String toString() {
    return status + " " + contentType + "\n" + text();
  }
}
