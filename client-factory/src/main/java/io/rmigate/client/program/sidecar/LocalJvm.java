package io.rmigate.client.program.sidecar;

import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.Jrmp;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;

/**
 * A JVM here that exports objects, and has nothing of ours.
 *
 * <p>Each message gets a connection of its own, by SingleOpProtocol (JRMP.md 4.5): the JVM takes
 * one message from it, answers, and closes it. So nothing that an inner JVM spells within a Call is
 * ever executed as another one, the end of a Return is seen, and no connection outlives a restart
 * of the JVM.
 *
 * @param at where it listens
 */
record LocalJvm(EndpointId at) {
  private static final int CONNECT_MILLIS = 10_000;
  private static final byte[] HEADER = {
    (byte) (Jrmp.MAGIC >>> 24),
    (byte) (Jrmp.MAGIC >>> 16),
    (byte) (Jrmp.MAGIC >>> 8),
    (byte) Jrmp.MAGIC,
    0,
    Jrmp.VERSION,
    Jrmp.SINGLE_OP_PROTOCOL
  };

  /** A connection of which nothing has been said. */
  Socket connect() throws IOException {
    Socket socket = new Socket();
    try {
      socket.connect(new InetSocketAddress(at.host(), at.port()), CONNECT_MILLIS);
      socket.setTcpNoDelay(true);
      return socket;
    } catch (IOException failed) {
      socket.close();
      throw failed;
    }
  }

  /** A connection for one message, which begins so. */
  Socket begin(byte[] bytes, int offset, int length) throws IOException {
    Socket socket = connect();
    try {
      byte[] first = new byte[HEADER.length + length];
      System.arraycopy(HEADER, 0, first, 0, HEADER.length);
      System.arraycopy(bytes, offset, first, HEADER.length, length);
      socket.getOutputStream().write(first);
      return socket;
    } catch (IOException failed) {
      socket.close();
      throw failed;
    }
  }

  @Override
  public String toString() {
    return at.toString();
  }
}
