package io.rmigate.protocol.coding;

/**
 * Keeps a sender from spending its time on data that does not get shorter, such as images, archives
 * and encrypted data. Only large batches are watched: small ones cost little, and some of their
 * kind always shrink.
 *
 * <p>Data does not count as hopeless before a whole window of it did not shrink, since a second
 * copy of the same image does. Then large batches go plain for {@link #FIRST_PAUSE_BYTES}; the next
 * one is tried; while that does not shrink either, the pauses double up to {@link
 * #LONGEST_PAUSE_BYTES}. So of a long stream of such data less than one byte in fifty is coded.
 *
 * <p>Confined to the writing thread.
 */
final class CompressibilityCheck {
  /** Smaller batches are always tried. */
  static final int LARGE_BYTES = 2 * 1024;

  /** The bytes in a row that must have failed to shrink; rather more than a window. */
  static final int PATIENCE_BYTES = 48 * 1024;

  static final int FIRST_PAUSE_BYTES = 256 * 1024;
  static final int LONGEST_PAUSE_BYTES = 4 * 1024 * 1024;

  private long inVainBytes;
  private long pauseBytes;
  private long plainBytesLeft;

  /** Whether a batch of that size should be coded; it is then reported to {@link #onCoded}. */
  boolean admits(int batchBytes) {
    if (batchBytes < LARGE_BYTES || plainBytesLeft <= 0) {
      return true;
    }
    plainBytesLeft -= batchBytes;
    return false;
  }

  /**
   * What has become of a batch.
   *
   * @return whether a pause begins, and with it nothing in the context is worth keeping
   */
  boolean onCoded(int uncodedBytes, int codedBytes) {
    if (uncodedBytes < LARGE_BYTES) {
      return false;
    }
    if (codedBytes <= uncodedBytes - uncodedBytes / 16) {
      inVainBytes = 0;
      pauseBytes = 0;
      return false;
    }
    inVainBytes += uncodedBytes;
    if (inVainBytes < PATIENCE_BYTES) {
      return false;
    }
    pauseBytes =
        pauseBytes == 0 ? FIRST_PAUSE_BYTES : Math.min(2 * pauseBytes, LONGEST_PAUSE_BYTES);
    plainBytesLeft = pauseBytes;
    return true;
  }
}
