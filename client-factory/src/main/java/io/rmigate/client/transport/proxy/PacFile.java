package io.rmigate.client.transport.proxy;

import io.rmigate.client.pac.PacScript;
import io.rmigate.client.transport.net.Deadline;
import io.rmigate.client.transport.net.TlsLayer;
import io.rmigate.client.transport.net.UninterruptibleWait;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * The PAC file: a local one is read again when it has changed, one on a server when what is known
 * of it is ten minutes old. Where that fails, what it said last holds, and it is asked for again in
 * a minute; where nothing was ever known and its server cannot be reached, in half a minute.
 * Thread-safe; who comes while another one fetches waits for that, within its time.
 */
final class PacFile {
  private static final Duration FRESH = Duration.ofMinutes(10);
  private static final Duration AFTER_A_FAILURE = Duration.ofMinutes(1);
  private static final Duration UNREACHABLE = Duration.ofSeconds(30);

  /** Divisor of the time for a connection: the connection itself needs the rest. */
  private static final int SHARE = 3;

  private final URI location;
  private final TlsLayer tls;
  private final LongSupplier nanoTime;
  private final ReentrantLock lock = new ReentrantLock();
  private PacScript script; // guarded by lock; null before it was first read
  private String stamp = ""; // guarded by lock
  private long nextNanos; // guarded by lock; when the server is to be asked again
  private String
      unreachable; // guarded by lock; why it could not be asked; null: it could, or never
  private boolean warned; // guarded by lock

  /**
   * @param tls to its server
   */
  PacFile(URI location, TlsLayer tls) {
    this(location, tls, System::nanoTime);
  }

  /**
   * @param nanoTime the clock
   */
  PacFile(URI location, TlsLayer tls, LongSupplier nanoTime) {
    this.location = location;
    this.tls = tls;
    this.nanoTime = nanoTime;
    this.nextNanos = nanoTime.getAsLong();
  }

  /**
   * The script.
   *
   * @throws ConnectException its server cannot be reached, and never could
   * @throws IOException it cannot be had or understood, and never could
   */
  PacScript script(Deadline deadline) throws IOException {
    lock(deadline);
    try {
      boolean local = location.getScheme().equals("file");
      if (local || nextNanos - nanoTime.getAsLong() <= 0) {
        try {
          if (local) {
            readFile(Path.of(location));
          } else {
            fetch(Deadline.in(deadline.remaining().dividedBy(SHARE)));
          }
          warned = false;
        } catch (IOException e) {
          onFailure(e);
        }
      }
      if (script == null) {
        throw new ConnectException(unreachable);
      }
      return script;
    } finally {
      lock.unlock();
    }
  }

  private void lock(Deadline deadline) throws IOException {
    if (!UninterruptibleWait.tryLock(lock, deadline.remaining().toNanos())) {
      throw new SocketTimeoutException(
          "the PAC file " + location + " is being fetched, and was not there in time");
    }
  }

  private void readFile(Path file) throws IOException {
    String now = Files.getLastModifiedTime(file) + " " + Files.size(file);
    if (script == null || !now.equals(stamp)) {
      byte[] bytes;
      try (InputStream in = Files.newInputStream(file)) {
        bytes = in.readNBytes(PacScript.MAX_BYTES + 1); // one too many is refused below
      }
      script = PacScript.parse(file.toString(), new String(bytes, StandardCharsets.UTF_8));
      stamp = now;
    }
  }

  private void fetch(Deadline deadline) throws IOException {
    String text = new PacDownload(location, tls).fetch(deadline);
    if (script == null || !text.equals(stamp)) {
      script = PacScript.parse(location.toString(), text);
      stamp = text;
    }
    unreachable = null;
    nextNanos = nanoTime.getAsLong() + FRESH.toNanos();
  }

  /** Keeps the script that is known, with one warning; without a script, throws the failure. */
  private void onFailure(IOException failure) throws IOException {
    if (script != null) {
      nextNanos = nanoTime.getAsLong() + AFTER_A_FAILURE.toNanos();
      if (!warned) {
        warned = true;
        System.getLogger(PacFile.class.getName())
            .log(
                System.Logger.Level.WARNING,
                "the PAC file {0} as it was goes on being used: {1}",
                location,
                failure.getMessage());
      }
    } else if (failure instanceof ConnectException
        || failure instanceof UnknownHostException
        || failure instanceof SocketTimeoutException) {
      nextNanos = nanoTime.getAsLong() + UNREACHABLE.toNanos();
      unreachable = failure.getMessage();
      ConnectException remembered = new ConnectException(unreachable);
      remembered.initCause(failure);
      throw remembered;
    } else {
      throw failure;
    }
  }
}
