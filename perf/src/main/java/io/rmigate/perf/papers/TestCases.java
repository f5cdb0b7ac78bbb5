package io.rmigate.perf.papers;

import java.rmi.Remote;
import java.rmi.RemoteException;

/** The five test cases of the Monads field trial. */
public interface TestCases extends Remote {
  /** The name it is bound under in the registry. */
  String NAME = "TestCases";

  /** Bytes, all zero, each way. */
  int PING_BYTES = 500;

  /** Bytes of an image, which cannot be compressed. */
  int IMAGE_BYTES = 5_998;

  /** Bytes of HTML. */
  int TEXT_BYTES = 9_689;

  /** Void: no argument, no result. */
  void nothing() throws RemoteException;

  /** ReturnPing: returns its argument. */
  byte[] returnPing(byte[] zeros) throws RemoteException;

  /** PingImage: takes an image. */
  void pingImage(byte[] image) throws RemoteException;

  /** PingText: takes a page of HTML. */
  void pingText(String html) throws RemoteException;

  /** ReturnText: returns its argument. */
  String returnText(String html) throws RemoteException;
}
