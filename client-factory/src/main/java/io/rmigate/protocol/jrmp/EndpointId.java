package io.rmigate.protocol.jrmp;

import io.rmigate.protocol.ProtocolViolationException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UTFDataFormatException;
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
    try {
      return new EndpointId(in.readUTF(), in.readInt());
    } catch (UTFDataFormatException e) {
      throw new ProtocolViolationException(
          "expected an endpoint's host in modified UTF-8, got: " + e.getMessage());
    }
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
    return readFrom(new DataInputStream(new ByteArrayInputStream(b, off, len)));
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

  @Override
  public String toString() {
    return host + ":" + port;
  }
}
