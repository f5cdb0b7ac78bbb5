package io.rmigate.sample.value;

import java.math.BigDecimal;

/** Carries ten tonnes on each axle. */
public class Truck extends Vehicle {
  private static final long serialVersionUID = 1L;

  private int axles;

  public int getAxles() {
    return axles;
  }

  public void setAxles(int axles) {
    this.axles = axles;
  }

  @Override
  public BigDecimal limit() {
    return BigDecimal.valueOf(10_000L * axles);
  }
}
