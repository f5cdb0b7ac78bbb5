package io.rmigate.gateway.quota;

/**
 * The room that one stream has taken for what its servers have not taken yet, and may never take;
 * or one session for its streams. Guarded by its owner's lock.
 */
public final class WaitingRoom {
  /** So few bytes take no more than their owner itself, and are not counted. */
  private static final int UNCOUNTED_BYTES = 4 * 1024;

  /** Room is taken in steps, so seldom. */
  private static final int STEP_BYTES = 16 * 1024;

  private final Share all;

  /** Bytes that room was taken for. */
  private long counted;

  /**
   * @param all of the caller whose stream or session it is
   */
  public WaitingRoom(Share all) {
    this.all = all;
  }

  /**
   * Sets the number of bytes that wait.
   *
   * @param anyway number of bytes more that may wait even without room
   * @return false when there is no room for more than there was before; then nothing has happened
   */
  public boolean holds(long bytes, long anyway) {
    long steps = (bytes + STEP_BYTES - 1) / STEP_BYTES;
    long needed = bytes <= UNCOUNTED_BYTES ? 0 : steps * STEP_BYTES;
    long more = needed - counted;
    if (more > anyway && !all.take(more)) {
      return false;
    }
    if (more > 0 && more <= anyway) {
      all.takeAnyway(more);
    } else if (more < 0) {
      all.release(-more);
    }
    counted = needed;
    return true;
  }
}
