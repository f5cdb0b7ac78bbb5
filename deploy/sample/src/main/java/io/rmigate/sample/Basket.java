package io.rmigate.sample;

import java.math.BigDecimal;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.util.NoSuchElementException;

/** A customer's basket of products. It lives at the server for as long as a client refers to it. */
public interface Basket extends Remote {

  /**
   * Takes pieces out of the stock.
   *
   * @return the total price of the basket now
   * @throws OutOfStockException the stock has fewer pieces
   * @throws NoSuchElementException there is no such product
   */
  BigDecimal add(String number, int pieces) throws RemoteException, OutOfStockException;
}
