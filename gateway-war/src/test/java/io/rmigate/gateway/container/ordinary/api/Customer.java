package io.rmigate.gateway.container.ordinary.api;

/** A subclass with fields of its own. */
@SuppressWarnings("serial")
public class Customer extends Person {
  private int number;
  private double discount;

  public int getNumber() {
    return number;
  }

  public void setNumber(int number) {
    this.number = number;
  }

  public double getDiscount() {
    return discount;
  }

  public void setDiscount(double discount) {
    this.discount = discount;
  }

  @Override
  public String toString() {
    return super.toString() + " " + number + " " + discount;
  }
}
