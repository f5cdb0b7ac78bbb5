package desk;

import java.io.IOException;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.util.List;
import java.util.Map;

/** About twenty kinds of calls. */
public interface Desk extends Remote {
  void nothing() throws RemoteException;

  int add(int a, int b) throws RemoteException;

  long wide(long a, double b, char c, boolean d) throws RemoteException;

  String text(String text) throws RemoteException;

  String[] texts(String[] texts) throws RemoteException;

  byte[] bytes(byte[] bytes) throws RemoteException;

  int[][] table(int[][] table) throws RemoteException;

  List<Item> list(List<Item> items) throws RemoteException;

  Map<String, Item> map(Map<String, Item> items) throws RemoteException;

  Item item(Item item) throws RemoteException;

  Item.Kind kind(Item.Kind kind) throws RemoteException;

  Object none(Object none) throws RemoteException;

  void refused(String why) throws RemoteException, IOException;

  void broken() throws RemoteException;

  Desk other(String name) throws RemoteException;

  String name() throws RemoteException;

  Desk same(Desk desk) throws RemoteException;

  /** Collects garbage, and says whether the other desk of that name is referred to by no client any more. */
  boolean forgot(String name) throws RemoteException;

  String ring(Bell bell, String text) throws RemoteException;

  String slow(int millis) throws RemoteException;
}
