package io.rmigate.client.socket;

import io.rmigate.client.deadline.CallTimeoutException;
import io.rmigate.client.deadline.Deadlines;
import io.rmigate.client.jvm.Daemons;
import io.rmigate.client.jvm.NoThreadException;
import io.rmigate.client.mediator.MediatorAgent;
import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.Jrmp;
import io.rmigate.protocol.jrmp.message.ExceptionalReturn;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.rmi.UnmarshalException;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A client's JRMP connection, mediated: what a {@code TunnelSocket} is within a JVM, for a real
 * socket. Ends with it.
 *
 * <p>Two threads. The one that runs it reads the client, finds the ends of requests, and writes
 * what is answered here; it always reads on, so that a client that goes away is noticed. The other
 * one, there since the first Call that has gone to its server, carries Returns. Half duplex keeps
 * them apart: they write to the client at different times.
 *
 * <p>A long Call is passed on as it comes, and ends with the first byte of its Return; so the other
 * thread ends it.
 *
 * <p>Locks: {@code lock} guards which request is being answered; nothing is sent under it. {@code
 * sending} is held while a long Call is sent, or ended; the other one is not taken under it.
 */
public final class MediatedConnection {
  private static final int HEADER_BYTES = 7;

  /** RMI pings connections that were not used for so long, and much sooner (JRMP.md 1.4). */
  private static final Duration REUSED_WITHOUT_PING = Duration.ofSeconds(2);

  /** In place of the number of a Call. */
  private static final long REPLACED = 0;

  /** Room for a whole exceptional Return of a refusal. */
  private static final int PIECE_BYTES = 32 * 1024;

  private final MediatorAgent agent;
  private final Deadlines deadlines;
  private final EndpointId target;
  private final Socket client;
  private final DataInputStream in;
  private final OutputStream out;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  /** Replaced when a Call begins anew. Guarded by {@code lock}, except for who replaces it. */
  private JrmpConversation conversation;

  /** By which the latest Call was sent. */
  private JrmpConversation answers;

  /** Calls that have begun to be sent, and the latest that was sent whole. */
  private long begun;

  private long sent;

  /** The latest Call of whose Return something has come, and the latest that is over. */
  private long answering;

  private long over;
  private boolean closed;

  private final ReentrantLock sending = new ReentrantLock();

  /** Whether the latest Call is passed on as it comes. Guarded by {@code sending}. */
  private boolean passedOn;

  /** Whether it is not known yet if another one follows it, and whether none does. */
  private boolean undecided;

  private boolean last;

  /** Null until it is needed. Confined to the thread that runs. */
  private Thread back;

  /**
   * A connection to be.
   *
   * @param in of the client; blocks
   */
  public MediatedConnection(
      MediatorAgent agent, Deadlines deadlines, EndpointId target, Socket client, InputStream in)
      throws IOException {
    this.agent = agent;
    this.deadlines = deadlines;
    this.target = target;
    this.client = client;
    this.in = new DataInputStream(in);
    this.out = client.getOutputStream();
    this.conversation = newConversation();
  }

  private JrmpConversation newConversation() {
    return new JrmpConversation(agent, deadlines, target.host(), target.port(), System.nanoTime());
  }

  /** Serves the client until it, or something on the way, ends the connection. */
  public void run() throws IOException {
    try {
      if (shakeHands()) {
        int code = in.read();
        while (code >= 0) {
          code = message(code);
        }
      }
    } finally {
      end();
    }
  }

  /** Whether the client speaks the protocol of which there is more to come. */
  private boolean shakeHands() throws IOException {
    byte[] header = new byte[HEADER_BYTES];
    in.readFully(header);
    conversation.write(header, 0, header.length);
    answer();
    if (header[HEADER_BYTES - 1] != Jrmp.STREAM_PROTOCOL) {
      return false;
    }
    int host = in.readUnsignedShort();
    byte[] endpoint = new byte[2 + host + Integer.BYTES];
    endpoint[0] = (byte) (host >>> 8);
    endpoint[1] = (byte) host;
    in.readFully(endpoint, 2, endpoint.length - 2);
    conversation.write(endpoint, 0, endpoint.length);
    return true;
  }

  /** Takes the message that begins so; returns the code of the next, −1 for none. */
  private int message(int code) throws IOException {
    switch (code) {
      case Jrmp.PING -> {
        conversation.write(new byte[] {Jrmp.PING}, 0, 1);
        answer();
        return in.read();
      }
      case Jrmp.DGC_ACK -> {
        byte[] ack = new byte[1 + Jrmp.UID_BYTES];
        ack[0] = Jrmp.DGC_ACK;
        in.readFully(ack, 1, Jrmp.UID_BYTES);
        conversation.write(ack, 0, ack.length);
        return in.read();
      }
      case Jrmp.CALL -> {
        return call();
      }
      default ->
          throw new ProtocolViolationException(
              "expected a JRMP message, got 0x" + Integer.toHexString(code));
    }
  }

