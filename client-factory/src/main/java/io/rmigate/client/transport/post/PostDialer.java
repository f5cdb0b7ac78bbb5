package io.rmigate.client.transport.post;

import io.rmigate.client.transport.GatewayAccess;
import io.rmigate.client.transport.http.HttpConnection;
import io.rmigate.client.transport.net.ArrivalSocket;
import io.rmigate.client.transport.net.ConnectWatch;
import io.rmigate.client.transport.net.Deadline;
import io.rmigate.client.transport.net.DialedSocket;
import io.rmigate.client.transport.net.SocketGuard;
import io.rmigate.client.transport.net.SocketTeardown;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;
import javax.net.ssl.SSLException;

/** Makes the connections of one {@link PostTransport}, and counts what crosses them. */
final class PostDialer {
  private final GatewayAccess access;
  private final LongAdder received = new LongAdder();
  private final LongAdder sent = new LongAdder();

  /** Bytes below TLS, except of connections that do not count them. */
  private final LongAdder arrived = new LongAdder();

  private volatile String description = "POST";

  PostDialer(GatewayAccess access) {
    this.access = access;
  }

  GatewayAccess access() {
    return access;
  }

  /** For logs: with the HTTP proxy of the connection made last. */
  String description() {
    return description;
  }

  /** A connection on which nothing has been asked yet. */
  HttpConnection dial(Deadline deadline) throws IOException {
    DialedSocket dialed = access.dial(deadline);
    Socket socket = dialed.plain();
    ArrivalSocket.addTo(arrived, socket);
    SocketGuard guard = SocketGuard.start(socket, deadline.remaining());
    boolean done = false;
    try {
      HttpConnection connection = new HttpConnection(socket, access.secure(dialed), received, sent);
      deadline.watch().dialed();
      done = guard.disarm();
      if (!done) {
        throw new SocketException("closed while the TLS handshake ended");
      }
      description = access.describe("POST", dialed);
      return connection;
    } catch (SSLException e) {
      throw guard.explain(access.explained(e), "the TLS handshake with " + access.gateway());
    } catch (IOException e) {
      throw guard.explain(e, "the TLS handshake with " + access.gateway());
    } finally {
      if (!done) {
        guard.disarm();
        SocketTeardown.close(socket);
      }
    }
  }

  /**
   * A new connection, within the time that connecting may take.
   *
   * @param watch may end the attempt
   */
  HttpConnection dial(ConnectWatch watch) throws IOException {
    Duration timeout = access.config().connectTimeout();
    return dial(Deadline.in(timeout, watch));
  }

  /** Grows whenever something comes on a connection. */
  long arrivals() {
    return arrived.sum() + received.sum();
  }

  long bytesReceived() {
    return received.sum();
  }

  long bytesSent() {
    return sent.sum();
  }
}
