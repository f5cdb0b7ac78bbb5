package io.rmigate.client.transport.websocket;

import static io.rmigate.client.transport.websocket.WebSocketProtocol.CLOSE_NORMAL;
import static io.rmigate.client.transport.websocket.WebSocketProtocol.CLOSE_NO_STATUS;
import static io.rmigate.client.transport.websocket.WebSocketProtocol.CLOSE_PROTOCOL_ERROR;
import static io.rmigate.client.transport.websocket.WebSocketProtocol.OPCODE_CLOSE;
import static io.rmigate.client.transport.websocket.WebSocketProtocol.OPCODE_PING;
import static io.rmigate.client.transport.websocket.WebSocketProtocol.OPCODE_PONG;

import io.rmigate.client.config.Way;
import io.rmigate.client.jvm.Daemons;
import io.rmigate.client.jvm.NoThreadException;
import io.rmigate.client.transport.Transport;
import io.rmigate.client.transport.net.ArrivalSocket;
import io.rmigate.client.transport.net.SocketGuard;
import io.rmigate.client.transport.net.SocketTeardown;
import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.tunnel.Tunnel;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A WebSocket after its handshake. Three kinds of thread meet here: the one that reads (which also
 * answers pings and the close frame), the one that writes, and any that closes.
 *
 * <p><b>Control frames never wait for a writer.</b> A writer may be blocked because the gateway
 * does not read, and the gateway may not read until the agent reads what it sends; a reader that
 * waited for the writer's lock to send a pong would close that circle. So the answer is left in
 * {@link #pending} and sent by the thread that holds the lock, at the latest when the write ends.
 * Of several pings only the last is answered then (RFC 6455 §5.5.3 allows it); a close frame's
 * answer displaces a pong. The one remaining wait is the reader's own pong when the operating
 * system's send buffer is full and no writer is active: then the gateway has stopped reading
 * altogether, and the link's heartbeat ends the connection.
 *
 * <p><b>Closing never waits.</b> The close frame is written by a short-lived thread and only if no
 * writer is active; the plain socket is closed right after, or after {@link #CLOSE_FRAME_TIMEOUT}
 * if it does not drain. With a writer active the plain socket is closed at once. An SSLSocket is
 * never closed itself: its close may queue behind the writer for the right to send an alert.
 */
public final class WebSocketTransport implements Transport {
  private static final Duration CLOSE_FRAME_TIMEOUT = Duration.ofMillis(250);

  /** Silence after which frames of ours do not get to the gateway, besides some round trips. */
  private static final Duration PROOF_TIME = Duration.ofSeconds(2);

  private static final int PROOF_ROUND_TRIPS = 3;

  /** The gateway waits for ten seconds for an agent of which it has heard nothing but the hello. */
  private static final Duration LONGEST_PROOF = Duration.ofSeconds(5);

  /** A control frame to be sent; immutable, the payload belongs to it. */
  private static final class ControlFrame {
    private final int opcode;
    private final byte[] payload;

    ControlFrame(int opcode, byte[] payload) {
      this.opcode = opcode;
      this.payload = payload;
    }
  }

  private final Socket plainSocket;
  private final String description;
  private final WebSocketFrameReader reader; // confined to the reading thread
  private final WebSocketFrameWriter writer; // guarded by writeLock
  private final ReentrantLock writeLock = new ReentrantLock();
  private final AtomicReference<ControlFrame> pending = new AtomicReference<>();
  private final AtomicBoolean closed = new AtomicBoolean(); // by us, for any reason

  private volatile CloseReason closeReason; // null until the gateway's close frame is here

  /** A ping has been sent and not been answered. */
  private volatile boolean unproven;

  /** Empty if the gateway has not taken the hello. Written before other threads know this. */
  private OptionalLong helloNanos = OptionalLong.empty();

  private boolean closeSent; // guarded by writeLock
  private IOException writeFailure; // guarded by writeLock; null while frames are whole

  /**
   * Takes over a connection on which the HTTP handshake is done.
   *
   * @param plainSocket the TCP socket, below TLS if there is TLS
   * @param in of the topmost layer, as {@code out}
   * @param early bytes that came together with the end of the handshake
   */
  WebSocketTransport(
      Socket plainSocket,
      InputStream in,
      OutputStream out,
      ByteBuffer early,
      MaskKeys keys,
      String description) {
    this.plainSocket = plainSocket;
    this.description = description;
    this.reader = new WebSocketFrameReader(in, early, new Answers());
    this.writer = new WebSocketFrameWriter(out, keys);
  }

  /**
   * The gateway has taken the hello with the request to upgrade. Before anything is read or
   * written.
   *
   * @param nanos see {@link #helloNanos}
   */
  void greeted(long nanos) {
    helloNanos = OptionalLong.of(nanos);
  }

  @Override
  public OptionalLong helloNanos() {
    return helloNanos;
  }

  /**
   * Asks the gateway for the answer to a ping, as {@link #prove} does, and does not wait for it:
   * {@link #read} fails if it has not come when nothing has come for a while. Before anything is
   * read or written.
   */
  void proveLater() throws IOException {
    long nanos = PROOF_TIME.toNanos() + PROOF_ROUND_TRIPS * helloNanos.orElse(0);
    plainSocket.setSoTimeout((int) Math.min(LONGEST_PROOF.toMillis(), nanos / 1_000_000));
    unproven = true;
    writer.writeControl(OPCODE_PING, new byte[0]);
  }

  @Override
  public boolean isUnproven() {
    return unproven;
  }

  /**
   * Has the gateway answer a ping, which shows that frames pass both ways. Before anything is
   * written, or read by {@link #read}.
   */
  void prove() throws IOException {
    writer.writeControl(OPCODE_PING, new byte[0]);
    if (helloNanos.isPresent()) {
      reader.awaitPong(); // the welcome comes first, and does not show that our frames pass
    } else {
      reader.awaitSign();
    }
  }

  @Override
  public Optional<Way> way() {
    return Optional.of(Way.WEBSOCKET);
  }

  /** Queues the answers to control frames; called on the reading thread. */
  private final class Answers implements WebSocketFrameReader.ControlFrames {
    @Override
    public void onPing(byte[] payload) throws IOException {
      pending.set(new ControlFrame(OPCODE_PONG, payload));
      sendPending();
    }

    @Override
    public void onPong() throws IOException {
      if (unproven) {
        unproven = false;
        plainSocket.setSoTimeout(0);
      }
    }

    @Override
    public void onClose(CloseReason reason) {
      closeReason = reason;
      pending.set(closeFrame(reason.code() == CLOSE_NO_STATUS ? CLOSE_NORMAL : reason.code()));
      try {
        sendPending();
      } catch (IOException e) {
        // The gateway has said good-bye and does not listen any more: that it cannot be answered
        // changes nothing for the reader, who learns of the orderly close.
      }
    }
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    try {
      return reader.read(buffer, offset, length);
    } catch (ProtocolViolationException e) {
      close(CLOSE_PROTOCOL_ERROR);
      throw e;
    } catch (SocketTimeoutException silent) {
      throw new IOException(
          "the gateway has answered the upgrade, and no frame of ours gets there", silent);
    } catch (IOException e) {
      throw closed.get() ? closedByUs(e) : e;
    }
  }

  @Override
  public void write(byte[] buffer, int offset, int length) throws IOException {
    if (closed.get()) {
      throw closedByUs(null); // without the lock, which the close frame may need just now
    }
    writeLock.lock();
    try {
      if (closed.get()) {
        throw closedByUs(null);
      }
      if (closeReason != null || closeSent) {
        throw new SocketException("the gateway has closed the WebSocket: " + closeReason);
      }
      if (writeFailure != null) {
        // Half a frame may be out: what followed would be read as its rest.
        throw new SocketException("an earlier write failed: " + writeFailure);
      }
      for (int done = 0; done < length; done += Tunnel.MAX_MESSAGE_BYTES) {
        writer.writeBinary(
            buffer, offset + done, Math.min(Tunnel.MAX_MESSAGE_BYTES, length - done));
      }
    } catch (IOException e) {
      writeFailure = e;
      throw closed.get() ? closedByUs(e) : e;
    } finally {
      writeLock.unlock();
    }
    sendPending();
  }

  /**
   * Sends the pending control frame unless a writer is active, who will do it: it looks here again
   * after it has released the lock, so that none is left behind.
   */
  private void sendPending() throws IOException {
    while (pending.get() != null && writeLock.tryLock()) {
      try {
        ControlFrame frame = pending.getAndSet(null);
        if (frame != null && !closeSent && writeFailure == null) {
          closeSent = frame.opcode == OPCODE_CLOSE;
          writer.writeControl(frame.opcode, frame.payload);
        }
      } catch (IOException e) {
        writeFailure = e;
        throw closed.get() ? closedByUs(e) : e;
      } finally {
        writeLock.unlock();
      }
    }
  }

  @Override
  public long bytesReceived() {
    return reader.bytesReceived();
  }

  @Override
  public long arrivals() {
    return ArrivalSocket.of(plainSocket, reader.bytesReceived());
  }

  @Override
  public long bytesSent() {
    return writer.bytesSent();
  }

  /** The reason in the gateway's close frame; empty if none has come (yet). */
  public Optional<CloseReason> closeReason() {
    return Optional.ofNullable(closeReason);
  }

  @Override
  public void close() {
    close(CLOSE_NORMAL);
  }

  private void close(int code) {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    if (closeReason != null || writeLock.isLocked()) {
      SocketTeardown.close(plainSocket);
      return;
    }
    try {
      Daemons.start("rmigate-websocket-close", () -> sayGoodBye(code));
    } catch (NoThreadException none) {
      SocketTeardown.close(plainSocket); // the close frame is a courtesy
    }
  }

  private void sayGoodBye(int code) {
    SocketGuard guard;
    try {
      guard = SocketGuard.start(plainSocket, CLOSE_FRAME_TIMEOUT);
    } catch (NoThreadException closed) {
      return;
    }
    try {
      pending.set(closeFrame(code));
      sendPending();
    } catch (IOException e) {
      // The close frame is a courtesy; the socket's end says the same.
    } finally {
      guard.disarm();
      SocketTeardown.close(plainSocket);
    }
  }

  private static ControlFrame closeFrame(int code) {
    return new ControlFrame(OPCODE_CLOSE, new byte[] {(byte) (code >>> 8), (byte) code});
  }

  private IOException closedByUs(IOException cause) {
    SocketException e = new SocketException("transport closed: " + description);
    if (cause != null) {
      e.initCause(cause);
    }
    return e;
  }

  @Override
  public String toString() {
    return description;
  }
}
