package io.rmigate.gateway.container.callbacks;

import java.rmi.Remote;
import java.rmi.RemoteException;

/** Where bells hang. */
public interface Tower extends Remote {
  /** The name it is bound under. */
  String NAME = "tower";

  /** Holds a bell. */
  void hang(String name, Bell bell) throws RemoteException;

  /** Rings a bell, and says what it said or how that failed. */
  String ring(String name) throws RemoteException;

  /** Gives a bell to the caller. */
  Bell give(String name) throws RemoteException;

  /** Holds it no more. */
  void take(String name) throws RemoteException;
}
