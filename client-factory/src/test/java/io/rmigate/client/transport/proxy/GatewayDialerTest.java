package io.rmigate.client.transport.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.client.config.ClientConfig;
import io.rmigate.client.config.ConfigKey;
import io.rmigate.client.transport.ScriptedWebSocketPeer;
import io.rmigate.client.transport.TransportBed;
import io.rmigate.client.transport.websocket.WebSocketConnector;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What is said about the way that was taken. */
@Timeout(180)
class GatewayDialerTest {
  @RegisterExtension final TransportBed bed = new TransportBed();
  private final Logger logger = Logger.getLogger(GatewayDialer.class.getName());
  private final List<String> logged = Collections.synchronizedList(new ArrayList<>());
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord record) {
          if (record.getLevel().intValue() >= Level.INFO.intValue()) {
            logged.add(new SimpleFormatter().formatMessage(record));
          }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  @BeforeEach
  void listen() {
    logger.addHandler(handler);
  }

  @AfterEach
  void listenNoMore() {
    logger.removeHandler(handler);
  }

  @Test
  void theHttpProxyAndWhatNamedItAreInTheLogOnce() throws Exception {
    ScriptedWebSocketPeer gateway =
        bed.peer(
            ScriptedWebSocketPeer.Conversation::upgrade,
            ScriptedWebSocketPeer.Conversation::upgrade);
    ScriptedWebSocketPeer.Script passing =
        c -> {
          c.readRequest();
          c.send("HTTP/1.1 200 OK\r\n\r\n");
          c.relayTo(gateway.port());
        };
    ScriptedWebSocketPeer proxy = bed.peer(passing, passing);
    ClientConfig config =
        ClientConfig.builder()
            .gateways(TransportBed.url(gateway))
            .set(ConfigKey.PROXY, "http://ann:s3cret@127.0.0.1:" + proxy.port())
            .build();
    GatewayDialer dialer = new GatewayDialer(config);
    WebSocketConnector connector = new WebSocketConnector(config, dialer);
    assertThat(dialer.chosen()).isEmpty();

    bed.connect(connector).close();
    bed.connect(connector).close();

    String route = "HTTP proxy 127.0.0.1:" + proxy.port() + " (builder proxy)";
    assertThat(dialer.chosen()).contains(route);
    assertThat(logged).containsExactly(TransportBed.url(gateway) + " is reached through " + route);
  }

  @Test
  void whatNobodyHasConfiguredIsNotMentioned() throws Exception {
    ScriptedWebSocketPeer gateway = bed.peer(ScriptedWebSocketPeer.Conversation::upgrade);
    ClientConfig config = TransportBed.config(gateway);
    GatewayDialer dialer = new GatewayDialer(config);

    bed.connect(new WebSocketConnector(config, dialer));

    assertThat(dialer.chosen()).contains("no HTTP proxy (the gateway is on loopback)");
    assertThat(logged).isEmpty();
  }
}
