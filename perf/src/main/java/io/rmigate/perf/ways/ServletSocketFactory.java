package io.rmigate.perf.ways;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.rmi.server.RMISocketFactory;

/**
 * Tunnels as JDKs did until version 8 when a firewall was in the way ({@code
 * sun.rmi.transport.proxy} there): every message is the body of a POST. Leaner than they were,
 * which sent theirs by {@code HttpURLConnection} after a first attempt to connect directly.
 */
final class ServletSocketFactory extends RMISocketFactory {
  private final String gateway;
  private final int gatewayPort;

  ServletSocketFactory(String gateway, int gatewayPort) {
    this.gateway = gateway;
    this.gatewayPort = gatewayPort;
  }

  @Override
  public Socket createSocket(String host, int port) throws IOException {
    return new ServletSocket(new ServletPosts(gateway, gatewayPort, host, port), host, port);
  }

  @Override
  public ServerSocket createServerSocket(int port) throws IOException {
    return new ServerSocket(port);
  }
}
