package io.rmigate.gateway.standalone;

import java.io.IOException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.SelectableChannelEndPoint;
import org.eclipse.jetty.io.SelectorManager;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/** A connector that lets no more connections in than there may be ({@link OpenConnections}). */
class BoundedConnector extends ServerConnector {
  private final OpenConnections connections;

  BoundedConnector(
      Server server, OpenConnections connections, int selectors, ConnectionFactory... factories) {
    super(server, null, null, null, 1, selectors, factories);
    this.connections = connections;
    getSelectorManager()
        .addEventListener(
            new SelectorManager.AcceptListener() {
              @Override
              public void onAcceptFailed(SelectableChannel channel, Throwable cause) {
                connections.release(channel);
              }
            });
  }

  /** As Jetty's own does, but for who is not let in. */
  @Override
  public void accept(int acceptor) throws IOException {
    if (!(getTransport() instanceof ServerSocketChannel listening) || !listening.isOpen()) {
      return;
    }
    SocketChannel channel = listening.accept();
    if (!connections.admits(channel)) {
      return;
    }
    try {
      channel.configureBlocking(false);
      configure(channel.socket());
      getSelectorManager().accept(channel);
    } catch (IOException | RuntimeException e) {
      connections.release(channel);
      channel.close();
      throw e;
    }
  }

  @Override
  protected void onEndPointClosed(EndPoint endPoint) {
    super.onEndPointClosed(endPoint);
    if (endPoint instanceof SelectableChannelEndPoint socket) {
      connections.release(socket.getChannel());
    }
  }
}
