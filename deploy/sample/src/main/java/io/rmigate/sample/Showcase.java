package io.rmigate.sample;

import io.rmigate.sample.value.Load;
import io.rmigate.sample.value.Moments;
import io.rmigate.sample.value.Page;
import io.rmigate.sample.value.Pair;
import io.rmigate.sample.value.Receipt;
import io.rmigate.sample.value.Scalars;
import io.rmigate.sample.value.Shipment;
import io.rmigate.sample.value.TooHeavy;
import java.rmi.RemoteException;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * {@link Everything}, and a call for each kind of value that the web-service front knows to show:
 * what clients in other languages are held to. Calls change what they are given, so that a client
 * that gets the right result has been understood.
 *
 * <p>An inherited method cannot be shown to other languages: {@link Everything#echo} takes any
 * object.
 */
public interface Showcase extends Everything {
  /** The name it is bound under in the registry. */
  String NAME = "Showcase";

  /** {@link Scalars#next}. */
  Scalars next(Scalars scalars) throws RemoteException;

  /** {@link Moments#later}. */
  Moments later(Moments moments) throws RemoteException;

  /** Arrays in an array: columns as rows. All rows are equally long. */
  long[][] transposed(long[][] rows) throws RemoteException;

  /** An array, of which elements may be null, in the other direction. */
  String[] reversed(String[] texts) throws RemoteException;

  /** Lists in a map: where each word stands, from 0. */
  Map<String, List<Integer>> positions(List<String> words) throws RemoteException;

  /** The union of two sets: the words that are in one of them, or in both. */
  Set<String> union(Set<String> some, Set<String> others) throws RemoteException;

  /**
   * Beans in beans, inheritance, a closed set, an interface, immutable classes, and any number of
   * arguments: the shipment with more loads, marked, sealed once more and twice as expensive.
   *
   * @throws TooHeavy its vehicle cannot carry so much
   */
  Shipment loaded(Shipment shipment, Load... more) throws RemoteException, TooHeavy;

  /** A generic type: people by their numbers. */
  Page<Person> people(int first, int count) throws RemoteException;

  /** One generic type twice, with different arguments. */
  Pair<String, Planet> swapped(Pair<Planet, String> pair) throws RemoteException;

  /** Overloaded: says {@code int} and the value. */
  String kind(int value) throws RemoteException;

  /** Overloaded: says {@code String} and the value. */
  String kind(String value) throws RemoteException;

  /** Bytes there and back: each one's bits the other way round. */
  byte[] inverted(byte[] bytes) throws RemoteException;

  /** Receives an upload and returns a receipt for it. */
  Receipt receive(byte[] bytes) throws RemoteException;
}
