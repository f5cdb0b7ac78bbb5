package io.rmigate.sample.value;

import java.io.Serializable;
import java.math.BigDecimal;

/** A closed set, as the language has them. */
public sealed interface Load extends Serializable {

  /** In kilograms. */
  BigDecimal weight();

  /** Some pieces, each of {@code each} kilograms. */
  record Crate(int pieces, BigDecimal each) implements Load {
    @Override
    public BigDecimal weight() {
      return each.multiply(BigDecimal.valueOf(pieces));
    }
  }

  /**
   * A liquid.
   *
   * @param content may be null: unknown
   */
  record Tank(BigDecimal weight, String content) implements Load {}
}
