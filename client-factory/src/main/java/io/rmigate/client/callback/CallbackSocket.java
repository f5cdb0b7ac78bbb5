package io.rmigate.client.callback;

import io.rmigate.client.link.LinkStream;
import io.rmigate.client.stats.UsageCounters;
import io.rmigate.client.virtual.VirtualSocket;
import io.rmigate.protocol.jrmp.Jrmp;
import io.rmigate.protocol.jrmp.message.ExceptionalReturn;
import io.rmigate.protocol.jrmp.message.ReferenceRewriter;
import io.rmigate.protocol.tunnel.Tunnel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.SocketException;
import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A connection of an inner JVM to an object of this one, as the RMI runtime accepts it. The gateway
 * has answered the inner JVM's preamble; this JVM gets one from here, and what it answers to it
 * goes nowhere. Then come the inner JVM's Calls and DgcAcks as they are.
 *
 * <p>A Call that fails early, or has more arguments than its method, is not read to its end by the
 * RMI runtime, which would take the rest for the next message: a message that the gateway has not
 * checked, since it saw a part of a Call. So the runtime reads without a buffer of its own, and
 * what is left when it has answered is thrown away, up to where the gateway says that the next
 * message begins. A runtime that has a buffer gets one message on a connection and no more.
 *
 * <p>A Return leaves with the first read after it, in which the RMI runtime waits for the next
 * Call, or with the close; a large one in frames before that. So it is one message on the link,
 * however often an object flushes while it is written.
 *
 * <p>References to objects of this JVM name local endpoints in what it reads, and the gateway in
 * what it sends.
 *
 * <p>One thread converses; {@link #close} comes from any. {@code writing} guards what is to be
 * sent.
 */
final class CallbackSocket extends VirtualSocket {
  private static final byte[] NOTHING = {};
  private static final int FIRST_BUFFER_BYTES = 512;
  private static final int READ_AHEAD_BYTES = 4096;
  private static final int ACK_BYTES = 1 + Jrmp.UID_BYTES;

  private final LinkStream stream;
  private final InetAddress peer;
  private final int peerPort;
  private final int localPort;
  private final UsageCounters account;
  private final OwnReferences references;

  // Confined to the thread that reads.

  /** The preamble that this JVM reads before anything of the stream. */
  private byte[] preamble;

  private int preambleRead;

  /** The bytes of the current message that this JVM has read. */
  private byte[] ahead = NOTHING;

  /** Bytes as they come from the stream, before they are {@code ahead}. */
  private byte[] raw = NOTHING;

  /** The Call, if references in it may have to become local; null otherwise. */
  private ReferenceRewriter inward;

  /** Whether nothing of the message has come. */
  private boolean begins = true;

  private int aheadRead;
  private int aheadBytes;
  private long messageRead;
  private byte messageCode;

  /** Whether this JVM is to read one message only. */
  private boolean once;

  /** The JVM's acknowledgement of the preamble. Confined to the thread that writes. */
  private final Acknowledgement acknowledgement = new Acknowledgement();

  private final ReentrantLock writing = new ReentrantLock();

  // Guarded by writing.
  private byte[] pending = new byte[FIRST_BUFFER_BYTES];
  private int pendingBytes;

  /**
   * Whether what is written now goes on with the Return that has begun. Written by the thread that
   * converses.
   */
  private boolean returning;

  /** The Return that is written, if references in it may have to name the gateway; else null. */
  private OutwardMessage outward;

  /** Whether a part of it has been sent. */
  private boolean sentInPart;

  /** Why the gateway cannot be named in the Return, of which nothing more is sent; else null. */
  private IOException unnameable;

  private volatile boolean closed;

  CallbackSocket(
      LinkStream stream,
      InetAddress peer,
      int peerPort,
      int localPort,
      UsageCounters account,
      OwnReferences references)
      throws SocketException {
    this.references = references;
    this.stream = stream;
    this.peer = peer;
    this.peerPort = peerPort;
    this.localPort = localPort;
    this.account = account;
    this.preamble = Preamble.bytes(peer.getHostAddress(), peerPort);
  }

  @Override
  protected int read(byte[] buffer, int offset, int length, int timeoutMillis) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (preambleRead < preamble.length) {
      return readPreamble(buffer, offset, length);
    }
    if (returning) {
      sendReturn();
      if (once) {
        return -1;
      }
      nextMessage();
    } else if (messageCode == Jrmp.DGC_ACK && messageRead == ACK_BYTES) {
      nextMessage();
    }
    int count = readMessage(buffer, offset, length, timeoutMillis);
    if (count > 0) {
      messageCode = messageRead == 0 ? buffer[offset] : messageCode;
      messageRead += count;
    }
    return count;
  }

  private int readPreamble(byte[] buffer, int offset, int length) {
    if (preambleRead == 0 && length > Preamble.HEADER_BYTES) {
      once = true;
      preamble = Preamble.ofOneMessage();
    }
    int count = Math.min(length, preamble.length - preambleRead);
    System.arraycopy(preamble, preambleRead, buffer, offset, count);
    preambleRead += count;
    return count;
  }

  private void nextMessage() {
    stream.skipRequest();
    aheadRead = 0;
    aheadBytes = 0;
    messageRead = 0;
    messageCode = 0;
    begins = true;
    inward = null;
  }

  private int readMessage(byte[] buffer, int offset, int length, int timeoutMillis)
      throws IOException {
    if (aheadRead == aheadBytes) {
      boolean direct = length >= READ_AHEAD_BYTES && !begins && inward == null;
      if (!direct && raw.length == 0) {
        raw = new byte[READ_AHEAD_BYTES];
      }
      int count;
      do {
        count =
            direct
                ? stream.read(buffer, offset, length, timeoutMillis)
                : stream.read(raw, 0, raw.length, timeoutMillis);
        account.plainBytes(Math.max(0, count));
        if (direct || count < 0) {
          return count;
        }
        putAhead(count);
      } while (aheadBytes == 0);
    }
    int count = Math.min(length, aheadBytes - aheadRead);
    System.arraycopy(ahead, aheadRead, buffer, offset, count);
    aheadRead += count;
    return count;
  }

  /** Keeps the bytes that the runtime reads instead of the {@code count} bytes in {@code raw}. */
  private void putAhead(int count) throws IOException {
    if (begins && count > 0) {
      begins = false;
      inward = raw[0] == Jrmp.CALL ? references.inwardCall() : null;
    }
    ahead = inward == null ? raw : inward.more(raw, 0, count, false);
    aheadRead = 0;
    aheadBytes = inward == null ? count : ahead.length;
  }

  @Override
  protected boolean isReadExactly() {
    return true;
  }

  private void sendReturn() throws IOException {
    writing.lock();
    try {
      returning = false;
      sendPending(true);
    } finally {
      writing.unlock();
    }
  }

  @Override
  protected void write(byte[] bytes, int offset, int length) throws IOException {
    int swallowed = once ? 0 : acknowledgement.take(bytes, offset, length);
    if (swallowed < length) {
      writing.lock();
      try {
        append(bytes, offset + swallowed, length - swallowed);
      } finally {
        writing.unlock();
      }
    }
  }

  private void append(byte[] bytes, int offset, int length) throws IOException {
    if (closed) {
      throw new SocketException("Socket closed");
    }
    if (!returning) {
      returning = true;
      outward = references.outwardReturn();
      sentInPart = false;
      unnameable = null;
      if (bytes[offset] == Jrmp.RETURN) {
        account.calledBack();
      }
    }
    account.plainBytes(length);
    int done = 0;
    while (done < length) {
      if (pendingBytes == Tunnel.MAX_BODY_BYTES) {
        sendPending(false);
      }
      int part = Math.min(length - done, Tunnel.MAX_BODY_BYTES - pendingBytes);
      if (pending.length - pendingBytes < part) {
        int wanted = Math.max(pendingBytes + part, pending.length * 2);
        pending = Arrays.copyOf(pending, Math.min(wanted, Tunnel.MAX_BODY_BYTES));
      }
      System.arraycopy(bytes, offset + done, pending, pendingBytes, part);
      pendingBytes += part;
      done += part;
    }
  }

  private void sendPending(boolean last) throws IOException {
    int count = pendingBytes;
    pendingBytes = 0;
    byte[] named = pending;
    if (outward != null && (count > 0 || last)) {
      named = nameGateway(count, last);
      count = named == pending ? count : named.length;
    }
    for (int sent = 0; sent < count; ) {
      int part = Math.min(count - sent, Tunnel.MAX_BODY_BYTES);
      stream.send(false, named, sent, part);
      sentInPart = true;
      sent += part;
    }
    if (last) {
      outward = null;
    }
    if (pending.length > Tunnel.MAX_BODY_BYTES / 2 && !returning) {
      pending = new byte[FIRST_BUFFER_BYTES]; // idle connections are many, large Returns few
    }
  }

  /**
   * What is sent in the place of what is pending. A Return that cannot name the gateway is replaced
   * by one that says that the result is lost; if part of it has been sent its stream ends.
   */
  private byte[] nameGateway(int count, boolean last) throws IOException {
    if (unnameable == null) {
      try {
        return outward.more(pending, count, last);
      } catch (IOException noPort) {
        unnameable = noPort;
      }
    }
    if (sentInPart) {
      stream.close();
      throw new IOException("the result is lost: " + unnameable.getMessage(), unnameable);
    }
    return last
        ? ExceptionalReturn.ofLostResult(
            "rmigate: the call was executed; the result is lost: " + unnameable.getMessage())
        : NOTHING;
  }

  @Override
  protected int available() throws IOException {
    return preamble.length - preambleRead + aheadBytes - aheadRead + stream.available();
  }

  /** Sends the pending bytes before the close, unless another thread is about to write them. */
  @Override
  protected void end() {
    if (!closed && writing.tryLock()) {
      try {
        sendPending(true);
      } catch (IOException over) {
        // the stream has ended on its own: the caller waits for this Return no longer
      } finally {
        writing.unlock();
      }
    }
    closed = true;
    stream.close();
  }

  @Override
  public boolean isClosed() {
    return closed;
  }

  /**
   * The true one, as the gateway has it: registries of this JVM decide by it who is local, and
   * {@link java.rmi.server.RemoteServer#getClientHost} says it.
   */
  @Override
  public InetAddress getInetAddress() {
    return peer;
  }

  @Override
  public int getPort() {
    return peerPort;
  }

  /** The wildcard address: the gateway's interface is not one of this machine. */
  @Override
  public InetAddress getLocalAddress() {
    return Preamble.ANY;
  }

  @Override
  public int getLocalPort() {
    return localPort;
  }
}
