package io.rmigate.client.callback;

import io.rmigate.protocol.jrmp.Jrmp;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;

/**
 * The beginning of a JRMP connection as its client has it (RMI specification, section 10.2):
 *
 * <pre>
 *   "JRMI"  2:2  0x4B   ── acknowledged ──   host:UTF  port:4
 * </pre>
 *
 * The server reads the second part only after it has acknowledged the first, but may have both.
 */
final class Preamble {
  /** The first part; who reads more at first has a buffer of its own. */
  static final int HEADER_BYTES = 4 + 2 + 1;

  /** No address in particular. */
  static final InetAddress ANY = new InetSocketAddress(0).getAddress();

  /** For one message, with which the connection ends; nothing is acknowledged. */
  static byte[] ofOneMessage() {
    return Arrays.copyOf(bytes("", 0, Jrmp.SINGLE_OP_PROTOCOL), HEADER_BYTES);
  }

  /** Both parts. */
  static byte[] bytes(String host, int port) {
    return bytes(host, port, Jrmp.STREAM_PROTOCOL);
  }

  private static byte[] bytes(String host, int port, int protocol) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      DataOutputStream out = new DataOutputStream(bytes);
      out.writeInt(Jrmp.MAGIC);
      out.writeShort(Jrmp.VERSION);
      out.writeByte(protocol);
      out.writeUTF(host);
      out.writeInt(port);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return bytes.toByteArray();
  }

  private Preamble() {}
}
