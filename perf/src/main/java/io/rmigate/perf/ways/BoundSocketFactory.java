package io.rmigate.perf.ways;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.rmi.server.RMISocketFactory;
import java.time.Duration;

/** RMI's own sockets, but for a bound on connecting. */
final class BoundSocketFactory extends RMISocketFactory {
  private final Duration timeout;

  BoundSocketFactory(Duration timeout) {
    this.timeout = timeout;
  }

  @Override
  public Socket createSocket(String host, int port) throws IOException {
    Socket socket = new Socket();
    try {
      socket.connect(new InetSocketAddress(host, port), (int) timeout.toMillis());
      return socket;
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  @Override
  public ServerSocket createServerSocket(int port) throws IOException {
    return new ServerSocket(port);
  }
}
