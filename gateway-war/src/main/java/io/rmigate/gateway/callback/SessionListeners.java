package io.rmigate.gateway.callback;

import io.rmigate.gateway.audit.AuditEntry;
import io.rmigate.gateway.audit.AuditEvent;
import io.rmigate.gateway.audit.AuditField;
import io.rmigate.gateway.audit.AuditOutcome;
import io.rmigate.gateway.policy.Refusal;
import io.rmigate.gateway.relay.listener.InnerListener;
import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.tunnel.Listen;
import io.rmigate.protocol.tunnel.Listening;
import io.rmigate.protocol.tunnel.Unlisten;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The listeners of one session, from LISTEN to UNLISTEN or its end.
 *
 * <pre>
 *   LISTEN ──► bound ──► its owner is written down ──► LISTENING, inner JVMs may connect
 *     │  └──── about to be free: again in a moment
 *     └──────► refused
 * </pre>
 *
 * <p>Threads: frames come one at a time from the edge; what had to wait goes on on the session's
 * loop, the timer of sessions or the thread that has written. Guarded by the session's lock.
 */
final class SessionListeners {
  private static final Logger LOG = LoggerFactory.getLogger(SessionListeners.class);

  /** Requests that may wait for a port that is about to be free. */
  private static final int MAX_WAITING = 16;

  private final SessionCallbacks session;
  private final Callbacks all;
  private final CallbackLink link;
  private final ReentrantLock lock;
  private final Map<Long, CallbackListener> open = new HashMap<>();

  /** The ports of {@link #open}; read without the lock. */
  private final Set<Integer> ports = ConcurrentHashMap.newKeySet();

  /** Ports that were ever open: stubs that name them may still come back. */
  private final Set<Integer> portsSoFar = ConcurrentHashMap.newKeySet();

  /** Requests for ports that are about to be free. */
  private final List<Listen> waiting = new ArrayList<>();

  private final ListenRate pace = new ListenRate(System.nanoTime());
  private long lastNumber;
  private boolean ended;

  /**
   * @param lock of the session
   */
  SessionListeners(SessionCallbacks session, ReentrantLock lock) {
    this.session = session;
    this.all = session.all();
    this.link = session.link();
    this.lock = lock;
  }

  void listen(Listen frame) throws ProtocolViolationException {
    boolean tooFast;
    lock.lock();
    try {
      if (frame.listener() <= lastNumber) {
        throw new ProtocolViolationException(
            "expected a listener above " + lastNumber + ", got " + frame.listener() + " again");
      }
      lastNumber = frame.listener();
      tooFast = !pace.mayAsk(System.nanoTime());
    } finally {
      lock.unlock();
    }
    if (tooFast) {
      all.meters().refused("callback-pace");
      answer(
          Listening.refused(
              frame.listener(),
              Listening.Outcome.TOO_MANY,
              "rmigate: the gateway is asked for ports too often"));
    } else if (mayBind(frame) && !bind(frame)) {
      link.loop().execute(this::bindWaiting); // which lets go of closed ports in each round
    }
  }

  /** Whether there may be one for this session; if not it has been refused. */
  private boolean mayBind(Listen frame) {
    boolean lockedOut = link.isLockedOut();
    if (!lockedOut && link.takesListeners()) {
      return true;
    }
    if (lockedOut) {
      all.meters().refused("locked-out");
    }
    refuse(
        Listening.refused(
            frame.listener(),
            Listening.Outcome.NOT_PERMITTED,
            "rmigate: this session takes no listeners any more"));
    return false;
  }

  /** Binds, and answers; false when the port is about to be free, and is waited for. */
  private boolean bind(Listen frame) {
    InnerPorts.Bound bound = all.listen(link.principal(), link.loop(), frame.port());
    if (bound.closing() && willWait(frame)) {
      return false;
    }
    if (bound.listener().isEmpty()) {
      if (frame.port() != 0 && bound.outcome() == Listening.Outcome.NOT_PERMITTED) {
        link.learnPort(frame.port());
      }
      refuse(Listening.refused(frame.listener(), bound.outcome(), bound.text()));
      return true;
    }
    InnerListener socket = bound.listener().get();
    CallbackListener listener =
        new CallbackListener(session, frame.listener(), socket, bound.address());
    all.whenOwnersAreKept(() -> begin(listener, bound.address()));
    return true;
  }

  private void refuse(Listening refusal) {
    lock.lock();
    try {
      pace.onRefused(System.nanoTime());
    } finally {
      lock.unlock();
    }
    answer(refusal);
  }

