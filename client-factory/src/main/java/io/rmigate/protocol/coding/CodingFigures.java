package io.rmigate.protocol.coding;

/**
 * Bytes that have crossed a link coded, in one direction.
 *
 * @param uncodedBytes of the frames inside
 * @param codedBytes of the frames they have become, headers included
 */
public record CodingFigures(long uncodedBytes, long codedBytes) {
  /** Figures before anything is coded. */
  public static final CodingFigures NONE = new CodingFigures(0, 0);

  /** Bytes that coding has kept off the link; negative when it has made things worse. */
  public long savedBytes() {
    return uncodedBytes - codedBytes;
  }

  /** The figures added since {@code before}. */
  public CodingFigures since(CodingFigures before) {
    return new CodingFigures(uncodedBytes - before.uncodedBytes, codedBytes - before.codedBytes);
  }

  /** The sum of these figures and others. */
  public CodingFigures plus(CodingFigures other) {
    return new CodingFigures(uncodedBytes + other.uncodedBytes, codedBytes + other.codedBytes);
  }

  /** Coded by uncoded, 1 when nothing was coded: what is left of each byte. */
  public double ratio() {
    return uncodedBytes == 0 ? 1 : (double) codedBytes / uncodedBytes;
  }
}
