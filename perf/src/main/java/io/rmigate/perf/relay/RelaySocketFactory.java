package io.rmigate.perf.relay;

import io.rmigate.client.config.ClientConfig;
import io.rmigate.client.transport.TransportConnector;
import io.rmigate.client.transport.websocket.WebSocketConnector;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.rmi.server.RMISocketFactory;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The relay's client side: every connection that RMI wants is a WebSocket. Thread-safe. */
public final class RelaySocketFactory extends RMISocketFactory {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

  private final int relayPort;
  private final Map<Integer, TransportConnector> connectors = new ConcurrentHashMap<>();

  /** Sockets through the relay at that port of this machine. */
  public RelaySocketFactory(int relayPort) {
    this.relayPort = relayPort;
  }

  @Override
  public Socket createSocket(String host, int port) throws IOException {
    TransportConnector connector = connectors.computeIfAbsent(port, this::connector);
    return new RelaySocket(connector.connect(CONNECT_TIMEOUT), port);
  }

  private TransportConnector connector(int port) {
    URI uri = URI.create("http://127.0.0.1:" + relayPort + "/to/" + port);
    return new WebSocketConnector(ClientConfig.builder().gateways(uri).build());
  }

  @Override
  public ServerSocket createServerSocket(int port) throws IOException {
    return new ServerSocket(port);
  }
}
