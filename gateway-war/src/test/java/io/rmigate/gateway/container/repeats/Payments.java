package io.rmigate.gateway.container.repeats;

import java.io.Serializable;
import java.rmi.Remote;
import java.rmi.RemoteException;

/** What must not be executed twice. */
public interface Payments extends Remote {
  /** The name in the registry. */
  String NAME = "payments";

  /**
   * A class that the interface does not mention, and that is not proven harmless, so that no
   * gateway lets it pass.
   */
  record Receipt(int number) implements Serializable {
    private Object readResolve() {
      // more than a look at values: the class is not proven harmless
      return System.nanoTime() == 0 ? null : this;
    }
  }

  /**
   * Counted.
   *
   * @return that number of bytes, and a {@link Receipt} behind them
   */
  Object pay(int bytes) throws RemoteException;

  /** How often {@link #pay} was executed. */
  int count() throws RemoteException;
}
