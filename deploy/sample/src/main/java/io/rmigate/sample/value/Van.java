package io.rmigate.sample.value;

import java.math.BigDecimal;

/** Carries half a tonne, cooled or not. */
public class Van extends Vehicle {
  private static final long serialVersionUID = 1L;

  private boolean cooled;

  public boolean isCooled() {
    return cooled;
  }

  public void setCooled(boolean cooled) {
    this.cooled = cooled;
  }

  @Override
  public BigDecimal limit() {
    return BigDecimal.valueOf(500);
  }
}
