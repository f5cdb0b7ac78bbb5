package io.rmigate.perf.box;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** Copies the bytes of two sockets to each other until either ends. */
final class Splice {
  private static final int BUFFER_BYTES = 16 * 1024;
  private static final int LOOK_MILLIS = 250;

  private final Socket client;
  private final Socket inner;
  private final Duration idle;
  private final AtomicLong lastNanos = new AtomicLong(System.nanoTime());

  /**
   * @param idle time without a byte in either direction after which both are closed; zero: never
   */
  Splice(Socket client, Socket inner, Duration idle) {
    this.client = client;
    this.inner = inner;
    this.idle = idle;
  }

  /** Returns when either has ended, with both closed. */
  void run() throws IOException {
    if (!idle.isZero()) {
      client.setSoTimeout(LOOK_MILLIS);
      inner.setSoTimeout(LOOK_MILLIS);
    }
    Listener.daemon("box back", () -> copyAndClose(inner, client));
    copyAndClose(client, inner);
  }

  private void copyAndClose(Socket from, Socket to) {
    try {
      copy(from.getInputStream(), to.getOutputStream());
    } catch (IOException over) {
      // The other direction hears of it when its socket is closed.
    } finally {
      Listener.closeQuietly(from);
      Listener.closeQuietly(to);
    }
  }

  private void copy(InputStream in, OutputStream out) throws IOException {
    byte[] buffer = new byte[BUFFER_BYTES];
    while (true) {
      try {
        int length = in.read(buffer);
        if (length < 0) {
          return;
        }
        lastNanos.set(System.nanoTime());
        out.write(buffer, 0, length);
      } catch (SocketTimeoutException silence) {
        if (System.nanoTime() - lastNanos.get() > idle.toNanos()) {
          return;
        }
      }
    }
  }
}
