package depot;

import java.rmi.Remote;
import java.rmi.RemoteException;

/** An object of a client's. */
public interface Teller extends Remote {
  Object tell(Object crate) throws RemoteException;
}
