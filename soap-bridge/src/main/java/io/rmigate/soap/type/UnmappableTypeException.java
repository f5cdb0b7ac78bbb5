package io.rmigate.soap.type;

/** A type has no outside form. Says why, and what its owner can do about it. */
public final class UnmappableTypeException extends Exception {
  private static final long serialVersionUID = 1L;

  private final String reason;
  private final String remedy;

  public UnmappableTypeException(String reason, String remedy) {
    super(reason + "; " + remedy);
    this.reason = reason;
    this.remedy = remedy;
  }

  /** Why not: a clause that begins with what it is about. */
  public String reason() {
    return reason;
  }

  /** The change, in the code or in the configuration, that makes the type usable. */
  public String remedy() {
    return remedy;
  }

  /** This refusal, found on the way through {@code place}. */
  public UnmappableTypeException at(String place) {
    UnmappableTypeException outer = new UnmappableTypeException(place + ": " + reason, remedy);
    outer.setStackTrace(getStackTrace());
    return outer;
  }
}
