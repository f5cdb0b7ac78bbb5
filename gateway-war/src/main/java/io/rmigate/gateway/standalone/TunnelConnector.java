package io.rmigate.gateway.standalone;

import io.rmigate.gateway.config.GatewayConfig.RequestPace;
import io.rmigate.gateway.edge.TunnelServlet;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.ManagedSelector;
import org.eclipse.jetty.io.SocketChannelEndPoint;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Server;

/**
 * A connector that hands over less between threads than Jetty's own.
 *
 * <p>Its selector thread handles what comes on a tunnel itself. Nothing below the tunnel's endpoint
 * ever blocks, so handing the selector over to another thread first, as Jetty must for servlets,
 * would cost two wake-ups a call and protect nothing.
 *
 * <p>A thread that has answered a request stands by for the connection's next one for a moment
 * ({@link StandbyThreads}).
 */
final class TunnelConnector extends BoundedConnector {
  private final StandbyThreads standbys;

  TunnelConnector(
      Server server,
      OpenConnections connections,
      Supplier<RequestPace> pace,
      StandbyThreads standbys,
      int selectors,
      ConnectionFactory... factories) {
    super(server, connections, pace, selectors, factories);
    this.standbys = standbys;
  }

  /** Lets the tunnel that a request asks for leave its connection unread. */
  static Request offerRest(Request request, HttpFields.Mutable responseHeaders) {
    if (request.getHeaders().contains(HttpHeader.UPGRADE)
        && RequestEndPoint.under(request.getConnectionMetaData().getConnection().getEndPoint())
            instanceof StandbyEndPoint socket) {
      LongConsumer rest = socket::rest;
      request.setAttribute(TunnelServlet.REST, rest);
    }
    return request;
  }

  @Override
  protected SocketChannelEndPoint newEndPoint(
      SocketChannel channel, ManagedSelector selector, SelectionKey key) {
    SocketChannelEndPoint endPoint =
        new StandbyEndPoint(channel, selector, key, getScheduler(), standbys);
    endPoint.setIdleTimeout(getIdleTimeout());
    return endPoint;
  }

  @Override
  protected void doStop() throws Exception {
    standbys.close();
    super.doStop();
  }
}
