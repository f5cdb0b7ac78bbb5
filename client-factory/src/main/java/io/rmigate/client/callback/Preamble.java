package io.rmigate.client.callback;

import io.rmigate.protocol.jrmp.Jrmp;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;

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
  /** No address in particular. */
  static final InetAddress ANY = new InetSocketAddress(0).getAddress();

  /** Both parts. */
  static byte[] bytes(String host, int port) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      DataOutputStream out = new DataOutputStream(bytes);
      out.writeInt(Jrmp.MAGIC);
      out.writeShort(Jrmp.VERSION);
      out.writeByte(Jrmp.STREAM_PROTOCOL);
      out.writeUTF(host);
      out.writeInt(port);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return bytes.toByteArray();
  }

  private Preamble() {}
}
