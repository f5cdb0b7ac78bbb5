package io.rmigate.client;

import io.rmigate.client.config.ClientConfig;
import io.rmigate.client.mediator.MediatorAgent;
import io.rmigate.client.socket.TunnelSocket;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.rmi.server.RMISocketFactory;

/**
 * Makes connections to RMI servers through the gateway, for the destinations that the configuration
 * tunnels; others are made by the factory it was given, directly. A destination that is tunnelled
 * is never reached directly, whatever fails.
 *
 * <p>Given to {@link java.rmi.registry.LocateRegistry#getRegistry(String, int,
 * java.rmi.server.RMIClientSocketFactory)} it covers the connection to that registry <em>only</em>:
 * stubs looked up there use the JVM's global factory. To cover those too, {@link Rmigate#install}
 * it or start the JVM with the javaagent.
 *
 * <p>Thread-safe. Equal only to itself, so that each has connections of its own in the RMI
 * runtime's pool.
 */
public final class TunnelSocketFactory extends RMISocketFactory {
  private final MediatorAgent agent;
  private final ClientConfig config;
  private final RMISocketFactory direct;

  TunnelSocketFactory(MediatorAgent agent, ClientConfig config, RMISocketFactory direct) {
    this.agent = agent;
    this.config = config;
    this.direct = direct;
  }

  /**
   * A connection to {@code host:port}.
   *
   * @param host as the stub names it; when tunnelled it is resolved behind the gateway only
   * @throws java.net.ConnectException the gateway cannot be reached; nothing was executed
   */
  @Override
  public Socket createSocket(String host, int port) throws IOException {
    if (config.tunnels(host, port)
        || (agent.loopback().isInside(host, port) && !config.isDirect(host, port))) {
      return TunnelSocket.connect(agent, host, port);
    }
    Socket socket = direct.createSocket(host, port);
    agent.loopback().reachedDirectly(host, port);
    return socket;
  }

  /** A local listener: exported objects stay reachable where they were. */
  @Override
  public ServerSocket createServerSocket(int port) throws IOException {
    ServerSocket socket = direct.createServerSocket(port);
    agent.loopback().listens(socket);
    return socket;
  }

  @Override
  public String toString() {
    return "TunnelSocketFactory[" + config + "]";
  }
}
