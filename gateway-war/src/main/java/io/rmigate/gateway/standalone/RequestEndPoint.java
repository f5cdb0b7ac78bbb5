package io.rmigate.gateway.standalone;

import io.rmigate.gateway.config.GatewayConfig.RequestPace;
import io.rmigate.gateway.standalone.RequestWatch.Phase;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.ManagedSelector;
import org.eclipse.jetty.io.SocketChannelEndPoint;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.eclipse.jetty.server.internal.HttpConnection;
import org.eclipse.jetty.util.thread.Scheduler;

/**
 * A connection's socket, which ends when a request comes too slowly. Jetty's idle time-out counts
 * from the last byte, so a client that sends one now and then keeps a connection for good; and it
 * has to be longer than a POST of a tunnel waits for its answer.
 */
class RequestEndPoint extends SocketChannelEndPoint {
  private final RequestWatch watch = new RequestWatch();

  /** Whether the reader of a body has been told that it comes too slowly. */
  private boolean expired;

  RequestEndPoint(
      SocketChannel channel, ManagedSelector selector, SelectionKey key, Scheduler scheduler) {
    super(channel, selector, key, scheduler);
  }

  /** Ends the connection if its request comes too slowly. By the connector's timer only. */
  final void look(long now, RequestPace pace) {
    Phase phase = Phase.OTHER;
    long requests = 0;
    long bytes = 0;
    if (carried() instanceof HttpConnection http) {
      phase = phase(http);
      requests = http.getMessagesIn();
      bytes = http.getParser().getContentRead();
    }
    if (!watch.isTooSlow(now, phase, requests, bytes, pace)) {
      return;
    }
    TimeoutException slow = new TimeoutException("the request comes too slowly");
    if (phase == Phase.BODY && !expired) {
      expired = true;
      watch.startAgain(); // the answer has as much time as the body had
      onIdleExpired(slow); // the request's reader answers, and the connection ends with that
    } else {
      close(slow);
    }
  }

  /** A client that has been sent all there is has as much time to close as it has for a head. */
  private Phase phase(HttpConnection http) {
    if (http.getParser().inContentState()) {
      return http.isFillInterested() ? Phase.BODY : Phase.OTHER;
    }
    boolean between = http.getParser().isStart() && http.getMessagesIn() > 0;
    boolean incomplete = http.getParser().inHeaderState() && !between;
    return incomplete || http.getEndPoint().isOutputShutdown() ? Phase.HEAD : Phase.OTHER;
  }

  /** The socket; with TLS that is below. */
  static EndPoint under(EndPoint endPoint) {
    return endPoint instanceof EndPoint.Wrapper wrapper ? under(wrapper.unwrap()) : endPoint;
  }

  /** The connection that speaks HTTP or WebSocket; with TLS it is inside the TLS connection. */
  final Connection carried() {
    return getConnection() instanceof SslConnection tls
        ? tls.getSslEndPoint().getConnection()
        : getConnection();
  }
}
