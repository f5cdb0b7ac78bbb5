package desk;

import java.io.Serializable;

/** A value. */
public final class Item implements Serializable {
  private static final long serialVersionUID = 1;

  /** An enum. */
  public enum Kind {
    SMALL,
    LARGE
  }

  private final String name;
  private final Integer pieces;
  private final Kind kind;

  Item(String name, Integer pieces, Kind kind) {
    this.name = name;
    this.pieces = pieces;
    this.kind = kind;
  }

  @Override
  public String toString() {
    return pieces + " " + kind + " " + name;
  }
}
