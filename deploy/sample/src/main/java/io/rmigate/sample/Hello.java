package io.rmigate.sample;

import java.rmi.Remote;
import java.rmi.RemoteException;

/** The smallest remote interface worth calling. */
public interface Hello extends Remote {
  /** The name it is bound under in the registry. */
  String NAME = "Hello";

  /** A greeting that contains {@code who}. */
  String hello(String who) throws RemoteException;
}
