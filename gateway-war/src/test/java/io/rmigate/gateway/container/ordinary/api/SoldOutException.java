package io.rmigate.gateway.container.ordinary.api;

/** What the interface does not declare. */
@SuppressWarnings("serial")
public class SoldOutException extends RuntimeException {
  private final Money price;

  public SoldOutException(String message, Money price) {
    super(message);
    this.price = price;
  }

  @Override
  public String getMessage() {
    return super.getMessage() + " " + price;
  }
}
