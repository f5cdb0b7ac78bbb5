package io.rmigate.sample.value;

import java.math.BigDecimal;
import java.util.List;

/** A declared failure with properties: a vehicle cannot carry so much. */
public class TooHeavy extends Exception {
  private static final long serialVersionUID = 1L;

  private final BigDecimal limit;

  @SuppressWarnings("serial") // its lists are serializable
  private final List<String> remedies;

  /** So much more than the limit. */
  public TooHeavy(BigDecimal excess, BigDecimal limit, List<String> remedies) {
    super(excess.toPlainString() + " kg too much");
    this.limit = limit;
    this.remedies = remedies;
  }

  /** The limit in kilograms. */
  public BigDecimal getLimit() {
    return limit;
  }

  /** Remedies: actions that the sender can take. */
  public List<String> getRemedies() {
    return remedies;
  }
}
