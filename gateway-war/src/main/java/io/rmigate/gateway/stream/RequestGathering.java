package io.rmigate.gateway.stream;

import io.rmigate.gateway.quota.Share;

/**
 * Gathers the requests of one stream, so that each can be judged as a whole before its first byte
 * goes on.
 *
 * <pre>
 *   BETWEEN ── first bytes ──► HOLDING ── its end ──────────────► BETWEEN   (a whole request)
 *                                 └── too long ──► STREAMING ── its end ──► BETWEEN
 *                                                      └── refused ──► DISCARDING ──► BETWEEN
 * </pre>
 *
 * <p>Guarded by {@link OpenStream#lock()}.
 */
final class RequestGathering {

  /** Receives requests; called from within {@link #onData}. */
  interface Listener {

    /** A whole request; not held here any more. */
    void onWhole(byte[] request);

    /**
     * More has come than is held of just any request, or than was said to be held of this one: the
     * rules that say so may be others by now.
     *
     * @param beginning of it, so far
     * @return up to how many bytes this one is held, if these are more, {@link #onTooLong} follows
     *     at once; 0 when it has been refused
     */
    int holdUpTo(byte[] beginning);

    /**
     * The request is too long to be held, by {@link #holdUpTo}. What follows comes to {@link
     * #onRest}, unless {@link #discardRest} is called.
     */
    void onTooLong(byte[] beginning);

    /** There is no room for what would have to be held of this request, whose beginning this is. */
    void onNoRoom(byte[] beginning);

    /**
     * More bytes are to be held of a request than of every request, within {@link #holdUpTo}.
     *
     * @return whether there is room for them
     */
    boolean mayHold(int bytes);

    /** There is no room to hold more of a request than this beginning. */
    void onFull(byte[] beginning);

    /** More bytes of the request that has begun have come. */
    void onRest(byte[] bytes);

    /** Bytes of a refused request have come. */
    void onDiscarded(int bytes);

    /** A request whose beginning, or refusal, has been told is over. */
    void onOver();
  }

  private enum Mode {
    BETWEEN,
    HOLDING,
    STREAMING,
    DISCARDING
  }

  /** Bytes of one request that are not counted, because the stream itself takes no less memory. */
  private static final int UNCOUNTED_BYTES = 4 * 1024;

  /** Step in which room is taken, so that it is taken seldom. */
  private static final int STEP_BYTES = 16 * 1024;

  private final int maxHeldBytes;
  private final Share room;

  private Mode mode = Mode.BETWEEN;
  private long request;
  private HeldPieces held;

  /** Bytes; 0 until the listener has been asked. */
  private int limit;

  /** Bytes that room was taken for, of a request of which no more is held than of just any. */
  private int counted;

  /** Room that was taken for the beginning of the latest request, and is released already. */
  private int roomOfBeginning;

  /**
   * @param maxHeldBytes of a request of which the listener has not been asked
   * @param room for what is held
   */
  RequestGathering(int maxHeldBytes, Share room) {
    this.maxHeldBytes = maxHeldBytes;
    this.room = room;
  }

  /** The number of the request that came last, counted from 1. */
  long request() {
    return request;
  }

  /** Bytes that room was taken for while only the beginning of the latest request had come. */
  int roomOfBeginning() {
    return roomOfBeginning;
  }

  /** Whether a request has begun and not ended. */
  boolean withinRequest() {
    return mode != Mode.BETWEEN;
  }

  /** Whether part of the request that has begun has gone on. */
  boolean isPassing() {
    return mode == Mode.STREAMING;
  }

  /**
   * Bytes of the agent.
   *
   * @param last whether the request ends with them
   */
  void onData(byte[] bytes, boolean last, Listener listener) {
    if (mode == Mode.BETWEEN) {
      mode = Mode.HOLDING;
      request++;
      roomOfBeginning = 0;
    }
    switch (mode) {
      case HOLDING -> hold(bytes, last, listener);
      case STREAMING -> {
        listener.onRest(bytes);
        endIf(last, listener);
      }
      case DISCARDING -> {
        listener.onDiscarded(bytes.length);
        endIf(last, listener);
      }
      default -> throw new AssertionError(mode);
    }
  }

  private void endIf(boolean last, Listener listener) {
    if (last) {
      mode = Mode.BETWEEN;
      listener.onOver();
    }
  }

  private void hold(byte[] bytes, boolean last, Listener listener) {
    if (last && held == null) { // the usual way: in one piece
      mode = Mode.BETWEEN;
      listener.onWhole(bytes);
      return;
    }
    if (held == null) {
      held = new HeldPieces();
      limit = 0;
    }
    held.add(bytes);
    if (last && (limit == 0 || held.size() <= limit)) {
      mode = Mode.BETWEEN;
      listener.onWhole(takeHeld());
    } else if (limit > 0 && held.size() <= limit) {
      holdMore(bytes.length, listener);
    } else if (limit > 0) {
      ask(bytes.length, last, listener);
    } else if (held.size() > maxHeldBytes) {
      giveBackRoom(); // which is the listener's to take
      ask(held.size(), last, listener);
    } else if (!hasRoom()) {
      byte[] beginning = takeHeld();
      mode = Mode.DISCARDING;
      listener.onNoRoom(beginning);
    }
  }

  /** Whether there is room for what is held of a request that has not ended. */
  private boolean hasRoom() {
    if (held.size() <= Math.max(counted, UNCOUNTED_BYTES)) {
      return true;
    }
    int more = (held.size() - counted + STEP_BYTES - 1) / STEP_BYTES * STEP_BYTES;
    if (!room.take(more)) {
      return false;
    }
    counted += more;
    return true;
  }

  private void giveBackRoom() {
    if (counted > 0) {
      room.release(counted);
      roomOfBeginning = counted;
      counted = 0;
    }
  }

  /**
   * Asks the listener how many bytes to hold, because the number is unknown or may have changed.
   */
  private void ask(int bytes, boolean last, Listener listener) {
    byte[] beginning = held.toByteArray();
    limit = listener.holdUpTo(beginning);
    if (limit == 0) {
      forgetHeld();
      mode = Mode.DISCARDING;
      endIf(last, listener);
    } else if (beginning.length > limit) {
      forgetHeld();
      mode = Mode.STREAMING; // unless the listener refuses
      listener.onTooLong(beginning);
      endIf(last, listener);
    } else if (last) {
      forgetHeld();
      mode = Mode.BETWEEN;
      listener.onWhole(beginning);
    } else {
      holdMore(bytes, listener);
    }
  }

  private void holdMore(int bytes, Listener listener) {
    if (!listener.mayHold(bytes)) {
      byte[] beginning = takeHeld();
      mode = Mode.STREAMING; // unless the listener refuses
      listener.onFull(beginning);
    }
  }

  private byte[] takeHeld() {
    byte[] bytes = held.toByteArray();
    forgetHeld();
    return bytes;
  }

  private void forgetHeld() {
    held = null;
    giveBackRoom();
  }

  /** The rest of the request that is passing has no reader any more. */
  void discardRest() {
    if (mode == Mode.STREAMING) {
      mode = Mode.DISCARDING;
    }
  }

  /**
   * The request that is being held is refused, before its end has come.
   *
   * @return how many bytes of it were held; −1 when none is
   */
  int discardHeld() {
    if (mode != Mode.HOLDING) {
      return -1;
    }
    mode = Mode.DISCARDING;
    int bytes = held == null ? 0 : held.size();
    forgetHeld();
    return bytes;
  }

  /** The stream is over: nothing is held for it. */
  void close() {
    forgetHeld();
  }
}
