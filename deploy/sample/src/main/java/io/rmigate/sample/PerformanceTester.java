package io.rmigate.sample;

import java.rmi.Remote;
import java.rmi.RemoteException;

/**
 * The interface with which RMI, RMI tunnelling and web services were compared by Juric, Kezmah,
 * Hericko, Rozman and Vezocnik (2004): eight getters without arguments. {@link #ping} is the empty
 * call of the KaRMI benchmarks.
 */
public interface PerformanceTester extends Remote {
  /** The name it is bound under in the registry. */
  String NAME = "PerformanceTester";

  void ping() throws RemoteException;

  int getInt() throws RemoteException;

  short getShort() throws RemoteException;

  long getLong() throws RemoteException;

  float getFloat() throws RemoteException;

  double getDouble() throws RemoteException;

  boolean getBoolean() throws RemoteException;

  byte getByte() throws RemoteException;

  String getString() throws RemoteException;
}
