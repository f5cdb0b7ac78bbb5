package desk;

import java.rmi.Remote;
import java.rmi.RemoteException;

/** Called by a server. */
public interface Bell extends Remote {
  String rung(String text) throws RemoteException;
}
