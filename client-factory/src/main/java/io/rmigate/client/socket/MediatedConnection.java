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
 */
public final class MediatedConnection {
  private static final int HEADER_BYTES = 7;

  /** RMI pings connections that were not used for so long, and much sooner (JRMP.md 1.4). */
  private static final Duration REUSED_WITHOUT_PING = Duration.ofSeconds(2);

  /** Room for a whole exceptional Return of a refusal. */
  private static final int PIECE_BYTES = 32 * 1024;

  private final MediatorAgent agent;
  private final Deadlines deadlines;
  private final EndpointId target;
  private final Socket client;
  private final DataInputStream in;
  private final OutputStream out;

  private final CallSequence calls;
  private final PassedOnCall passedOn = new PassedOnCall();

  /** Replaced when a Call begins anew. Confined to the thread that runs. */
  private JrmpConversation conversation;

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
    this.calls = new CallSequence(conversation);
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
    calls.begin();
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
    passedOn.begin();
    expectReturn();
    while (true) {
      if (in.available() == 0) {
        passedOn.sendSoFar(conversation);
      }
      int next = in.read();
      passedOn.sending().lock();
      try {
        if (next < 0 || passedOn.isFollowed()) {
          return next;
        }
        piece[0] = (byte) next;
        int more = in.available() > 0 ? in.read(piece, 1, piece.length - 1) : 0;
        if (passedOn.isUnderWay()) {
          conversation.write(piece, 0, 1 + Math.max(0, more));
        } // else it was answered before it had come: its rest is not needed
      } finally {
        passedOn.sending().unlock();
      }
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

  private void expectReturn() throws NoThreadException {
    calls.onSent();
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
    if (calls.isAnswered()) {
      return false;
    }
    JrmpConversation next = newConversation();
    byte[] header = {'J', 'R', 'M', 'I', 0, Jrmp.VERSION, Jrmp.STREAM_PROTOCOL};
    next.write(header, 0, header.length);
    next.readAnswer(new byte[next.answered()], 0, next.answered());
    byte[] endpoint = new byte[2 + Integer.BYTES];
    next.write(endpoint, 0, endpoint.length);
    if (!calls.beginAnew(next)) {
      return false;
    }
    conversation.close();
    conversation = next;
    return true;
  }

  // The other thread.

  private void carryReturns() {
    byte[] piece = new byte[PIECE_BYTES];
    try {
      CallSequence.Sent sent = calls.awaitSent();
      while (sent != null) {
        carryReturn(sent, piece);
        sent = calls.awaitSent();
      }
    } catch (IOException failed) {
      System.getLogger(MediatedConnection.class.getName())
          .log(System.Logger.Level.DEBUG, "{0}: {1}", target, failed);
    } finally {
      hangUp();
    }
  }

  /**
   * Carries a Return, and goes on with the next one if that comes before it was certain that this
   * one was over.
   */
  private void carryReturn(CallSequence.Sent sent, byte[] piece) throws IOException {
    JrmpConversation from = sent.conversation();
    long call = sent.number();
    PassingReturn passing = new PassingReturn();
    ReturnOutcome outcome = new ReturnOutcome();
    while (!passing.isOver()) {
      int count;
      try {
        count = from.readReturn(piece, passedOn.sending());
      } catch (CallTimeoutException late) {
        if (outcome.isEmpty()) {
          out.write(asReturn(late));
        }
        finish(call, passing, late);
        return;
      } catch (LostCallException lost) {
        if (outcome.isEmpty() && calls.latest(from, false) == call) {
          out.write(ExceptionalReturn.ofLostResult(lost.getMessage()));
        }
        finish(call, passing, lost);
        return;
      } catch (IOException ended) {
        finish(call, passing, ended);
        return;
      }
      outcome.add(piece, count);
      passedOn.onReturn(from, outcome);
      long now = calls.latest(from, count > 0);
      if (now == CallSequence.REPLACED) {
        calls.end(call);
        return; // it was not the whole Call, so its answer is not what the client waits for
      }
      if (now != call && count < 0) {
        calls.end(call); // its end, which was not seen before the next one began
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
    passedOn.decide(outcome);
    calls.end(call);
  }

  /** The Return that the client gets instead of a mere end; its Call may have been executed. */
  private static byte[] asReturn(CallTimeoutException late) {
    return ExceptionalReturn.encode(
        new UnmarshalException(
            "Error unmarshaling return", new SocketTimeoutException(late.getMessage())));
  }

  /**
   * Nothing more comes. A client that waits for more must hear of it; one that does not may be
   * about to use the connection again, and must not lose it. Where it is not known which, it gets
   * the time after which RMI looks whether a connection is alive before it uses it.
   */
  private void finish(long call, PassingReturn passing, IOException why) throws IOException {
    calls.end(call);
    long pause = passing.isUnknown() ? REUSED_WITHOUT_PING.toNanos() : 0;
    if (!passing.mayBeOver() && calls.staysLatest(call, pause)) {
      throw why;
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
    calls.close();
    hangUp();
  }
}
