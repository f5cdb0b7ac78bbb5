package io.rmigate.sample.value;

import java.io.Serializable;
import java.math.BigDecimal;

/**
 * A vehicle that carries a shipment; the entry of {@code publish} names the classes that extend it.
 */
public abstract class Vehicle implements Serializable {
  private static final long serialVersionUID = 1L;

  private String plate;
  private Route route;

  /** The limit of the load in kilograms, which follows from the vehicle's other properties. */
  public abstract BigDecimal limit();

  public String getPlate() {
    return plate;
  }

  public void setPlate(String plate) {
    this.plate = plate;
  }

  public Route getRoute() {
    return route;
  }

  public void setRoute(Route route) {
    this.route = route;
  }
}
