package io.rmigate.gateway.stream;

import io.rmigate.gateway.gate.ListedNames;
import io.rmigate.gateway.policy.CallRules;
import io.rmigate.gateway.policy.JudgedMessage;
import io.rmigate.gateway.policy.Refusal;
import io.rmigate.gateway.policy.rule.Objection;
import io.rmigate.gateway.route.AskedRegistry;
import io.rmigate.gateway.route.RegistryPlace;
import io.rmigate.gateway.scan.SeenReference;
import io.rmigate.gateway.scan.StreamScanner;
import io.rmigate.protocol.LogText;
import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.jrmp.message.ExceptionalReturn;
import io.rmigate.protocol.jrmp.message.LiveReferenceStream;
import io.rmigate.protocol.jrmp.message.ReturnedProxies;
import io.rmigate.protocol.tunnel.CloseCause;
import io.rmigate.protocol.tunnel.Open;
import io.rmigate.protocol.tunnel.RefusalReason;
import io.rmigate.protocol.tunnel.Refused;
import io.rmigate.protocol.tunnel.ReturnEnd;
import io.rmigate.protocol.tunnel.Tunnel;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way back of one stream: who may answer the latest Call, and how much the agent takes.
 *
 * <p>Only one connection answers at a time. Bytes and endings count when they come from where the
 * latest Call went; what else comes belongs to a Call that is over.
 *
 * <p>Guarded by {@link OpenStream#lock()}.
 */
final class ReturnPath {
  private static final Logger LOG = LoggerFactory.getLogger(ReturnPath.class);

  private static final int MAX_READ_BYTES = 32 * 1024;

  private static final String REFUSED_RESULT =
      "rmigate: the call was executed; the result was refused by the gateway's policy";

  private static final String THROWN = "; the server has thrown ";

  private static final String NO_ROOM_FOR_RESULT =
      "rmigate: the call was executed; the result was refused: the gateway has no room for it now";

  /** Only JRMP knows where a Return ends: for a drain it has ended when so long nothing came. */
  private static final long QUIET_NANOS = 500_000_000;

  private final StreamSession session;
  private final Open open;

  /** Task that the link runs when it has room again. */
  private final Runnable resume;

  private final AuditedCall audit;

  /** Where the latest Call went, and its number: only from there comes its Return. */
  private StreamConnection answering;

  private long request;

  /** The latest Call has gone out and not a byte of its Return has come. */
  private boolean awaiting;

  /** Bytes of the latest Call's Return have gone to the agent. */
  private boolean begun;

  private long lastReturnNanos = System.nanoTime() - QUIET_NANOS;

  /** Reader of the references in the latest Call's Return; null when they are of no interest. */
  private LiveReferenceStream references;

  /** Proxies that the Return holds, for what people call the objects. */
  private ReturnedProxies proxies;

  /** The latest Call's Return, where it is looked into; otherwise null. */
  private JudgedMessage judged;

  /** Scans of this stream's Returns; null before the first Return that is scanned. */
  private StreamScanner.ReplyScans scans;

  /** The latest Call's Return, where names are taken from it; otherwise null. */
  private ListedNames listed;

  /** The connection has ended behind what of the Return is still to go to the agent. */
  private boolean endsBehindJudged;

  /** Why the latest Return may not pass; null when it may. */
  private CloseCause refused;

  /** Text for the caller of the refused Return. */
  private String refusalText = "";

  /** Exceptional Return that the caller gets in place of the refused one. */
  private byte[] instead;

  /** Task to run before the first byte of the latest Call's Return goes on; null for none. */
  private Runnable whenReturning;

  /** The turn of this stream in a sequence; null unless it takes part in one. */
  private SequenceTurn turn;

  private int credit;
  private boolean pausedForCredit;
  private boolean waitsForRoom;
  private long bytesToClient;

  /** The batch that the latest bytes left with. */
  private long batch = AgentLink.NO_BATCH;

  ReturnPath(StreamSession session, Open open, int credit, Runnable resume, AuditedCall audit) {
    this.session = session;
    this.open = open;
    this.credit = credit;
    this.resume = resume;
    this.audit = audit;
  }

  /** Watches Returns for a sequence from here on. */
  void watchFor(SequenceTurn its) {
    turn = its;
  }

  /** A Call goes out: from here on only {@code connection} answers. */
  void begin(StreamConnection connection, long callRequest) {
    answering = connection;
    answering.owesRest(true);
    request = callRequest;
    awaiting = true;
    begun = false;
    references = null;
    proxies = null;
    whenReturning = null;
    listed = null;
    forgetJudged();
    endsBehindJudged = false;
    refused = null;
  }

  /**
   * The Return of the Call that has just begun is looked into, to its end by the rules by which the
   * Call was let through, even after a reload. Where they look at nothing, but those of other
   * targets may ask what this one has handed out, that is noted; not where they ask for what may be
   * called, because it is unknown what the client has named here first.
   *
   * @param others the strictest of all targets, of the same policy
   * @param received takes what it hands out
   */
  void judge(CallRules rules, CallRules others, Consumer<SeenReference> received) {
    if (rules.looks()) {
      if (scans == null || !scans.areBy(rules.scanner())) {
        scans = rules.scanner().longReplies(); // policy may bring other classes
      }
      judged = rules.replyOfServer(scans, session.share().room().heldBytes(), received);
      return;
    }
    judged =
        others.looks() && !others.limitsObjects()
            ? rules.unjudgedReply(session.share().room().heldBytes(), received)
            : null;
  }

  /** The Call that has just begun lists a registry, of which only these names are to be seen. */
  void show(Predicate<String> names) {
    listed = new ListedNames(names);
  }

  /** Sets the task to run before any of the Return, or of its failure, goes to the agent. */
  void whenReturning(Runnable task) {
    whenReturning = task;
  }

  private void returning() {
    Runnable task = whenReturning;
    whenReturning = null;
    if (task != null) {
      task.run();
    }
  }

  /** The Call that has just begun is a lookup in a permitted registry. */
  void learnEndpoints(AskedRegistry registry) {
    references =
        new LiveReferenceStream(reference -> session.knowledge().learn(reference, registry));
    proxies = session.knowledge().newReturnedProxies();
  }

  /** The Call that has just begun goes to a server at that place, which names another one. */
  void learnObjects(RegistryPlace place) {
    references =
        new LiveReferenceStream(reference -> session.knowledge().learnObject(reference, place));
  }

  /** Whether the latest Call has gone out and nothing has come back. */
  boolean awaiting() {
    return awaiting;
  }

  /** The connection of the latest Call; null when the call is over. */
  StreamConnection answering() {
    return answering;
  }

  boolean answers(StreamConnection connection) {
    return connection == answering;
  }

  /** Whether part of a Return may still be on its way to the agent. */
  boolean busy() {
    return awaiting
        || pausedForCredit
        || endsBehindJudged
        || System.nanoTime() - lastReturnNanos < QUIET_NANOS;
  }

  /** Adds credit of the agent; true when a connection has paused for want of it. */
  boolean onCredit(int moreBytes) throws ProtocolViolationException {
    if ((long) credit + moreBytes > Tunnel.MAX_CREDIT_BYTES) {
      throw new ProtocolViolationException("expected less than 2^30 of credit, got more");
    }
    credit += moreBytes;
    boolean paused = pausedForCredit;
    pausedForCredit = false;
    passHeld();
    return paused;
  }

  /** The link has room again. */
  void onRoom() {
    waitsForRoom = false;
    passHeld();
  }

  /**
   * Passes the bytes of the Return that the rules have let through, as far as credit and link
   * allow.
   */
  private void passHeld() {
    if (judged == null || judged.ready() == 0) {
      return;
    }
    passJudged();
    if (endsBehindJudged && judged.ready() == 0) {
      endsBehindJudged = false;
      session.agent().add(new ReturnEnd(open.stream(), request));
    }
    session.agent().flush();
  }

  /** The number of bytes that {@code connection} may read now. */
  int wanted(StreamConnection connection) {
    if (connection != answering) {
      return MAX_READ_BYTES; // to be dropped
    }
    if (judged != null && judged.ready() == 0) { // what is held needs no credit yet
      return hasRoom() ? MAX_READ_BYTES : 0;
    }
    if (credit == 0 || judged != null) {
      pausedForCredit = true;
      return 0;
    }
    return hasRoom() ? Math.min(credit, MAX_READ_BYTES) : 0;
  }

  /**
   * Sends bytes of the answering connection to the agent.
   *
   * @return false, and nothing is sent, if the agent lacks room or the Return is refused
   */
  boolean add(ByteBuffer bytes) {
    int count = bytes.remaining();
    if (count > credit && judged == null) {
      return false;
    }
    awaiting = false;
    returning();
    audit.answered(bytes);
    lastReturnNanos = System.nanoTime();
    session.meters().bytesFromServer(count);
    if (turn != null) {
      turn.onReturn(bytes, judged);
    }
    if (judged == null) {
      pass(bytes);
    } else {
      ByteBuffer next = listed == null ? bytes : withoutOtherNames(bytes);
      if (next.hasRemaining() && mayPass(judged.more(next))) {
        answering.owesRest(!judged.isOver());
        passJudged();
      }
    }
    if (refused != null) {
      answerInstead();
    } else if (turn != null) {
      turn.onJudged(judged);
    }
    return refused == null;
  }

  /** The text for the caller of a Return that may not pass. */
  String refusalText() {
    return refusalText;
  }

  /**
   * The agent's JVM gets an exception in the place of the Return, of which nothing has gone on yet:
   * an end of the stream alone would not tell it that the call was executed.
   */
  private void answerInstead() {
    if (!begun && credit >= instead.length) {
      pass(ByteBuffer.wrap(instead));
    }
  }

  private ByteBuffer withoutOtherNames(ByteBuffer bytes) {
    try {
      return listed.more(bytes);
    } catch (ProtocolViolationException noList) {
      Refusal refusal = Refusal.of(LogText.brief(noList.getMessage()));
      refuse(CloseCause.NOT_PERMITTED, refusal, REFUSED_RESULT, Optional.empty());
      session.meters().refused("reply-registry-name");
      audit.refusedReply("registry-name", refusal);
      return ByteBuffer.allocate(0);
    }
  }

  private boolean mayPass(List<Objection> objections) {
    if (objections.isEmpty() || !judged.rules().looks()) {
      return true;
    }
    String target = LogText.of(open.host()) + ":" + open.port();
    if (!judged.rules().enforces()) {
      String principal = session.standing().principal().name();
      objections.forEach(objection -> judged.rules().learned().add(principal, target, objection));
      return true;
    }
    if (JudgedMessage.isForRoom(objections)) {
      Refusal refusal = Refusal.of(JudgedMessage.MORE_ROOM);
      refuse(CloseCause.NO_ROOM, refusal, NO_ROOM_FOR_RESULT, Optional.empty());
      session.meters().refused("reply-no-room");
      audit.refusedLater("no-room", "reply: too much is held", refusal);
      return false;
    }
    Objection first = objections.get(0);
    Refusal refusal =
        Refusal.of(first.reason(), judged.rules().advice(first)).at(judged.place(first));
    refuse(CloseCause.NOT_PERMITTED, refusal, REFUSED_RESULT, judged.thrown());
    session.meters().refused("reply-" + first.rule());
    audit.refusedReply(first, refusal);
    return false;
  }

  /**
   * The latest Return may not pass.
   *
   * @param thrown the exception that it carries, if it does
   */
  private void refuse(CloseCause cause, Refusal refusal, String text, Optional<String> thrown) {
    refused = cause;
    refusalText =
        session.refusals().told(refusal, thrown.map(its -> text + THROWN + its).orElse(text));
    instead =
        thrown.isPresent()
            ? ExceptionalReturn.ofRefusedException(refusalText)
            : ExceptionalReturn.ofLostResult(refusalText);
    String target = LogText.of(open.host()) + ":" + open.port();
    session.refusals().warnRefused(LOG, refusal, target, "the reply to a " + audit.latestCall());
  }

  /** Why the latest Return may not pass; empty when it may. */
  Optional<CloseCause> refusal() {
    return Optional.ofNullable(refused);
  }

  /** Whether the link has; otherwise {@link #onRoom} follows. Asked again meanwhile it has none. */
  private boolean hasRoom() {
    waitsForRoom = waitsForRoom || !session.agent().hasRoom(batch, resume);
    return !waitsForRoom;
  }

  /** Passes judged bytes while credit and link allow; the rest stays, and is counted as held. */
  private void passJudged() {
    int count = Math.min(credit, judged.ready());
    while (count > 0 && hasRoom()) {
      pass(judged.take(Math.min(count, MAX_READ_BYTES)));
      count = Math.min(credit, judged.ready());
    }
    pausedForCredit = judged.ready() > 0;
  }

  private void pass(ByteBuffer bytes) {
    int count = bytes.remaining();
    credit -= count;
    begun = true;
    if (references != null) {
      references.onBytes(bytes);
    }
    if (proxies != null) {
      proxies.onBytes(bytes);
    }
    batch = session.agent().addData(open.stream(), bytes);
    bytesToClient += count;
  }

  /**
   * The connection that answers has ended, as the agent is told; no connection answers until the
   * next Call.
   */
  void onServerClosed() {
    over();
    if (judged != null && !mayPass(judged.end())) {
      answerInstead();
    }
    if (judged != null && judged.ready() > 0) {
      endsBehindJudged = true;
    } else {
      session.agent().add(new ReturnEnd(open.stream(), request));
    }
  }

  /** The latest Call, which still waits, reached no server, as the agent is told. */
  void onRefused(RefusalReason reason, String text) {
    over();
    session.agent().add(new Refused(open.stream(), request, reason, text));
  }

  private void over() {
    if (turn != null) {
      turn.fails();
    }
    returning();
    awaiting = false;
    answering = null;
  }

  /** The stream is over: no connection answers any more. */
  void close() {
    answering = null;
    references = null;
    proxies = null;
    listed = null;
    forgetJudged();
    scans = null;
  }

  private void forgetJudged() {
    if (judged != null) {
      judged.close();
      judged = null;
    }
  }

  long bytesToClient() {
    return bytesToClient;
  }
}