  private void answer(Listening answer) {
    link.add(answer.outcome() == Listening.Outcome.LISTENING ? answer : refused(answer));
    link.flush();
  }

  /** Tells log and audit of it; the answer with its number. */
  private Listening refused(Listening answer) {
    Refusal refusal = Refusal.of(answer.outcome() + " " + answer.text(), advice(answer.outcome()));
    link.warnRefused(LOG, refusal, "callback port", "request to listen");
    link.audit(link.entry(AuditEvent.CALLBACK_PORT).refused("callback-port", refusal));
    return Listening.refused(
        answer.listener(), answer.outcome(), refusal.told(answer.text(), false));
  }

  private static String advice(Listening.Outcome outcome) {
    return switch (outcome) {
      case NOT_PERMITTED ->
          "to allow it add the principal to an entry of callbacks.allow, and a port that it names"
              + " to explicit there";
      case TOO_MANY ->
          "to allow more ports raise max-ports in callbacks.allow, or widen callbacks.ports";
      case LISTENING, PORT_IN_USE, FAILED -> "";
    };
  }

  /** Inner JVMs may connect from now on. On the edge's thread, or the one that has written. */
  private void begin(CallbackListener listener, InetAddress address) {
    boolean late;
    lock.lock();
    try {
      late = ended;
      if (!late) {
        open.put(listener.number(), listener);
        portsSoFar.add(listener.port());
        ports.add(listener.port());
        all.meters().callbackListeners(1);
        answer(Listening.on(listener.number(), listener.port()));
      }
    } finally {
      lock.unlock();
    }
    if (late) {
      listener.close();
      all.freed(listener.port());
      return;
    }
    LOG.info(
        "{} of {} listens on {} port {}",
        session,
        link.principal(),
        address.getHostAddress(),
        listener.port());
    audit(listener, AuditOutcome.OPENED);
    listener.start();
    link.send();
  }

  /** Queues a request for a port, to be tried again; false when too many requests wait. */
  private boolean willWait(Listen frame) {
    lock.lock();
    try {
      if (ended || waiting.size() >= MAX_WAITING) {
        return false;
      }
      return waiting.add(frame);
    } finally {
      lock.unlock();
    }
  }

  /** Asks again for ports that were about to be free. */
  void bindWaiting() {
    List<Listen> again;
    lock.lock();
    try {
      again = List.copyOf(waiting);
      waiting.clear();
    } finally {
      lock.unlock();
    }
    for (Listen frame : again) {
      if (mayBind(frame)) {
        boolean unused = bind(frame); // or it waits on, for the next tick
      }
    }
  }

  void unlisten(Unlisten frame) throws ProtocolViolationException {
    CallbackListener listener;
    lock.lock();
    try {
      listener = open.remove(frame.listener());
      if (listener == null) {
        throw new ProtocolViolationException(
            "expected the number of a listener, got " + frame.listener());
      }
      ports.remove(listener.port());
      pace.onGivenBack(System.nanoTime());
      session.references().forget(listener);
    } finally {
      lock.unlock();
    }
    close(listener);
  }

  private void audit(CallbackListener listener, AuditOutcome outcome) {
    link.audit(
        link.entry(AuditEvent.CALLBACK_PORT)
            .outcome(outcome)
            .with(AuditField.VERDICT, AuditEntry.ALLOWED)
            .with(AuditField.PORT, listener.port()));
  }

  private void close(CallbackListener listener) {
    audit(listener, AuditOutcome.ENDED);
    listener.close();
    all.freed(listener.port());
    all.meters().callbackListeners(-1);
    LOG.info("{} of {} no longer listens on port {}", session, link.principal(), listener.port());
  }

  /** The session has ended: its ports are free. Once. */
  void end() {
    List<CallbackListener> closing;
    lock.lock();
    try {
      ended = true;
      closing = List.copyOf(open.values());
      open.clear();
      ports.clear();
      waiting.clear();
      closing.forEach(session.references()::forget);
    } finally {
      lock.unlock();
    }
    closing.forEach(this::close);
  }

  /** Whether the agent has a listener at that port. Takes no lock. */
  boolean isOpen(int port) {
    return ports.contains(port);
  }

  /** Whether the agent has a listener at that port, or has had one. */
  boolean wasOpen(int port) {
    return portsSoFar.contains(port);
  }

  // With the lock held.

  /** Whether the agent has not given it back. */
  boolean has(CallbackListener listener) {
    return open.get(listener.number()) == listener;
  }

  Collection<CallbackListener> open() {
    return open.values();
  }
}
