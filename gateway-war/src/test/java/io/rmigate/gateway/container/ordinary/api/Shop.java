package io.rmigate.gateway.container.ordinary.api;

import java.rmi.Remote;
import java.rmi.RemoteException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** Values of an application's own; each method returns its first argument. */
public interface Shop extends Remote {
  Order order(Order order) throws RemoteException;

  Order.Status status(Order.Status status) throws RemoteException;

  Money[] prices(Money... prices) throws RemoteException;

  Person person(Person person) throws RemoteException;

  Page<Order.Line> page(Page<Order.Line> page) throws RemoteException;

  Chain chain(Chain chain) throws RemoteException;

  Tag tag(Tag tag) throws RemoteException;

  Colour colour(Colour colour) throws RemoteException;

  Range range(Range range) throws RemoteException;

  Diary diary(Diary diary) throws RemoteException;

  Diary.Entry entry(Diary.Entry entry) throws RemoteException;

  Item item(Item item) throws RemoteException;

  Map<String, Object> attributes(Map<String, Object> attributes) throws RemoteException;

  List<? extends Person> people(List<? extends Person> people) throws RemoteException;

  Comparator<Person> order(Comparator<Person> order) throws RemoteException;

  <T extends Comparable<T>> T greatest(T one, T other) throws RemoteException;

  Object many(
      boolean a, byte b, char c, short d, int e, long f, float g, double h, String i, Integer j)
      throws RemoteException;
}
