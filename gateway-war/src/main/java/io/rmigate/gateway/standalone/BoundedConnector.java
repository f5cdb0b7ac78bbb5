package io.rmigate.gateway.standalone;

import io.rmigate.gateway.config.GatewayConfig.RequestPace;
import java.io.IOException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.ManagedSelector;
import org.eclipse.jetty.io.SelectableChannelEndPoint;
import org.eclipse.jetty.io.SelectorManager;
import org.eclipse.jetty.io.SocketChannelEndPoint;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.Scheduler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connector that lets no more connections in than there may be ({@link OpenConnections}), and
 * ends those whose requests come too slowly ({@link RequestEndPoint}).
 */
class BoundedConnector extends ServerConnector {
  private static final Logger log = LoggerFactory.getLogger(BoundedConnector.class);

  /** Looks at a connection within the time that its client has. */
  private static final int LOOKS = 10;

  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

  private final OpenConnections connections;
  private final Supplier<RequestPace> pace;

  /** Null while the connector is stopped. */
  private volatile Scheduler.Task nextLook;

  /**
   * @param pace of requests, now
   */
  BoundedConnector(
      Server server,
      OpenConnections connections,
      Supplier<RequestPace> pace,
      int selectors,
      ConnectionFactory... factories) {
    super(server, null, null, null, 1, selectors, factories);
    this.connections = connections;
    this.pace = pace;
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
  protected SocketChannelEndPoint newEndPoint(
      SocketChannel channel, ManagedSelector selector, SelectionKey key) {
    SocketChannelEndPoint endPoint = new RequestEndPoint(channel, selector, key, getScheduler());
    endPoint.setIdleTimeout(getIdleTimeout());
    return endPoint;
  }

  @Override
  protected void doStart() throws Exception {
    super.doStart();
    lookLater(LONGEST_PAUSE);
  }

  @Override
  protected void doStop() throws Exception {
    Scheduler.Task look = nextLook;
    if (look != null) {
      look.cancel();
    }
    super.doStop();
  }

  private void lookLater(Duration pause) {
    nextLook = getScheduler().schedule(this::look, pause.toNanos(), TimeUnit.NANOSECONDS);
  }

  private void look() {
    if (!isRunning() && !isStarting()) {
      return;
    }
    RequestPace now = pace.get();
    for (EndPoint endPoint : getConnectedEndPoints()) {
      try {
        if (endPoint instanceof RequestEndPoint connection) {
          connection.look(System.nanoTime(), now);
        }
      } catch (RuntimeException unexpected) {
        log.error("checking the connection {} failed", endPoint, unexpected);
      }
    }
    Duration pause = now.patience().dividedBy(LOOKS);
    lookLater(pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE);
  }

  @Override
  protected void onEndPointClosed(EndPoint endPoint) {
    super.onEndPointClosed(endPoint);
    if (endPoint instanceof SelectableChannelEndPoint socket) {
      connections.release(socket.getChannel());
    }
  }
}
