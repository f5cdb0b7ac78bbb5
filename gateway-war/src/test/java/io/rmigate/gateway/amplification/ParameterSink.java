package io.rmigate.gateway.amplification;

import java.rmi.Remote;
import java.rmi.RemoteException;
import java.util.List;

/** The remote interface of the web-service requests. */
public interface ParameterSink extends Remote {
  /** Takes a text. */
  int text(String text) throws RemoteException;

  /** Takes a list of texts. */
  int texts(List<String> texts) throws RemoteException;

  /** Takes numbers. */
  int numbers(int[] numbers) throws RemoteException;

  /** Takes bytes. */
  int bytes(byte[] bytes) throws RemoteException;

  /** Takes arrays of numbers. */
  int arrays(int[][] arrays) throws RemoteException;

  /** Takes nested objects. */
  int link(ChainLink first) throws RemoteException;
}
