package io.rmigate.gateway.scan;

import java.io.Serializable;

/** What chains of foreign libraries reach: it does nothing but leave its {@link Trap}'s traces. */
public final class Mark implements Serializable {
  private static final long serialVersionUID = 1L;

  /** Leaves them. */
  public static Object leave() {
    return Gadgets.fire();
  }

  /** A property that does so when it is read. */
  public Object getHarmful() {
    return leave();
  }

  /** Does so when one is made. */
  public static final class Made {
    /** Leaves them. */
    public Made() {
      leave();
    }
  }

  /** Names the class in its signature. */
  public static Object of(Made made) {
    return made;
  }
}
