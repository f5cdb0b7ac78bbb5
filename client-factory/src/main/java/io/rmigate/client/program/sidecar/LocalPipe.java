package io.rmigate.client.program.sidecar;

import io.rmigate.client.jvm.Daemons;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;

/**
 * A client and a JVM here that turns out to be what it wants to reach, joined. Two threads, one for
 * each direction: the thread that runs it, and a daemon. What ends at one side ends at the other.
 */
final class LocalPipe {
  private final Socket client;
  private final InputStream in;
  private final Socket jvm;

  /**
   * A pipe to be.
   *
   * @param in of the client, perhaps with bytes that were looked at
   */
  LocalPipe(Socket client, InputStream in, Socket jvm) {
    this.client = client;
    this.in = in;
    this.jvm = jvm;
  }

  /** Carries bytes until the client ends, or the JVM. */
  void run() throws IOException {
    Daemons.start(Thread.currentThread().getName() + " back", this::back);
    in.transferTo(jvm.getOutputStream());
  }

  private void back() {
    try (client) {
      jvm.getInputStream().transferTo(client.getOutputStream());
    } catch (IOException over) {
      System.getLogger(LocalPipe.class.getName())
          .log(System.Logger.Level.DEBUG, "to a JVM here: {0}", over);
    }
  }
}
