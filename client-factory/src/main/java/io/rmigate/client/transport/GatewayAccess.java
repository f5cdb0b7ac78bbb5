package io.rmigate.client.transport;

import io.rmigate.client.config.ClientConfig;
import io.rmigate.client.config.GatewayLogin;
import io.rmigate.client.transport.net.Deadline;
import io.rmigate.client.transport.net.DialedSocket;
import io.rmigate.client.transport.net.GatewayAddress;
import io.rmigate.client.transport.net.TlsLayer;
import io.rmigate.client.transport.proxy.GatewayDialer;
import io.rmigate.protocol.DestinationPatterns;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.security.SecureRandom;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;

/**
 * How one gateway is reached: TCP, through HTTP proxies where they are configured, TLS if the
 * gateway is https. What is spoken then is the affair of each transport.
 */
public record GatewayAccess(
    URI gateway, ClientConfig config, GatewayDialer dialer, TlsLayer tls, SecureRandom random) {

  /** Path of the tunnel, below the gateway's URL. */
  public static final String PATH = "/tunnel";

  /** A connection behind which the gateway listens. */
  public DialedSocket dial(Deadline deadline) throws IOException {
    return dialer.dial(gateway, deadline);
  }

  /** The socket to speak through: the top of {@code dialed}, or TLS over it after its handshake. */
  public Socket secure(DialedSocket dialed) throws IOException {
    return GatewayAddress.isTls(gateway)
        ? tls.handshake(
            dialed.top(), GatewayAddress.hostOf(gateway), GatewayAddress.portOf(gateway))
        : dialed.top();
  }

  public SSLException explained(SSLException e) {
    boolean already = e.getMessage() != null && e.getMessage().startsWith("TLS with ");
    return already || e instanceof SSLPeerUnverifiedException
        ? e
        : TlsLayer.explain(e, GatewayAddress.hostOf(gateway), GatewayAddress.portOf(gateway));
  }

  /**
   * What broke off the first exchange. With TLS 1.3 a server judges our certificate after the
   * handshake, and the alert that says so is often lost in the reset that follows it.
   */
  public IOException explainedFirst(IOException e) {
    if (!GatewayAddress.isTls(gateway)
        || !(e instanceof SocketException || e instanceof EOFException)) {
      return e;
    }
    return new IOException(
        gateway
            + " broke off right after the TLS handshake ("
            + e.getMessage()
            + "); does it want "
            + (config.tls().keystore().isEmpty()
                ? "a client certificate (keystore=)?"
                : "another client certificate than the one in keystore=?"),
        e);
  }

  public void warnOfPlainLogin() {
    if (!GatewayAddress.isTls(gateway)
        && !DestinationPatterns.isLoopback(GatewayAddress.hostOf(gateway))) {
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

  /** Log text: {@code POST to https://gw.example/rmigate via HTTP proxy proxy.example:3128}. */
  public String describe(String transport, DialedSocket dialed) {
    return transport + " to " + gateway + dialed.via();
  }

  /**
   * No constant: the javaagent makes this class before the application's main, and a logger asked
   * for then would choose the JVM's log manager before the application has.
   */
  private static System.Logger log() {
    return System.getLogger(GatewayAccess.class.getName());
  }
}
