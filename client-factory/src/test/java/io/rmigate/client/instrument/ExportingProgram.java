package io.rmigate.client.instrument;

import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.server.UnicastRemoteObject;

/** An application that exports an object; prints what its stub names. */
public final class ExportingProgram {
  private ExportingProgram() {}

  /** Run by {@link PremainTest} in a JVM of its own. */
  public static void main(String[] arguments) throws RemoteException {
    System.out.println("before: " + System.getProperty("java.rmi.server.hostname"));
    try {
      System.out.println("stub: " + UnicastRemoteObject.exportObject(new Exported(), 0));
    } catch (RemoteException refused) {
      System.out.println("refused: " + refused);
    }
    System.out.println("after: " + System.getProperty("java.rmi.server.hostname"));
    System.exit(0); // an exported object keeps the JVM
  }

  private static final class Exported implements Remote {}
}
