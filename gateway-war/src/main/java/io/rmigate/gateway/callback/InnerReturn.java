package io.rmigate.gateway.callback;

import java.io.ByteArrayOutputStream;
import java.util.Optional;
import java.util.function.IntPredicate;

/**
 * The Return that an inner JVM waits for, from its Call on.
 *
 * <pre>
 *   NONE ── Call ──► AWAITED ── bytes ──► BEHIND_DIRTIES ── done ──► PASSING ── next Call ──► AWAITED
 *   any of them ── {@link #giveUp} ──► NONE
 * </pre>
 *
 * BEHIND_DIRTIES: the first byte of a Return ends the inner JVM's hold on what it has sent as
 * arguments, so it waits until the gateway's own leases on that are in place (PROTOCOL.md, section
 * 11). Guarded by the stream's lock.
 */
final class InnerReturn {

  /** Ways to treat bytes of the agent. */
  enum Fate {
    /** They belong to no Call and are dropped. */
    NOBODYS,
    /** They are the first of a Return, and wait until {@link #onLeasesInPlace} is called. */
    WAIT_FIRST,
    WAIT,
    PASS
  }

  private enum State {
    NONE,
    AWAITED,
    BEHIND_DIRTIES,
    PASSING
  }

  private final WaitingBytes waiting;
  private final SingleOpReturn lone;
  private State state = State.NONE;
  private ByteArrayOutputStream held = new ByteArrayOutputStream(0);

  /** Whether the barrier will call {@link #onLeasesInPlace}, even if the Return is given up. */
  private boolean inBarrier;

  /**
   * @param mayKeep takes the change of bytes kept to find the end of a Return; false when there is
   *     no room
   */
  InnerReturn(WaitingBytes waiting, IntPredicate mayKeep) {
    this.waiting = waiting;
    this.lone = new SingleOpReturn(mayKeep);
  }

  /** A Call goes to the agent. */
  void expect() {
    state = State.AWAITED;
  }

  /** Whether there is a Call, and not a byte of its Return has passed. */
  boolean isExpected() {
    return state == State.AWAITED || isBehindDirties();
  }

  boolean isBehindDirties() {
    return state == State.BEHIND_DIRTIES;
  }

  /** Whether the barrier will call {@link #onLeasesInPlace}. */
  boolean inBarrier() {
    return inBarrier;
  }

  /** Takes bytes of the agent, and keeps them if they have to wait. */
  Fate take(byte[] bytes) {
    switch (state) {
      case NONE -> {
        return Fate.NOBODYS;
      }
      case AWAITED -> {
        state = State.BEHIND_DIRTIES;
        inBarrier = true;
        hold(bytes);
        return Fate.WAIT_FIRST;
      }
      case BEHIND_DIRTIES -> {
        hold(bytes);
        return Fate.WAIT;
      }
      case PASSING -> {
        return Fate.PASS;
      }
      default -> throw new AssertionError(state);
    }
  }

  private void hold(byte[] bytes) {
    held.writeBytes(bytes);
    waiting.add(bytes.length);
  }

  /** Bytes that have waited and may pass now; empty when they were given up. */
  Optional<byte[]> onLeasesInPlace() {
    inBarrier = false;
    if (!isBehindDirties()) {
      return Optional.empty();
    }
    state = State.PASSING;
    byte[] passing = held.toByteArray();
    forgetHeld();
    return Optional.of(passing);
  }

  /** Whether the Return, of the only Call there is, ends with these bytes, which pass. */
  boolean endsWith(byte[] passing) {
    return lone.endsWith(passing);
  }

  private void forgetHeld() {
    waiting.add(-held.size());
    held = new ByteArrayOutputStream(0);
  }

  /** The inner JVM can get no Return any more. */
  void giveUp() {
    forgetHeld();
    state = State.NONE;
  }

  /** The connection is over. */
  void forget() {
    giveUp();
    lone.forget();
  }

  /** The session is, and its barrier has forgotten this. */
  void leaveBarrier() {
    inBarrier = false;
  }

  int heldBytes() {
    return held.size();
  }
}
