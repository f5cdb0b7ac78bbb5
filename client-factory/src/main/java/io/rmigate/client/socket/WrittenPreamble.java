package io.rmigate.client.socket;

import io.rmigate.client.mediator.MediatorAgent;
import io.rmigate.protocol.jrmp.Jrmp;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Optional;

/**
 * The client's part of the handshake: the header, which is answered here, and the endpoint that the
 * client believes to have, which servers ignore, too.
 */
final class WrittenPreamble implements WrittenMessage {
  private static final int HEADER_BYTES = 7;

  private boolean acknowledged;

  /** The length of the header or the endpoint, as far as the bytes so far tell. */
  int expectedBytes(RequestBuffer request) {
    if (!acknowledged) {
      return HEADER_BYTES;
    }
    byte[] bytes = request.bytes();
    return request.length() < 2
        ? 2
        : 2 + (((bytes[0] & 0xFF) << 8) | (bytes[1] & 0xFF)) + Integer.BYTES;
  }

  /** Whether the header was acknowledged, so that the endpoint is being written. */
  boolean isAcknowledged() {
    return acknowledged;
  }

  /** The answer to a whole header: ProtocolAck with a suggested endpoint, or a refusal. */
  byte[] answer(RequestBuffer request, MediatorAgent agent, String host) throws IOException {
    byte[] header = request.bytes();
    acknowledged =
        header[0] == 'J'
            && header[1] == 'R'
            && header[2] == 'M'
            && header[3] == 'I'
            && header[HEADER_BYTES - 1] == (byte) Jrmp.STREAM_PROTOCOL;
    if (!acknowledged) {
      // SingleOp and Multiplex are not sent by any JVM that can load us.
      return new byte[] {Jrmp.PROTOCOL_NOT_SUPPORTED};
    }
    agent.account().connectionOpened();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeByte(Jrmp.PROTOCOL_ACK);
    // Adopted by a JVM that does not know its own host (JRMP.md 2.6): what is local stays local,
    // unless inner JVMs are to reach the whole JVM at the gateway.
    Optional<String> suggested = agent.callbacks().references().suggestedHost();
    out.writeUTF(suggested.isPresent() ? suggested.get() : agent.innerHost().orElse(host));
    out.writeInt(0);
    return bytes.toByteArray();
  }
}
