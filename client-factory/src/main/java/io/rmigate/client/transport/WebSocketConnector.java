package io.rmigate.client.transport;

import io.rmigate.client.config.ClientConfig;
import io.rmigate.client.config.GatewayLogin;
import io.rmigate.protocol.DestinationPatterns;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.time.Duration;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;

/**
 * Connects to the gateway by WebSocket: TCP, through the HTTP proxy if one is configured, TLS if
 * the gateway is https, the HTTP upgrade at {@code <gateway URL>/tunnel}. Of several gateways the
 * first that can be reached is taken; one that answers and refuses is not passed over.
 *
 * <p>Passwords, tokens and keystores are read anew for each connection. Only the lookup of the host
 * name is not bounded by the timeout: the JDK has no means to.
 */
public final class WebSocketConnector implements TransportConnector {

  private final ClientConfig config;
  private final TlsLayer tls;
  private final SecureRandom random = new SecureRandom();

  /** A connector to the gateways of {@code config}; opens nothing yet. */
  public WebSocketConnector(ClientConfig config) {
    this.config = config;
    this.tls = new TlsLayer(config.tls());
  }

  @Override
  public WebSocketTransport connect(Duration timeout) throws IOException {
    Deadline deadline = Deadline.in(timeout);
    IOException last = null;
    int left = config.gateways().size();
    for (URI gateway : config.gateways()) {
      try {
        return connect(gateway, Deadline.in(deadline.remaining().dividedBy(left--)));
      } catch (ConnectException | UnknownHostException e) {
        if (last != null) {
          e.addSuppressed(last);
        }
        last = e;
      }
    }
    throw last;
  }

  private WebSocketTransport connect(URI gateway, Deadline deadline) throws IOException {
    Socket socket = dial(gateway, deadline);
    SocketGuard guard = SocketGuard.start(socket, deadline.remaining());
    boolean done = false;
    try {
      Socket top =
          isTls(gateway) ? tls.handshake(socket, hostOf(gateway), portOf(gateway)) : socket;
      warnOfPlainLogin(gateway);
      ByteBuffer early = upgrade(gateway, top);
      done = guard.disarm();
      if (!done) {
        throw new SocketException("closed while the last byte of the answer came");
      }
      return new WebSocketTransport(
          socket,
          top.getInputStream(),
          top.getOutputStream(),
          early,
          new MaskKeys(random),
          describe(gateway));
    } catch (SSLException e) {
      throw guard.explain(explained(e, gateway), "the TLS handshake with " + gateway);
    } catch (IOException e) {
      throw guard.explain(e, "the handshake with " + gateway);
    } finally {
      if (!done) {
        guard.disarm();
        SocketTeardown.close(socket);
      }
    }
  }

  private ByteBuffer upgrade(URI gateway, Socket top) throws IOException {
    try {
      return new WebSocketHandshake(gateway, config, random)
          .shake(top.getInputStream(), top.getOutputStream());
    } catch (SocketException | EOFException e) {
      if (!isTls(gateway)) {
        throw e;
      }
      // With TLS 1.3 a server judges our certificate after the handshake, and the alert that says
      // so is often lost in the reset that follows it.
      throw new IOException(
          gateway
              + " broke off right after the TLS handshake ("
              + e.getMessage()
              + "); does it want "
              + (config.tls().keystore().isEmpty()
                  ? "a client certificate (keystore=)?"
                  : "another client certificate than the one in keystore=?"),
          e);
    }
  }

  private Socket dial(URI gateway, Deadline deadline) throws IOException {
    String host = hostOf(gateway);
    int port = portOf(gateway);
    if (config.proxy().isEmpty()) {
      return TcpDialer.dial("the gateway", host, port, deadline.remaining());
    }
    String authority = gateway.getHost() + ":" + port; // an IPv6 host has its brackets here
    return new HttpTunnel(config.proxy().get(), authority, random).open(deadline);
  }

  private static SSLException explained(SSLException e, URI gateway) {
    boolean already = e.getMessage() != null && e.getMessage().startsWith("TLS with ");
    return already || e instanceof SSLPeerUnverifiedException
        ? e
        : TlsLayer.explain(e, hostOf(gateway), portOf(gateway));
  }

  private void warnOfPlainLogin(URI gateway) {
    if (!isTls(gateway) && !DestinationPatterns.isLoopback(gateway.getHost())) {
      config
          .login()
          .map(GatewayLogin::describe)
          .ifPresent(
              login ->
                  log()
                      .log(
                          System.Logger.Level.WARNING,
                          "{0} is not https: {1} goes over the network in plain text",
                          gateway,
                          login));
    }
  }

  private String describe(URI gateway) {
    return "WebSocket to " + gateway + config.proxy().map(proxy -> " via " + proxy).orElse("");
  }

  private static boolean isTls(URI gateway) {
    return gateway.getScheme().equals("https");
  }

  /** The host without the brackets of an IPv6 address. */
  private static String hostOf(URI gateway) {
    return gateway.getHost().replaceAll("^\\[|]$", "");
  }

  private static int portOf(URI gateway) {
    return gateway.getPort() >= 0 ? gateway.getPort() : isTls(gateway) ? 443 : 80;
  }

  /**
   * No constant: the javaagent makes this class before the application's main, and a logger asked
   * for then would choose the JVM's log manager before the application has.
   */
  private static System.Logger log() {
    return System.getLogger(WebSocketConnector.class.getName());
  }
}
