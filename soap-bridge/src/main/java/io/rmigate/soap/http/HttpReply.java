package io.rmigate.soap.http;

import java.io.IOException;
import java.io.OutputStream;

/** Where an answer goes: the response of a container. Used by the thread that calls. */
public interface HttpReply {

  /**
   * The number under which the log and the audit of the gateway have the refusal of which this
   * answer tells; empty where it tells of none.
   *
   * @param refuses the answer itself is a refusal; else it is one if the call behind it was refused
   * @param reason for people inside, with nothing of the request in it
   */
  default String refusal(boolean refuses, String reason) {
    return "";
  }

  /**
   * Sends the head; called once.
   *
   * @param contentType empty: there is no body
   * @return takes the body; the caller flushes, and does not close
   */
  OutputStream begin(int status, String contentType) throws IOException;

  /**
   * Sends an answer of which all is known, in one piece where the container can; instead of {@link
   * #begin}.
   *
   * @param body its first {@code length} bytes
   */
  default void send(int status, String contentType, byte[] body, int length) throws IOException {
    OutputStream out = begin(status, contentType);
    out.write(body, 0, length);
    out.flush();
  }
}
