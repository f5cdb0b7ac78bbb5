package depot;

import java.rmi.Remote;
import java.rmi.RemoteException;

/** Takes parcels and hands out crates, of which one side or the other need not have the class. */
public interface Depot extends Remote {
  Object take(Object parcel) throws RemoteException;

  Object give() throws RemoteException;

  Object ask(Teller teller) throws RemoteException;
}
