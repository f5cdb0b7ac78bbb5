package io.rmigate.gateway.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.server.RMIServerSocketFactory;
import java.rmi.server.UnicastRemoteObject;

/**
 * One address and port at which a program exports objects, so that another program can have the
 * port at other addresses of the machine. Equal to others of its kind, so that all its objects
 * share a server socket.
 */
public record ExportAddress(String address, int port) implements RMIServerSocketFactory {
  private static final int BACKLOG = 50;

  /** From {@code ADDRESS:PORT}. */
  public static ExportAddress parse(String text) {
    int colon = text.indexOf(':');
    return new ExportAddress(text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
  }

  /** Exports an object there; its stub names what the JVM says of itself. */
  public Remote export(Remote object) throws RemoteException {
    return UnicastRemoteObject.exportObject(object, port, null, this);
  }

  @Override
  public ServerSocket createServerSocket(int exported) throws IOException {
    return new ServerSocket(exported, BACKLOG, InetAddress.getByName(address));
  }

  @Override
  public String toString() {
    return address + ":" + port;
  }
}
