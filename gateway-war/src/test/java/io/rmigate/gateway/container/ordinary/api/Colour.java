package io.rmigate.gateway.container.ordinary.api;

import java.io.Serializable;

/** An enumeration from before there were any. */
@SuppressWarnings("serial")
public final class Colour implements Serializable {
  public static final Colour RED = new Colour("red");
  public static final Colour BLUE = new Colour("blue");

  private final String name;

  private Colour(String name) {
    this.name = name;
  }

  private Object readResolve() {
    return name.equals("red") ? RED : BLUE;
  }

  @Override
  public String toString() {
    return name + (this == RED || this == BLUE ? "" : " (a copy)");
  }
}
