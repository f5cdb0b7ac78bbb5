package io.rmigate.client.transport.websocket;

import io.rmigate.client.config.ClientConfig;
import io.rmigate.client.transport.GatewayAccess;
import io.rmigate.client.transport.GatewayConnector;
import io.rmigate.client.transport.TransportConnector;
import io.rmigate.client.transport.net.Deadline;
import io.rmigate.client.transport.net.DialedSocket;
import io.rmigate.client.transport.net.SocketGuard;
import io.rmigate.client.transport.net.SocketTeardown;
import io.rmigate.client.transport.proxy.GatewayDialer;
import io.rmigate.protocol.tunnel.Feature;
import io.rmigate.protocol.tunnel.FrameOutput;
import io.rmigate.protocol.tunnel.Hello;
import io.rmigate.protocol.tunnel.SessionToken;
import io.rmigate.protocol.tunnel.Tunnel;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SSLException;

/**
 * Connects to the gateway by WebSocket: TCP, through the HTTP proxy if one is configured, TLS if
 * the gateway is https, the HTTP upgrade at {@code <gateway URL>/tunnel}. Only the lookup of the
 * host name is not bounded by the timeout: the JDK has no means to.
 */
public final class WebSocketConnector extends GatewayConnector<WebSocketTransport> {
  private final boolean proving;

  /** Sent with the request to upgrade; null for none. */
  private final byte[] hello;

  /** Whether the session of the hello can be resumed over another transport. */
  private final boolean resumable;

  /** A connector to the gateways of {@code config}; opens nothing yet. */
  public WebSocketConnector(ClientConfig config) {
    this(config, new GatewayDialer(config));
  }

  /** A connector by connections of {@code dialer}. */
  public WebSocketConnector(ClientConfig config, GatewayDialer dialer) {
    this(all(config, dialer), false, null, false);
  }

  private WebSocketConnector(
      List<GatewayAccess> gateways, boolean proving, byte[] hello, boolean resumable) {
    super(gateways);
    this.proving = proving;
    this.hello = hello;
    this.resumable = resumable;
  }

  /**
   * This connector, except that the gateway has to answer a ping before a connection counts: where
   * something stands between that answers the upgrade and swallows what follows. One round trip;
   * none where the gateway has taken the hello of a session that can be resumed: then a connection
   * whose ping is not answered is {@link WebSocketTransport#isUnproven lost}, and the session goes
   * on over another one.
   */
  public WebSocketConnector proving() {
    return new WebSocketConnector(gateways(), true, hello, resumable);
  }

  /**
   * This connector, except that the request to upgrade carries that hello, if it is short enough.
   *
   * @param first begins a session; one that resumes a session has a secret, which may be in no
   *     header, because HTTP servers and proxies log headers
   */
  public WebSocketConnector greeting(Hello first) {
    if (!first.session().equals(SessionToken.NONE)) {
      throw new IllegalArgumentException("a hello with the token of a session");
    }
    FrameOutput frame = new FrameOutput(256);
    frame.append(first);
    return frame.size() > Tunnel.MAX_EARLY_HELLO_BYTES
        ? this
        : new WebSocketConnector(
            gateways(), proving, frame.toByteArray(), first.features().contains(Feature.RESUME));
  }

  @Override
  public WebSocketTransport connect(Duration timeout, Hello first) throws IOException {
    return greeting(first).connect(timeout);
  }

  @Override
  protected TransportConnector to(List<GatewayAccess> some) {
    return new WebSocketConnector(some, proving, hello, resumable);
  }

  @Override
  protected WebSocketTransport open(GatewayAccess access, Deadline deadline) throws IOException {
    DialedSocket dialed = access.dial(deadline);
    Socket socket = dialed.plain();
    SocketGuard guard = SocketGuard.start(socket, deadline.remaining());
    boolean done = false;
    try {
      Socket top = access.secure(dialed);
      deadline.watch().dialed();
      access.warnOfPlainLogin();
      WebSocketTransport transport = upgrade(access, dialed, top);
      done = guard.disarm();
      if (!done) {
        throw new SocketException("closed while the last byte of the answer came");
      }
      return transport;
    } catch (SSLException e) {
      throw guard.explain(access.explained(e), "the TLS handshake with " + access.gateway());
    } catch (IOException e) {
      throw guard.explain(e, "the handshake with " + access.gateway());
    } finally {
      if (!done) {
        guard.disarm();
        SocketTeardown.close(socket);
      }
    }
  }

  private WebSocketTransport upgrade(GatewayAccess access, DialedSocket dialed, Socket top)
      throws IOException {
    try {
      WebSocketHandshake handshake =
          new WebSocketHandshake(access.gateway(), access.config(), access.random(), hello);
      ByteBuffer early = handshake.shake(top.getInputStream(), top.getOutputStream());
      WebSocketTransport transport =
          new WebSocketTransport(
              dialed.plain(),
              top.getInputStream(),
              top.getOutputStream(),
              early,
              new MaskKeys(access.random()),
              access.describe("WebSocket", dialed));
      if (handshake.helloNanos().isPresent()) {
        transport.greeted(handshake.helloNanos().getAsLong());
      }
      if (proving && resumable && transport.helloNanos().isPresent()) {
        transport.proveLater();
      } else if (proving) {
        transport.prove();
      }
      return transport;
    } catch (SocketException | EOFException e) {
      throw access.explainedFirst(e);
    }
  }
}
