package io.rmigate.sample;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.rmi.server.RMISocketFactory;

/** Plain sockets which listen at one local address instead of at all of them. */
final class BoundSocketFactory extends RMISocketFactory {
  private final InetAddress address;

  BoundSocketFactory(InetAddress address) {
    this.address = address;
  }

  @Override
  public Socket createSocket(String host, int port) throws IOException {
    return new Socket(host, port);
  }

  @Override
  public ServerSocket createServerSocket(int port) throws IOException {
    return new ServerSocket(port, 0, address);
  }
}
