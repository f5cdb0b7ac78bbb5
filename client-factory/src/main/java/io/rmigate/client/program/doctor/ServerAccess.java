package io.rmigate.client.program.doctor;

import io.rmigate.client.config.Way;
import io.rmigate.client.transport.net.ConnectWatch;
import io.rmigate.client.transport.net.ServerConnection;
import io.rmigate.client.transport.proxy.ServerDialer;
import io.rmigate.protocol.jrmp.EndpointId;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;

/** Past any gateway: directly, or by CONNECT through the HTTP proxy. */
record ServerAccess(Way way, ServerDialer dialer) implements Access {
  @Override
  public Socket open(EndpointId endpoint, Duration timeout) throws IOException {
    ConnectWatch watch = new ConnectWatch();
    ServerConnection connection =
        way == Way.CONNECT
            ? dialer.connect(endpoint.host(), endpoint.port(), timeout, watch)
            : dialer.direct(endpoint.host(), endpoint.port(), timeout, watch);
    return connection.top();
  }
}
