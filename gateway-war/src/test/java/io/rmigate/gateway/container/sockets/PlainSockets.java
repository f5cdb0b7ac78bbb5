package io.rmigate.gateway.container.sockets;

import java.io.IOException;
import java.io.Serializable;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.rmi.server.RMIClientSocketFactory;
import java.rmi.server.RMIServerSocketFactory;
import java.rmi.server.RMISocketFactory;

/** A socket factory as many applications have one: plain sockets with a connect time-out. */
public final class PlainSockets extends RMISocketFactory
    implements RMIClientSocketFactory, RMIServerSocketFactory, Serializable {
  private static final long serialVersionUID = 1;
  private static final int CONNECT_MILLIS = 20_000;

  /** Makes the factory the global one of this JVM, as an application does at its start. */
  public static void install() throws IOException {
    setSocketFactory(new PlainSockets());
  }

  @Override
  public Socket createSocket(String host, int port) throws IOException {
    Socket socket = new Socket();
    try {
      socket.setTcpNoDelay(true);
      socket.connect(new InetSocketAddress(host, port), CONNECT_MILLIS);
      return socket;
    } catch (IOException failed) {
      socket.close();
      throw failed;
    }
  }

  @Override
  public ServerSocket createServerSocket(int port) throws IOException {
    return new ServerSocket(port);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof PlainSockets;
  }

  @Override
  public int hashCode() {
    return 1;
  }
}
