package io.rmigate.gateway.bridge.marshal;

import io.rmigate.protocol.jrmp.message.LiveReference;
import java.util.List;

/** The content of a Return. */
public sealed interface Reply {

  /**
   * The method has returned.
   *
   * @param value null for void
   * @param references all that are in it
   * @param acknowledge the UID by which a DgcAck tells the server that they are held
   */
  @SuppressWarnings("ArrayRecordComponent") // wire bytes: identity, not value
  record Result(Object value, List<LiveReference> references, byte[] acknowledge) implements Reply {
    public Result {
      references = List.copyOf(references);
    }
  }

  /** The method, or the server in its place, has thrown this. */
  record Thrown(Throwable exception) implements Reply {}

  /**
   * The object has thrown something that is not let in.
   *
   * @param refusal why not
   */
  record ThrownUnread(AnswerRefusedException refusal) implements Reply {}
}