  private int call() throws IOException {
    GrowingCall call = new GrowingCall();
    beginCall();
    conversation.write(call.bytes(), 0, call.length());
    while (true) {
      GrowingCall.State state = readToItsEnd(call);
      if (state == GrowingCall.State.BROKEN) {
        return -1;
      }
      if (state == GrowingCall.State.GOING_ON) {
        call.forget();
        return passOn();
      }
      conversation.endRequest();
      if (!conversation.awaitsReturn()) {
        answer();
        return in.read();
      }
      expectReturn();
      int next = in.read();
      if (next < 0 || !beginAnew()) {
        return next;
      }
      call.add(next);
      conversation.write(call.bytes(), 0, call.length());
    }
  }

  /**
   * Sends the rest of a long Call, until its Return has begun.
   *
   * @return the code of the next message; −1 when the client has gone
   */
  private int passOn() throws IOException {
    byte[] piece = new byte[PIECE_BYTES];
    setPassedOn(true);
    expectReturn();
    while (true) {
      if (in.available() == 0) {
        sendSoFar();
      }
      int next = in.read();
      sending.lock();
      try {
        if (next < 0 || (!passedOn && !undecided && !last)) {
          return next;
        }
        piece[0] = (byte) next;
        int more = in.available() > 0 ? in.read(piece, 1, piece.length - 1) : 0;
        if (passedOn) {
          conversation.write(piece, 0, 1 + Math.max(0, more));
        } // else it was answered before it had come: its rest is not needed
      } finally {
        sending.unlock();
      }
    }
  }

  private void setPassedOn(boolean now) {
    sending.lock();
    try {
      passedOn = now;
      undecided = now;
      last = false;
    } finally {
      sending.unlock();
    }
  }

  private void sendSoFar() throws IOException {
    sending.lock();
    try {
      if (passedOn) {
        conversation.sendSoFar();
      }
    } finally {
      sending.unlock();
    }
  }

  /**
   * Its Return has begun: what comes from the client now is another message, or the rest of a Call
   * that was answered early.
   */
  private void endPassedOn(JrmpConversation answering, ReturnOutcome outcome) throws IOException {
    sending.lock();
    try {
      if (passedOn) {
        answering.endRequest();
        passedOn = false;
      }
      if (undecided && outcome.isKnown()) {
        decide(outcome);
      }
    } finally {
      sending.unlock();
    }
  }

  private void decide(ReturnOutcome outcome) {
    sending.lock();
    try {
      undecided = false;
      last = outcome.isLast();
    } finally {
      sending.unlock();
    }
  }

  /**
   * Reads on until the Call may be whole.
   *
   * @return GOING_ON if the rest is to be passed on without being kept, BROKEN if the client has
   *     gone in the middle
   * @throws ProtocolViolationException what it sends is no Call
   */
  private GrowingCall.State readToItsEnd(GrowingCall call) throws IOException {
    while (true) {
      boolean passedOnAlready = conversation.isPassedOn();
      if (passedOnAlready && !call.isKept()) {
        return GrowingCall.State.GOING_ON;
      }
      if (in.available() == 0) {
        GrowingCall.State state = call.state();
        if (state == GrowingCall.State.ENDED) {
          return state;
        }
        if (state == GrowingCall.State.BROKEN) {
          if (passedOnAlready) {
            return GrowingCall.State.GOING_ON;
          }
          throw new ProtocolViolationException("expected one whole Call");
        }
      }
      int from = call.length();
      int count = call.readFrom(in);
      if (count < 0) {
        return GrowingCall.State.BROKEN;
      }
      conversation.write(call.bytes(), from, count);
    }
  }

  /** Sends what was answered here. */
  private void answer() throws IOException {
    byte[] bytes = new byte[conversation.answered()];
    if (bytes.length > 0) {
      conversation.readAnswer(bytes, 0, bytes.length);
      out.write(bytes);
    }
  }

