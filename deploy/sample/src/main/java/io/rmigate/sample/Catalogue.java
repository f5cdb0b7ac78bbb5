package io.rmigate.sample;

import java.rmi.Remote;
import java.rmi.RemoteException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A small shop: values, collections, a declared failure, and a method that returns a new remote
 * object.
 */
public interface Catalogue extends Remote {
  /** The name it is bound under in the registry. */
  String NAME = "Catalogue";

  /** All products, in the order of their numbers. */
  List<Product> products() throws RemoteException;

  /** The product of that number, or null: {@link Optional} cannot be serialized. */
  Product find(String number) throws RemoteException;

  /** Products by department; a department without products is missing. */
  Map<Product.Department, List<Product>> byDepartment() throws RemoteException;

  /** A new, empty basket for one customer; a remote object of its own. */
  Basket newBasket() throws RemoteException;
}
