package io.rmigate.gateway.container.ordinary.api;

/** What the interface declares. */
@SuppressWarnings("serial")
public class ShopException extends Exception {
  private final int code;
  private final Order.Status status;

  public ShopException(String message, int code, Throwable cause) {
    super(message, cause);
    this.code = code;
    this.status = Order.Status.PAID;
  }

  @Override
  public String getMessage() {
    return super.getMessage() + " code " + code + " " + status;
  }
}