  private void beginCall() {
    lock.lock();
    try {
      begun++;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void expectReturn() throws NoThreadException {
    lock.lock();
    try {
      sent = begun;
      answers = conversation;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    if (back == null) {
      back = Daemons.start(Thread.currentThread().getName() + " back", this::carryReturns);
    }
  }

  /**
   * The client goes on although it has not been answered: what was taken to be a whole Call was
   * not. The server has not got all of it; it is to be sent once more, by another stream.
   *
   * @return false when it has been answered, so that another message begins
   */
  private boolean beginAnew() throws IOException {
    if (isAnswered()) {
      return false;
    }
    JrmpConversation next = newConversation();
    byte[] header = {'J', 'R', 'M', 'I', 0, Jrmp.VERSION, Jrmp.STREAM_PROTOCOL};
    next.write(header, 0, header.length);
    next.readAnswer(new byte[next.answered()], 0, next.answered());
    byte[] endpoint = new byte[2 + Integer.BYTES];
    next.write(endpoint, 0, endpoint.length);
    JrmpConversation before;
    lock.lock();
    try {
      if (answering == begun) {
        return false;
      }
      before = conversation;
      begun++;
      conversation = next;
    } finally {
      lock.unlock();
    }
    before.close();
    return true;
  }

  private boolean isAnswered() {
    lock.lock();
    try {
      return answering == begun;
    } finally {
      lock.unlock();
    }
  }

  // The other thread.

  private void carryReturns() {
    byte[] piece = new byte[PIECE_BYTES];
    try {
      while (awaitSent()) {
        carryReturn(piece);
      }
    } catch (IOException failed) {
      System.getLogger(MediatedConnection.class.getName())
          .log(System.Logger.Level.DEBUG, "{0}: {1}", target, failed);
    } finally {
      hangUp();
    }
  }

  /** Waits for a Call whose Return is to be carried; false at the end. */
  private boolean awaitSent() {
    lock.lock();
    try {
      while (!closed && sent <= over) {
        changed.awaitUninterruptibly();
      }
      return !closed;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Carries a Return, and goes on with the next one if that comes before it was certain that this
   * one was over.
   */
  private void carryReturn(byte[] piece) throws IOException {
    JrmpConversation from;
    long call;
    lock.lock();
    try {
      from = answers;
      call = sent;
    } finally {
      lock.unlock();
    }
    PassingReturn passing = new PassingReturn();
    ReturnOutcome outcome = new ReturnOutcome();
    while (!passing.isOver()) {
      int count;
      try {
        count = from.readReturn(piece, sending);
      } catch (CallTimeoutException late) {
        if (outcome.isEmpty()) {
          out.write(asReturn(late));
        }
        finish(call, passing, late);
        return;
      } catch (LostCallException lost) {
        if (outcome.isEmpty() && latest(from, false) == call) {
          out.write(ExceptionalReturn.ofLostResult(lost.getMessage()));
        }
        finish(call, passing, lost);
        return;
      } catch (IOException ended) {
        finish(call, passing, ended);
        return;
      }
      outcome.add(piece, count);
      endPassedOn(from, outcome);
      long now = latest(from, count > 0);
      if (now == REPLACED) {
        markOver(call);
        return; // it was not the whole Call, so its answer is not what the client waits for
      }
      if (now != call && count < 0) {
        markOver(call); // its end, which was not seen before the next one began
        return;
      }
      if (now != call) {
        call = now;
        passing = new PassingReturn();
        outcome = new ReturnOutcome();
        outcome.add(piece, count);
      }
      if (count < 0) {
        finish(call, passing, new IOException("the server has gone"));
        return;
      }
      passing.add(piece, count);
      out.write(piece, 0, count);
    }
    decide(outcome);
    markOver(call);
  }

  /** What the client is told of its Call, which may have been executed, instead of a mere end. */
  private static byte[] asReturn(CallTimeoutException late) {
    return ExceptionalReturn.encode(
        new UnmarshalException(
            "Error unmarshaling return", new SocketTimeoutException(late.getMessage())));
  }

  private long latest(JrmpConversation from, boolean answered) {
    lock.lock();
    try {
      if (from != conversation) {
        return REPLACED;
      }
      if (answered) {
        answering = begun;
      }
      return begun;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Nothing more comes. A client that waits for more must hear of it; one that does not may be
   * about to use the connection again, and must not lose it. Where it is not known which, it gets
   * the time after which RMI looks whether a connection is alive before it uses it.
   */
  private void finish(long call, PassingReturn passing, IOException why) throws IOException {
    boolean waits = !passing.mayBeOver();
    lock.lock();
    try {
      over = Math.max(over, call);
      long left = passing.isUnknown() ? REUSED_WITHOUT_PING.toNanos() : 0;
      while (waits && left > 0 && call == begun && !closed) {
        left = changed.awaitNanos(left);
      }
      waits &= call == begun;
    } catch (InterruptedException nobodyDoes) {
      Thread.currentThread().interrupt();
    } finally {
      lock.unlock();
    }
    if (waits) {
      throw why;
    }
  }

  private void markOver(long call) {
    lock.lock();
    try {
      over = Math.max(over, call);
    } finally {
      lock.unlock();
    }
  }

  // Ends.

  /** The client's connection is closed, which the thread that reads it notices. */
  private void hangUp() {
    try {
      client.close();
    } catch (IOException harmless) {
      // It is of no use any more.
    }
  }

  private void end() {
    lock.lock();
    try {
      closed = true;
      conversation.close();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    hangUp();
  }
}
