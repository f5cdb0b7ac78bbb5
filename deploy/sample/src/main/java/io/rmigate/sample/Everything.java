package io.rmigate.sample;

import java.rmi.Remote;
import java.rmi.RemoteException;
import java.util.Collection;

/** Every kind of call, result and failure that RMI knows; what the integration tests call. */
public interface Everything extends Remote {
  /** The name it is bound under in the registry. */
  String NAME = "Everything";

  boolean echoBoolean(boolean value) throws RemoteException;

  byte echoByte(byte value) throws RemoteException;

  short echoShort(short value) throws RemoteException;

  char echoChar(char value) throws RemoteException;

  int echoInt(int value) throws RemoteException;

  long echoLong(long value) throws RemoteException;

  float echoFloat(float value) throws RemoteException;

  double echoDouble(double value) throws RemoteException;

  /** One of each primitive in one argument block: their widths and order must survive. */
  String describe(boolean z, byte b, short s, char c, int i, long j, float f, double d, String text)
      throws RemoteException;

  /** May be null. */
  String echoString(String value) throws RemoteException;

  /** Returns the argument: null, graphs, arrays, records, enums, any other serializable object. */
  Object echo(Object value) throws RemoteException;

  /** The Mobility-RPC benchmark's method: a new list of the same elements. */
  <T extends Comparable<T>> Collection<T> processRequest(Collection<T> elements)
      throws RemoteException;

  /** Joins the parts' texts; takes any number of them, also none. */
  String join(String separator, Object... parts) throws RemoteException;

  /** CRC-32 of the bytes: a large argument with a small result. */
  long checksum(byte[] bytes) throws RemoteException;

  /** {@code length} bytes of the {@link java.util.Random} of that seed: a large result. */
  byte[] produce(int length, long seed) throws RemoteException;

  /** Always fails with a {@link CheckedFailure} of code 42 whose cause is an IOException. */
  void failChecked(String message) throws RemoteException, CheckedFailure;

  /** Always fails with an IllegalStateException that has a cause and a suppressed exception. */
  void failUnchecked(String message) throws RemoteException;

  /** Always fails with a StackOverflowError made by hand. */
  void failWithError(String message) throws RemoteException;

  /** Always fails with a RemoteException of the server's own. */
  void failRemote(String message) throws RemoteException;

  /** Returns an object that cannot be serialized. */
  Object unserializableResult() throws RemoteException;

  /** A new remote object on the server's common port. */
  Counter newCounter(int start) throws RemoteException;

  /** A new remote object on a port of its own, which closes when the object is unexported. */
  Counter newCounterOnItsOwnPort(int start) throws RemoteException;

  /** Increments a counter of this server, to which the argument is a reference. */
  int incrementFor(Counter counter) throws RemoteException;

  /** How many counters have lost their last client since the server started. */
  int unreferencedCounters() throws RemoteException;

  /** Counts as {@link #execute} does, then holds the caller up for so long. */
  int executeSlowly(String callId, long millis) throws RemoteException;

  /** Counts an execution under this id and returns how many there have been: 1, unless repeated. */
  int execute(String callId) throws RemoteException;

  /** How often {@code callId} has been executed: shows that no call ran twice. */
  int executions(String callId) throws RemoteException;

  /** The host the server sees as its client. */
  String clientHost() throws RemoteException;
}
