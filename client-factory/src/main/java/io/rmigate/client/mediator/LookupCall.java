package io.rmigate.client.mediator;

import io.rmigate.client.deadline.CallClock;
import io.rmigate.client.link.LinkLostException;
import io.rmigate.client.link.LinkWait;
import io.rmigate.protocol.tunnel.RefusalReason;
import io.rmigate.protocol.tunnel.RegistryName;
import java.io.IOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.HashSet;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * One lookup of the application that the registry itself need not see. A lookup changes nothing, so
 * that one whose link was lost is asked again, once, on the next.
 *
 * <p>Confined to the thread that looks up, except {@link #close}.
 */
public final class LookupCall implements MediatedCall {

  /** The outcome of a lookup: how to go on with the application's Call. */
  public sealed interface Outcome {}

  /** The Return of the Call; not to be changed. */
  @SuppressWarnings("ArrayRecordComponent") // wire bytes: identity, not value
  public record Answer(byte[] message) implements Outcome {}

  /** The registry cannot be asked, for this reason. */
  public record Refusal(RefusalReason reason, String text) implements Outcome {}

  /** The gateway could not be asked: twice its link was lost. */
  public record NoLink(IOException failure) implements Outcome {}

  /** The Call is sent to the registry, like any other Call. */
  public record ToRegistry() implements Outcome {
    static final ToRegistry INSTANCE = new ToRegistry();
  }

  /**
   * The question on one link. Its outcome is set by the reader of that link; the rest is guarded by
   * the lock of {@link Lookups}.
   */
  static final class Attempt implements BooleanSupplier {
    private static final int MAX_DISTRUSTED = 64;

    private final RegistryName name;
    private volatile LinkWait wait;
    private volatile Outcome outcome;
    private volatile boolean abandoned;
    private HeldBinding binding;

    /** Whether the registry itself has to be asked. */
    private final boolean fresh;

    /** Invalidations of bindings since the gateway was asked. */
    private final Set<BindingInvalidation> distrusted = new HashSet<>();

    Attempt(RegistryName name, boolean fresh) {
      this.name = name;
      this.fresh = fresh;
    }

    RegistryName name() {
      return name;
    }

    void waitBy(LinkWait waiting) {
      wait = waiting;
    }

    boolean isOver() {
      return outcome != null || abandoned;
    }

    @Override
    public boolean getAsBoolean() {
      return isOver();
    }

    boolean isFresh() {
      return fresh;
    }

    /**
     * Notes an invalidation: the answer serves this lookup, but serves later lookups only if the
     * invalidation does not concern it.
     */
    void distrust(BindingInvalidation since) {
      if (distrusted.size() <= MAX_DISTRUSTED) { // beyond that everything is
        distrusted.add(since);
      }
    }

    /** Whether lookups from now on may be answered with this binding, which answers this one. */
    boolean mayHold(HeldBinding answer) {
      if (distrusted.size() > MAX_DISTRUSTED) {
        return false;
      }
      for (BindingInvalidation distrust : distrusted) {
        if (distrust.concerns(answer)) {
          return false;
        }
      }
      return true;
    }

    /** Whether calls to the answer's object have failed since the gateway was asked. */
    boolean leadsNowhere(HeldBinding answer) {
      for (BindingInvalidation distrust : distrusted) {
        if (distrust instanceof BindingInvalidation.LeadsNowhere && distrust.concerns(answer)) {
          return true;
        }
      }
      return false;
    }

    /** Whether the application's thread has stopped waiting. */
    boolean isAbandoned() {
      return abandoned;
    }

    void abandon() {
      abandoned = true;
    }

    /** Brings back the thread that waits although no frame has come. With no lock held. */
    void endWait() {
      LinkWait waiting = wait;
      if (waiting != null) {
        waiting.abandon();
      }
    }

    /** The binding that this was answered with; null when it was not. */
    HeldBinding binding() {
      return binding;
    }

    void answer(HeldBinding held) {
      binding = held;
      answer(new Answer(held.message()));
    }

    void answer(Outcome answer) {
      outcome = answer;
      wake();
    }

    /** Wakes the waiting thread, because the attempt was answered or its link has ended. */
    void wake() {
      LinkWait waiting = wait;
      if (waiting != null) {
        waiting.wake();
      }
    }
  }

  private final Lookups lookups;
  private final RegistryName name;
  private final CallClock clock;
  private volatile Attempt attempt;
  private boolean repeated;
  private volatile boolean closed;

  LookupCall(Lookups lookups, RegistryName name, Attempt first, CallClock clock) {
    this.clock = clock;
    this.lookups = lookups;
    this.name = name;
    this.attempt = first;
  }

  /**
   * Waits for the outcome.
   *
   * @param timeoutMillis 0 for none
   * @throws SocketTimeoutException the time is over; the wait can be taken up again
   * @throws SocketException closed meanwhile
   */
  public Outcome await(int timeoutMillis) throws IOException {
    while (true) {
      Attempt current = attempt;
      if (!current.isOver()) {
        current.wait.await(timeoutMillis);
      }
      if (closed) {
        throw new SocketException("Socket closed");
      }
      if (current.outcome != null) {
        return current.outcome;
      }
      if (repeated) {
        return new NoLink(
            new LinkLostException("the link was lost while looking up " + name, null));
      }
      repeated = true;
      attempt = lookups.ask(name, clock).orElseGet(Lookups::leftToTheRegistry);
      if (closed) {
        lookups.abandon(attempt);
      }
    }
  }

  /** Ends the wait; an answer that comes later is dropped. From any thread. */
  @Override
  public void close() {
    closed = true;
    lookups.abandon(attempt);
  }
}
