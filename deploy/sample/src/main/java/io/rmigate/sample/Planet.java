package io.rmigate.sample;

/** An enum with state and with constants that have bodies, which makes them subclasses. */
public enum Planet {
  EARTH(5.972e24),
  SATURN(5.683e26) {
    @Override
    public boolean hasRings() {
      return true;
    }
  };

  private final double mass;

  Planet(double mass) {
    this.mass = mass;
  }

  /** In kilograms. */
  public double mass() {
    return mass;
  }

  public boolean hasRings() {
    return false;
  }
}
