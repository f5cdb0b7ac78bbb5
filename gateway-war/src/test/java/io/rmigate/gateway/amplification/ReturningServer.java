package io.rmigate.gateway.amplification;

import io.rmigate.protocol.jrmp.Jrmp;
import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * An RMI server that answers each Call with null. The length of the next Call is set before, since
 * one Call comes at a time. Neither side is charged for its threads.
 */
final class ReturningServer implements Closeable {
  private static final int HEADER_BYTES = 7;
  private static final byte[] RETURN =
      ByteBuffer.allocate(1 + 4 + 2 + 1 + Jrmp.UID_BYTES + 1)
          .put((byte) Jrmp.RETURN)
          .putInt(0xACED0005)
          .put((byte) 0x77) // a block
          .put((byte) (1 + Jrmp.UID_BYTES))
          .put((byte) Jrmp.NORMAL_RETURN)
          .put(new byte[Jrmp.UID_BYTES])
          .put((byte) 0x70) // null
          .array();

  /** Length of a reply. */
  static final int RETURN_BYTES = RETURN.length;

  private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  private final AtomicInteger callBytes = new AtomicInteger();

  ReturningServer() throws IOException {
    begin(this::accept);
  }

  private interface Work {
    void run() throws IOException;
  }

  private static void begin(Work work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (IOException closed) {
                // the end of a measurement
              }
            },
            "inner-server");
    thread.setDaemon(true);
    thread.start();
  }

  int port() {
    return listener.getLocalPort();
  }

  /** Sets the length of the next Calls. */
  void expect(int bytes) {
    callBytes.set(bytes);
  }

  private void accept() throws IOException {
    while (true) {
      Socket socket = listener.accept();
      begin(() -> serve(socket));
    }
  }

  private void serve(Socket accepted) throws IOException {
    try (Socket socket = accepted) {
      socket.setTcpNoDelay(true);
      DataInputStream in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
      DataOutputStream out = new DataOutputStream(socket.getOutputStream());
      in.skipNBytes(HEADER_BYTES);
      out.write(Jrmp.PROTOCOL_ACK);
      out.writeUTF("127.0.0.1");
      out.writeInt(socket.getPort());
      in.skipNBytes(in.readUnsignedShort() + Integer.BYTES);
      for (int first = in.read(); first >= 0; first = in.read()) {
        if (first == Jrmp.PING) {
          out.write(Jrmp.PING_ACK);
        } else {
          in.skipNBytes(callBytes.get() - 1);
          out.write(RETURN);
        }
      }
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
  }
}
