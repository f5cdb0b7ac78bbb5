package io.rmigate.gateway.container.leases;

import java.rmi.MarshalledObject;
import java.rmi.NotBoundException;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.util.List;

/** Hands out tokens. */
public interface Keeper extends Remote {
  /** The token of that name, a new one if no client holds one. */
  Token take(String name) throws RemoteException;

  /** Tokens with these names. */
  List<Token> takeAll(List<String> names) throws RemoteException;

  /** The token of that name, marshalled: the JVM that unmarshals it holds it. */
  MarshalledObject<Token> wrapped(String name) throws RemoteException;

  /** The token of that name of another keeper. */
  Token takeFrom(String host, int port, String name) throws RemoteException, NotBoundException;

  /** Holds the token here until a client fetches it; replaces the token with that key. */
  void give(String key, Token token) throws RemoteException;

  /** What was given with that key. */
  Token fetch(String key) throws RemoteException;

  /** What was given with that key is held here no longer. */
  void forget(String key) throws RemoteException;
}
