package io.rmigate.gateway.boxes;

import java.rmi.Remote;
import java.rmi.RemoteException;

/** What clients of the matrix call. */
public interface Depot extends Remote {
  /** The name it is bound under. */
  String NAME = "depot";

  /** The length of a {@link #parcel}. */
  int PARCEL_BYTES = 50_000_000;

  /** Counts a call, and says how many of {@code client} have been executed. */
  int count(String client) throws RemoteException;

  /** {@link #PARCEL_BYTES} that cannot be compressed; the same each time. */
  byte[] parcel() throws RemoteException;

  /** Knocks so often, and says how many knocks were answered as they should be. */
  int visit(Door door, int knocks) throws RemoteException;
}
