package io.rmigate.perf.amplification;

import java.rmi.Remote;
import java.rmi.RemoteException;
import java.util.List;

/** What web-service clients call. */
public interface Taker extends Remote {
  /** Takes a text. */
  int text(String text) throws RemoteException;

  /** Takes many. */
  int texts(List<String> texts) throws RemoteException;

  /** Takes numbers. */
  int numbers(int[] numbers) throws RemoteException;

  /** Takes bytes. */
  int bytes(byte[] bytes) throws RemoteException;

  /** Takes arrays of numbers. */
  int arrays(int[][] arrays) throws RemoteException;

  /** Takes objects in each other. */
  int link(ChainLink first) throws RemoteException;
}
