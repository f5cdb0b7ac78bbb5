package depot;

import java.io.Serializable;

/** A value. */
public final class Parcel implements Serializable {
  private static final long serialVersionUID = 1L;

  private final String label;
  private final byte[] content;

  public Parcel(String label, int bytes) {
    this.label = label;
    this.content = new byte[bytes];
  }

  @Override
  public String toString() {
    return "Parcel " + label + " of " + content.length;
  }
}
