package io.rmigate.protocol.jrmp;

import io.rmigate.protocol.ProtocolViolationException;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Host and port as exchanged in the handshake (RMI specification, section 10.2, {@code
 * EndpointIdentifier}): UTF host, int32 port.
 *
 * @param host as the sender writes it; nothing is resolved
 * @param port as sent, unchecked: a client that serves nothing says 0
 */
public record EndpointId(String host, int port) {

  /**
   * Reads one.
   *
   * @throws EOFException when the input ends before it does
   * @throws ProtocolViolationException when the host is not modified UTF-8
   */
  public static EndpointId readFrom(DataInput in) throws IOException {
    byte[] host = new byte[in.readUnsignedShort()];
    in.readFully(host);
    return new EndpointId(text(host, 0, host.length), in.readInt());
  }

  private static String text(byte[] b, int off, int len) throws ProtocolViolationException {
    if (!ModifiedUtf8.isValid(b, off, len)) {
      throw new ProtocolViolationException("expected an endpoint's host in modified UTF-8");
    }
    return ModifiedUtf8.decode(b, off, len);
  }

  /** Writes this. */
  public void writeTo(DataOutput out) throws IOException {
    out.writeUTF(host);
    out.writeInt(port);
  }

  /**
   * Reads one from the beginning of a range.
   *
   * @throws EOFException when the range ends before it does
   * @throws ProtocolViolationException when the host is not modified UTF-8
   */
  public static EndpointId decode(byte[] b, int off, int len) throws IOException {
    int hostLength = len < 2 ? 0 : BigEndian.unsignedShort(b, off);
    int port = off + 2 + hostLength;
    if (off + len - port < Integer.BYTES) {
      throw new EOFException("an endpoint in " + len + " bytes");
    }
    return new EndpointId(text(b, off + 2, hostLength), BigEndian.int32(b, port));
  }

  /** The bytes of this. */
  public byte[] encode() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      writeTo(new DataOutputStream(bytes));
    } catch (IOException e) {
      // Only a host of more than 65535 bytes, which is none.
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  // Written out: equals and hashCode of records load java.lang.invoke at the start of a program.
  @Override
  public boolean equals(Object other) {
    return other instanceof EndpointId id && port == id.port && host.equals(id.host);
  }

  @Override
  public int hashCode() {
    return 31 * host.hashCode() + port;
  }

  @Override
  public String toString() {
    return host + ":" + port;
  }
}
