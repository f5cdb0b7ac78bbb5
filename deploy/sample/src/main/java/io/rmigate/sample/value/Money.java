package io.rmigate.sample.value;

import java.io.Serializable;
import java.math.BigDecimal;

/** An amount with its currency, immutable. */
public final class Money implements Serializable {
  private static final long serialVersionUID = 1L;

  private final BigDecimal amount;
  private final String currency;

  /** So much of that. */
  public Money(BigDecimal amount, String currency) {
    this.amount = amount;
    this.currency = currency;
  }

  public BigDecimal getAmount() {
    return amount;
  }

  public String getCurrency() {
    return currency;
  }
}
