package io.rmigate.client.socks;

import io.rmigate.client.jvm.Daemons;
import io.rmigate.client.link.LinkStream;
import io.rmigate.client.stats.UsageCounters;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;

/**
 * A local connection and a raw stream, joined: bytes of each go to the other. Two threads, one for
 * each direction: the thread that runs it, and a daemon. What ends at one side ends at the other,
 * after all that came before.
 */
public final class RawPipe {
  private static final int PIECE_BYTES = 16 * 1024;

  private final Socket client;
  private final InputStream in;
  private final LinkStream stream;
  private final UsageCounters account;

  /**
   * A pipe to be.
   *
   * @param in of the client, perhaps with bytes that were looked at
   */
  public RawPipe(Socket client, InputStream in, LinkStream stream, UsageCounters account) {
    this.client = client;
    this.in = in;
    this.stream = stream;
    this.account = account;
  }

  /** Carries bytes until both directions have ended. */
  public void run() throws IOException {
    account.opaqueConnection();
    Daemons.start(Thread.currentThread().getName() + " back", this::back);
    byte[] piece = new byte[PIECE_BYTES];
    try {
      for (int count = in.read(piece); count >= 0; count = in.read(piece)) {
        stream.send(false, piece, 0, count);
        account.opaqueBytes(count);
      }
    } finally {
      stream.close();
    }
  }

  private void back() {
    byte[] piece = new byte[PIECE_BYTES];
    try {
      for (int count = read(piece); count >= 0; count = read(piece)) {
        client.getOutputStream().write(piece, 0, count);
        account.opaqueBytes(count);
      }
      client.shutdownOutput(); // so that what was written last is not lost with a reset
    } catch (IOException | RuntimeException | Error over) {
      if (stream.closeReason().isPresent()) {
        reset();
      }
      close();
    } finally {
      stream.close();
    }
  }

  /** Makes the close send a reset, because the client must not take a refusal for an end. */
  private void reset() {
    try {
      client.setSoLinger(true, 0);
    } catch (IOException harmless) {
      // The client has closed the connection.
    }
  }

  private int read(byte[] piece) throws IOException {
    return stream.read(piece, 0, piece.length, 0);
  }

  private void close() {
    try {
      client.close();
    } catch (IOException harmless) {
      // The other direction notices by itself.
    }
  }
}
