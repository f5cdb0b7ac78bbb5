package io.rmigate.sample.value;

/** A route, and immutable: made by its constructor alone. */
public final class Road implements Route {
  private static final long serialVersionUID = 1L;

  private final String start;
  private final String end;
  private final int kilometres;

  /** From one town to another. */
  public Road(String start, String end, int kilometres) {
    this.start = start;
    this.end = end;
    this.kilometres = kilometres;
  }

  public String start() {
    return start;
  }

  public String end() {
    return end;
  }

  @Override
  public int kilometres() {
    return kilometres;
  }
}
