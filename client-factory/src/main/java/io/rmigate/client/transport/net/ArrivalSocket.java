package io.rmigate.client.transport.net;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Proxy;
import java.net.Socket;
import java.util.concurrent.atomic.LongAdder;

/**
 * A TCP connection that counts what it receives, below TLS. A TLS record has up to 16 KiB; over a
 * slow link it is many seconds on its way, in which nothing but this count shows that the link is
 * alive. The count is written by the thread that reads, and read by any.
 */
public final class ArrivalSocket extends Socket {
  /** Bytes received. Written by one thread at a time. */
  private volatile long arrived;

  /** Counts the bytes of several connections; null when there is only one. */
  private volatile LongAdder sum;

  /** Not connected yet, and never by a proxy that the JVM's properties name. */
  ArrivalSocket() {
    super(Proxy.NO_PROXY);
  }

  /**
   * Bytes that a connection has received, below TLS.
   *
   * @param connection any socket
   * @param known what to say of a socket that does not count
   */
  public static long of(Socket connection, long known) {
    return connection instanceof ArrivalSocket counting ? counting.arrived : known;
  }

  /** Makes a connection add the bytes it receives from now on to a sum, if it counts. */
  public static void addTo(LongAdder sum, Socket connection) {
    if (connection instanceof ArrivalSocket counting) {
      counting.sum = sum;
    }
  }

  @Override
  public InputStream getInputStream() throws IOException {
    return new Counting(super.getInputStream());
  }

  private final class Counting extends FilterInputStream {
    Counting(InputStream in) {
      super(in);
    }

    @Override
    public int read(byte[] to, int offset, int length) throws IOException {
      int count = super.read(to, offset, length);
      if (count > 0) {
        onArrival(count);
      }
      return count;
    }
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // one thread reads at a time
  private void onArrival(int bytes) {
    arrived += bytes;
    LongAdder all = sum;
    if (all != null) {
      all.add(bytes);
    }
  }
}
