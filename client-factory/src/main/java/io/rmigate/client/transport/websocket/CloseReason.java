package io.rmigate.client.transport.websocket;

/**
 * What the gateway's close frame said.
 *
 * @param code RFC 6455 §7.4; 1005 if the frame carried none
 * @param text as sent, control characters replaced; may be empty
 */
public record CloseReason(int code, String text) {
  @Override
  public String toString() {
    return text.isEmpty() ? Integer.toString(code) : code + " " + text;
  }
}
