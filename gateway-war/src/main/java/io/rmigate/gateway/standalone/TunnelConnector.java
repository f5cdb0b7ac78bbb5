package io.rmigate.gateway.standalone;

import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.ManagedSelector;
import org.eclipse.jetty.io.SocketChannelEndPoint;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.Invocable;
import org.eclipse.jetty.util.thread.Invocable.InvocationType;
import org.eclipse.jetty.websocket.core.WebSocketConnection;

/**
 * A connector that lets its selector thread handle what comes on a tunnel itself. Nothing below the
 * tunnel's endpoint ever blocks, so handing the selector over to another thread first, as Jetty
 * must for servlets, would cost two wake-ups a call and protect nothing.
 */
final class TunnelConnector extends ServerConnector {

  TunnelConnector(Server server, int selectors, ConnectionFactory... factories) {
    super(server, null, null, null, 1, selectors, factories);
  }

  @Override
  protected SocketChannelEndPoint newEndPoint(
      SocketChannel channel, ManagedSelector selector, SelectionKey key) {
    SocketChannelEndPoint endPoint =
        new SocketChannelEndPoint(channel, selector, key, getScheduler()) {
          @Override
          public Runnable onSelected() {
            Runnable task = super.onSelected();
            return task != null && carriesTunnel(getConnection())
                ? Invocable.from(InvocationType.NON_BLOCKING, task)
                : task;
          }
        };
    endPoint.setIdleTimeout(getIdleTimeout());
    return endPoint;
  }

  /** Only tunnels are upgraded to WebSocket here; with TLS that is the connection inside. */
  private static boolean carriesTunnel(Connection connection) {
    return connection instanceof SslConnection tls
        ? tls.getSslEndPoint().getConnection() instanceof WebSocketConnection
        : connection instanceof WebSocketConnection;
  }
}
