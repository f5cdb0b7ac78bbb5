package io.rmigate.gateway.callback;

import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.tunnel.Accept;
import io.rmigate.protocol.tunnel.Close;
import io.rmigate.protocol.tunnel.CloseCause;
import io.rmigate.protocol.tunnel.Credit;
import io.rmigate.protocol.tunnel.Data;
import io.rmigate.protocol.tunnel.Tunnel;
import java.net.InetAddress;
import java.nio.ByteBuffer;

/**
 * The stream on the link of an inner connection (PROTOCOL.md, section 11): there is none before its
 * first bytes for the agent, and its number is free when the agent has closed its side.
 *
 * <pre>
 *   {@link #open} ──► ACCEPT ──► DATA, DATA_LAST, CREDIT ──► {@link #close}: CLOSE ──► {@link #onClosed} ──► {@link #free}
 * </pre>
 *
 * Guarded by the lock of its {@link CallbackStream}.
 */
final class AcceptedStream {
  /** Less credit than this is worth nothing: what is held of a message fits in. */
  private static final int LEAST_CREDIT = 64;

  private static final byte[] NOTHING = {};

  private final CallbackLink link;

  /** 0: the agent knows nothing of it, or nothing any more. */
  private int number;

  private boolean closed;
  private boolean closedByAgent;

  // Towards the agent.
  private int credit;
  private boolean pausedForCredit;
  private long batch = CallbackLink.NO_BATCH;

  // From it.
  private final ReturnWindow window;

  AcceptedStream(CallbackLink link) {
    this.link = link;
    this.credit = link.agentCredit();
    this.window = new ReturnWindow(link.gatewayCredit());
  }

  int number() {
    return number;
  }

  /** Begins, with a number of its own. */
  void open(int free, long listener, InetAddress peer, int peerPort) {
    number = free;
    link.add(new Accept(number, listener, peer, peerPort));
  }

  /**
   * How many bytes may be sent now.
   *
   * @param held bytes that will go with them
   * @param whenRoom called when there is room on the link, if there is none now; when there is
   *     credit {@link #onCredit} says so
   */
  int mayTake(int held, Runnable whenRoom) {
    int most = credit - held;
    pausedForCredit = most < LEAST_CREDIT;
    return !pausedForCredit && link.hasRoom(batch, whenRoom) ? most : 0;
  }

  /**
   * How many bytes may be read to be held here: all that are wanted, if there is room on the link.
   */
  int mayHold(Runnable whenRoom, int wanted) {
    return link.hasRoom(batch, whenRoom) ? wanted : 0;
  }

  /** The number of bytes that the agent takes now. */
  int credit() {
    return credit;
  }

  /** A message begins: the agent hears that the one before it, if there was one, has ended. */
  void beginMessage() {
    if (isOpen()) {
      link.add(new Data(number, true, NOTHING));
    }
  }

  void send(ByteBuffer bytes) {
    credit -= bytes.remaining();
    batch = link.addData(number, bytes);
  }

  /**
   * The agent gives credit for more bytes.
   *
   * @return whether reading had to wait for credit
   */
  boolean onCredit(int moreBytes) throws ProtocolViolationException {
    if ((long) credit + moreBytes > Tunnel.MAX_CREDIT_BYTES) {
      throw new ProtocolViolationException("expected less than 2^30 of credit, got more");
    }
    credit += moreBytes;
    boolean resumes = pausedForCredit;
    pausedForCredit = false;
    return resumes;
  }

  /** Bytes have come from the agent. */
  void arrived(int bytes) throws ProtocolViolationException {
    window.arrived(number, bytes);
  }

  /** Bytes are no longer kept; their credit goes back to the agent. */
  void consumed(int bytes) {
    if (isOpen()) {
      giveBack(window.consumed(bytes));
    }
  }

  /** Bytes of the agent are held until more bytes have come; their credit goes back now. */
  void lend(int bytes) {
    if (isOpen()) {
      giveBack(window.lend(bytes));
    }
  }

  private boolean isOpen() {
    return number != 0 && !closed;
  }

  private void giveBack(int more) {
    if (more > 0) {
      link.add(new Credit(number, more));
    }
  }

  /** Closes the stream: the gateway sends nothing more on it. Idempotent. */
  void close(CloseCause cause) {
    if (isOpen()) {
      closed = true;
      link.add(new Close(number, cause));
      link.flush();
    }
  }

  /** The session has ended, and has no link any more. */
  void abandon() {
    closed = true;
  }

  /** The agent sends nothing more. */
  void onClosed() {
    closedByAgent = true;
  }

  boolean isClosedByAgent() {
    return closedByAgent;
  }

  /** The stream is over on both sides. Returns its number, which another stream may take. */
  int free() {
    int freed = number;
    number = 0;
    return freed;
  }
}
