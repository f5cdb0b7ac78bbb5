package io.rmigate.gateway.container.cuts;

import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;

/**
 * Prints {@code tally ready <registry port>}; for each line of standard input {@code tally <calls>
 * <calls that were executed more than once>}. Ends with its input.
 */
public final class TallyServer implements Tally {
  private final Executed executed = new Executed();

  private TallyServer() {}

  @Override
  public byte[] count(long id, byte[] payload) {
    executed.add(id);
    return payload;
  }

  @Override
  public byte[] countBoth(long id, byte[] payload, TallyListener there) throws RemoteException {
    executed.add(id);
    return there.counted(id, payload);
  }

  /** Runs until its input ends. */
  public static void main(String[] args) throws Exception {
    TallyServer tally = new TallyServer();
    Registry registry = LocateRegistry.createRegistry(0);
    registry.bind(Tally.NAME, UnicastRemoteObject.exportObject(tally, 0));
    int port = Integer.parseInt(registry.toString().replaceAll("(?s).*:(\\d+)\\].*", "$1"));
    System.out.println("tally ready " + port);
    while (System.in.read() >= 0) {
      System.out.println("tally " + tally.executed);
    }
  }
}
