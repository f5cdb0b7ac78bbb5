package desk;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.rmi.server.RMISocketFactory;

/** A global factory of an application: plain sockets with a time-out. */
final class PlainSockets extends RMISocketFactory {
  private static final int CONNECT_MILLIS = 20000;

  /** Makes the server sockets; null: they are plain ones. */
  private final RMISocketFactory servers;

  PlainSockets(RMISocketFactory servers) {
    this.servers = servers;
  }

  @Override
  public Socket createSocket(String host, int port) throws IOException {
    Socket socket = new Socket();
    socket.connect(new InetSocketAddress(host, port), CONNECT_MILLIS);
    return socket;
  }

  @Override
  public ServerSocket createServerSocket(int port) throws IOException {
    return servers == null ? new ServerSocket(port) : servers.createServerSocket(port);
  }
}
