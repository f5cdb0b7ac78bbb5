package io.rmigate.client.program.sidecar;

import io.rmigate.client.link.LinkStream;
import io.rmigate.client.socket.PassingReturn;
import io.rmigate.client.stats.UsageCounters;
import io.rmigate.protocol.jrmp.Jrmp;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A Call of an inner JVM that a JVM here has been given, or the beginning of it. Two threads: one
 * brings the rest, the other one, which runs it, carries the Return, behind which the JVM closes
 * the connection. Whether a Return that is cut short is whole is seen as far as its grammar shows
 * it.
 */
final class LocalCall implements Runnable {
  private static final int PIECE_BYTES = 16 * 1024;

  /** A JVM closes the connection right behind its Return. */
  private static final long LONGEST_CLOSE_SECONDS = 30;

  private final LocalJvm jvm;
  private final Socket socket;
  private final LinkStream stream;
  private final UsageCounters account;

  /** Whether its Return has begun. Confined to the thread that carries it. */
  private boolean answered;

  /** Whether the JVM takes no more of the Call; its answer still counts. */
  private boolean deaf;

  /** Open until all there is of the Return was sent. */
  private final CountDownLatch sent = new CountDownLatch(1);

  /** Open until the inner JVM goes on, or has gone. */
  private final CountDownLatch over = new CountDownLatch(1);

  private final Duration longestRest;

  /**
   * @param longestRest after which inner JVMs give a connection up that they do not use
   */
  LocalCall(
      LocalJvm jvm, Socket socket, LinkStream stream, UsageCounters account, Duration longestRest) {
    this.jvm = jvm;
    this.socket = socket;
    this.stream = stream;
    this.account = account;
    this.longestRest = longestRest;
  }

  /**
   * The inner JVM has said something else since the Return began: waits until that was sent, which
   * it was already unless there is more of it than the inner JVM has waited for.
   */
  void awaitSent() {
    try {
      sent.await(LONGEST_CLOSE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException nobodyDoes) {
      Thread.currentThread().interrupt();
    }
  }

  /** Passes more bytes of the Call to the JVM. */
  void add(byte[] bytes, int offset, int length) {
    try {
      if (!deaf) {
        socket.getOutputStream().write(bytes, offset, length);
      }
    } catch (IOException noMore) {
      deaf = true;
    }
  }

  /** Carries the Return. Without one, the inner JVM's connection ends, as it would have there. */
  @Override
  public void run() {
    byte[] piece = new byte[PIECE_BYTES];
    PassingReturn passing = new PassingReturn();
    try (socket) {
      InputStream in = socket.getInputStream();
      for (int count = in.read(piece); count >= 0; count = in.read(piece)) {
        if (!answered) {
          begin(piece[0]);
        }
        account.plainBytes(count);
        passing.add(piece, count);
        stream.send(false, piece, 0, count);
      }
    } catch (IOException failed) {
      System.getLogger(LocalCall.class.getName())
          .log(System.Logger.Level.DEBUG, "call to {0}: {1}", jvm, failed);
    }
    sent.countDown();
    if (!passing.mayBeOver() && (!passing.isUnknown() || !goesOn())) {
      stream.close();
    }
  }

  /**
   * Whether the inner JVM says something else, so that the Return was whole. It may do so as long
   * as it keeps the connection: the gateway answers its pings.
   */
  private boolean goesOn() {
    try {
      return over.await(longestRest.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException nobodyDoes) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private void begin(byte code) throws IOException {
    if (code != Jrmp.RETURN) {
      System.getLogger(LocalCall.class.getName())
          .log(
              System.Logger.Level.WARNING,
              "the program that listens at {0} does not speak JRMP",
              jvm);
      throw new IOException("expected a Return, got 0x" + Integer.toHexString(code & 0xFF));
    }
    account.calledBack();
    answered = true;
  }

  /** Ends the call, because the inner JVM has sent another message or is gone. */
  void end() {
    over.countDown();
    try {
      socket.close();
    } catch (IOException harmless) {
      // It is of no use any more.
    }
  }
}
