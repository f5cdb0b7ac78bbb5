package io.rmigate.client.instrument;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.server.RMISocketFactory;
import java.util.logging.LogManager;

/** An application that knows nothing of rmigate; prints what it finds. */
public final class RmiProgram {
  private RmiProgram() {}

  /** Run by {@link PremainTest} in a JVM of its own. */
  public static void main(String[] arguments) throws Exception {
    // As application servers do: the manager is chosen in main, which works only before the first
    // log line.
    System.setProperty("java.util.logging.manager", OwnLogManager.class.getName());
    System.out.println(
        "default: " + RMISocketFactory.getDefaultSocketFactory().getClass().getName());
    RMISocketFactory global = RMISocketFactory.getSocketFactory();
    System.out.println("global: " + (global == null ? null : global.getClass().getName()));
    try {
      LocateRegistry.getRegistry("127.0.0.1", 1).list();
    } catch (RemoteException e) {
      // No program listens there; the point is that the RMI runtime asked for a socket.
    }
    try {
      RMISocketFactory.setSocketFactory(new OwnFactory());
      System.out.println("application may set its own: true");
    } catch (IOException e) {
      System.out.println("application may set its own: false");
    }
    System.out.println("log manager: " + LogManager.getLogManager().getClass().getName());
    System.exit(0); // threads of the RMI runtime may linger
  }

  /** Stands for that of an application server. */
  public static final class OwnLogManager extends LogManager {
    /** Called by java.util.logging. */
    public OwnLogManager() {}
  }

  private static final class OwnFactory extends RMISocketFactory {
    @Override
    public Socket createSocket(String host, int port) throws IOException {
      return RMISocketFactory.getDefaultSocketFactory().createSocket(host, port);
    }

    @Override
    public ServerSocket createServerSocket(int port) throws IOException {
      return RMISocketFactory.getDefaultSocketFactory().createServerSocket(port);
    }
  }
}
