package io.rmigate.sample;

import java.io.Serializable;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.Objects;

/**
 * What a {@link Catalogue} sells.
 *
 * @param price in the catalogue's one currency
 * @param available the first day on which it can be delivered
 */
public record Product(
    String number, String name, Department department, BigDecimal price, LocalDate available)
    implements Serializable {

  /** Where a product is found in the shop. */
  public enum Department {
    TOOLS,
    GARDEN,
    BOOKS
  }

  public Product {
    Objects.requireNonNull(number, "number");
    Objects.requireNonNull(name, "name");
  }
}
