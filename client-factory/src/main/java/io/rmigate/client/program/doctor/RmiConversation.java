package io.rmigate.client.program.doctor;

import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.GrowingReturn;
import io.rmigate.protocol.jrmp.Jrmp;
import io.rmigate.protocol.jrmp.MessageEnd;
import io.rmigate.protocol.jrmp.MessageEnd.Aborted;
import io.rmigate.protocol.jrmp.MessageEnd.Complete;
import io.rmigate.protocol.jrmp.MessageEnd.Truncated;
import io.rmigate.protocol.jrmp.message.ReturnHeader;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;

/**
 * A client of JRMP that reads what comes instead of deserializing it. One call after the other, for
 * one thread. What it is given back as a result it neither holds nor calls.
 */
final class RmiConversation implements Closeable {
  private static final int MAX_RETURN_BYTES = 4 * 1024 * 1024;

  private final Socket socket;
  private final DataInputStream in;
  private final DataOutputStream out;
  private final EndpointId seenAs;

  private RmiConversation(Socket socket) throws IOException {
    this.socket = socket;
    in = new DataInputStream(socket.getInputStream());
    out = new DataOutputStream(socket.getOutputStream());
    seenAs = shakeHands();
  }

  /**
   * Begins one; the socket is closed with it, or at once when that fails.
   *
   * @param patience bound of each read
   * @throws ProtocolViolationException who is there does not speak RMI; the message says what it
   *     said
   */
  static RmiConversation begin(Socket socket, Duration patience) throws IOException {
    boolean done = false;
    try {
      socket.setSoTimeout((int) Math.max(1, patience.toMillis()));
      RmiConversation begun = new RmiConversation(socket);
      done = true;
      return begun;
    } finally {
      if (!done) {
        socket.close();
      }
    }
  }

  private EndpointId shakeHands() throws IOException {
    ByteArrayOutputStream header = new ByteArrayOutputStream(7);
    DataOutputStream of = new DataOutputStream(header);
    of.writeInt(Jrmp.MAGIC);
    of.writeShort(Jrmp.VERSION);
    of.writeByte(Jrmp.STREAM_PROTOCOL);
    out.write(header.toByteArray());
    out.flush();
    int answer = in.read();
    if (answer < 0) {
      throw new ProtocolViolationException("closed the connection instead of answering");
    }
    if (answer != Jrmp.PROTOCOL_ACK) {
      throw new ProtocolViolationException(
          "does not speak RMI: it answered " + printable(answer) + " where 4e was expected");
    }
    EndpointId seen = EndpointId.readFrom(in);
    out.write(new EndpointId("", 0).encode());
    out.flush();
    return seen;
  }

  /** The beginning of the wrong answer: who speaks HTTP, SSH or TLS gives itself away by it. */
  private String printable(int first) throws IOException {
    byte[] more = new byte[40];
    more[0] = (byte) first;
    int count = 1;
    try {
      int read = in.read(more, 1, more.length - 1);
      count += Math.max(0, read);
    } catch (IOException quiet) {
      // One byte has to do.
    }
    StringBuilder text = new StringBuilder();
    boolean readable = true;
    for (int i = 0; i < count; i++) {
      readable &= (more[i] >= ' ' && more[i] <= '~') || more[i] == '\r' || more[i] == '\n';
      text.append(String.format("%02x", more[i] & 0xFF));
    }
    if (readable) {
      String line = new String(more, 0, count, java.nio.charset.StandardCharsets.US_ASCII);
      return "'" + line.lines().findFirst().orElse("").strip() + "'";
    }
    return more[0] == 0x15 ? "a TLS alert" : text.substring(0, Math.min(16, text.length()));
  }

  /** This client's endpoint, as the server sees it. */
  EndpointId seenAs() {
    return seenAs;
  }

  /**
   * Calls, and acknowledges what has come.
   *
   * @param call a whole Call whose result is an object
   * @return the whole Return
   */
  byte[] call(byte[] call) throws IOException {
    out.write(call);
    out.flush();
    byte[] answer = readReturn();
    ReturnHeader header = ReturnHeader.decode(answer, 0, answer.length).orElseThrow();
    if (!header.exceptional()) {
      acknowledge(header.acknowledge());
    }
    return answer;
  }

  /**
   * Acknowledges a Return; otherwise the server keeps the objects of the result for five minutes.
   */
  private void acknowledge(byte[] uid) throws IOException {
    ByteArrayOutputStream message = new ByteArrayOutputStream(1 + uid.length);
    message.write(Jrmp.DGC_ACK);
    message.writeBytes(uid);
    out.write(message.toByteArray());
    out.flush();
  }

  private byte[] readReturn() throws IOException {
    GrowingReturn growing = new GrowingReturn();
    byte[] buffer = new byte[1024];
    int count = 0;
    while (true) {
      if (count == buffer.length) {
        if (count >= MAX_RETURN_BYTES) {
          throw new ProtocolViolationException(
              "expected a Return of at most " + MAX_RETURN_BYTES + " bytes, got more");
        }
        buffer = Arrays.copyOf(buffer, 2 * count);
      }
      int read = in.read(buffer, count, buffer.length - count);
      if (read < 0) {
        throw new EOFException("closed the connection instead of answering the call");
      }
      count += read;
      MessageEnd end = growing.end(buffer, count);
      if (end instanceof Complete complete) {
        int header =
            ReturnHeader.decode(buffer, 0, count).map(ReturnHeader::end).orElse(Integer.MAX_VALUE);
        if (complete.end() > header) { // the result has come, too
          return Arrays.copyOf(buffer, count);
        }
      } else if (end instanceof Aborted) {
        return Arrays.copyOf(buffer, count);
      } else if (!(end instanceof Truncated)) {
        throw new ProtocolViolationException("expected a Return, got " + end);
      }
    }
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      // Nothing more is wanted of it.
    }
  }
}
