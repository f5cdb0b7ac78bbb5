package io.rmigate.perf.papers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.rmi.server.RMISocketFactory;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Listeners at one local address, on ports that are known before anything is exported there. A
 * relay can then listen on the same ports at another address, and the stubs be right for both.
 */
final class ReservedPorts extends RMISocketFactory {
  private final InetAddress address;
  private final Map<Integer, ServerSocket> reserved = new ConcurrentHashMap<>();

  ReservedPorts(InetAddress address) {
    this.address = address;
  }

  /** A port that is ours from now on. */
  int reserve() throws IOException {
    ServerSocket socket = new ServerSocket(0, 0, address);
    reserved.put(socket.getLocalPort(), socket);
    return socket.getLocalPort();
  }

  @Override
  public ServerSocket createServerSocket(int port) throws IOException {
    ServerSocket socket = reserved.remove(port);
    return socket != null ? socket : new ServerSocket(port, 0, address);
  }

  @Override
  public Socket createSocket(String host, int port) throws IOException {
    return new Socket(host, port);
  }
}
