package io.rmigate.sample;

/** A declared failure of {@link Basket#add}: there are fewer pieces than were asked for. */
public class OutOfStockException extends Exception {
  private static final long serialVersionUID = 1L;

  private final String number;
  private final int left;

  OutOfStockException(String number, int left) {
    super("only " + left + " of " + number + " left");
    this.number = number;
    this.left = left;
  }

  /** The product number. */
  public String number() {
    return number;
  }

  /** Pieces in stock. */
  public int left() {
    return left;
  }
}
