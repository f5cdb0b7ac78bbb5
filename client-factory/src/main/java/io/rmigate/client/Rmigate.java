package io.rmigate.client;

import io.rmigate.client.config.ClientConfig;
import io.rmigate.client.config.ConfigKey;
import io.rmigate.client.mediator.LookupFigures;
import io.rmigate.client.mediator.LookupSettings;
import io.rmigate.client.mediator.MediatorAgent;
import io.rmigate.client.stats.LastReport;
import io.rmigate.client.stats.Stats;
import io.rmigate.client.stats.StatsRegistration;
import io.rmigate.client.transport.WebSocketConnector;
import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.rmi.server.RMISocketFactory;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * A JVM's way through a gateway, for programs that can take a line of code:
 *
 * <pre>{@code
 * Rmigate.connect(URI.create("https://gw.example/rmigate")).install();
 *
 * Rmigate rmigate =
 *     Rmigate.builder()
 *         .gateway(URI.create("https://gw.example/rmigate"))
 *         .user("alice", Path.of("/etc/alice.password"))
 *         .tunnel("*.inside.example:*")
 *         .build();
 * Registry registry =
 *     LocateRegistry.getRegistry("rmi.inside.example", 1099, rmigate.socketFactory());
 * }</pre>
 *
 * The link is opened when it is first needed. All threads are daemons. Thread-safe.
 */
public final class Rmigate implements Closeable {
  private final MediatorAgent agent;
  private final TunnelSocketFactory factory;
  private final StatsRegistration stats;
  private final LastReport lastReport;

  private Rmigate(ClientConfig config, RMISocketFactory direct) {
    agent =
        new MediatorAgent(
            new WebSocketConnector(config),
            config.connectTimeout(),
            config.grace(),
            self(),
            config.compression(),
            new LookupSettings(config.lookups(), config.uncached(), config.preload()),
            config.leases());
    factory = new TunnelSocketFactory(agent, config, direct);
    stats =
        new StatsRegistration(
            new Stats(
                config.gatewayList(), agent.account(), () -> agent.currentLink().isPresent()));
    lastReport = new LastReport(agent::leave);
    agent.whenFirstLinked(() -> onFirstLink(config));
  }

  private void onFirstLink(ClientConfig config) {
    lastReport.begin();
    if (config.stats()) {
      stats.register();
    }
  }

  /** Everything tunnelled but loopback, no login, no HTTP proxy. */
  public static Rmigate connect(URI... gateways) {
    return new Rmigate(
        ClientConfig.builder().gateways(gateways).build(),
        RMISocketFactory.getDefaultSocketFactory());
  }

  /** For more than the defaults. */
  public static Builder builder() {
    return new Builder();
  }

  /** As configured; what is not tunnelled is connected by {@code direct}. */
  public static Rmigate with(ClientConfig config, RMISocketFactory direct) {
    return new Rmigate(config, direct);
  }

  /** The factory that the javaagent puts into the JVM. */
  public static RMISocketFactory factory(ClientConfig config, RMISocketFactory direct) {
    return new Rmigate(config, direct).socketFactory();
  }

  /** The factory, to be given to {@code LocateRegistry.getRegistry} and the like. */
  public TunnelSocketFactory socketFactory() {
    return factory;
  }

  /**
   * Makes the factory the JVM's global one, so that all stubs without a factory of their own use
   * it.
   *
   * @throws IOException the JVM has one already: it can be set only once
   */
  public Rmigate install() throws IOException {
    RMISocketFactory.setSocketFactory(factory);
    return this;
  }

  /** What has become of the lookups so far. */
  public LookupFigures lookups() {
    return agent.lookups().figures();
  }

  /** What has crossed the network on the link in use; empty while there is none. */
  public Optional<Traffic> traffic() {
    return agent
        .currentLink()
        .map(link -> new Traffic(link.bytesSent(), link.bytesReceived(), link.openStreams()));
  }

  /**
   * Figures of the link in use.
   *
   * @param bytesSent with WebSocket framing, before TLS
   * @param bytesReceived likewise
   * @param openStreams tunnelled connections that are open or being closed
   */
  public record Traffic(long bytesSent, long bytesReceived, int openStreams) {}

  /** Ends the link; tunnelled connections break, new ones are refused. */
  @Override
  public void close() {
    agent.close();
    stats.end();
    lastReport.end();
  }

  private static Map<String, String> self() {
    String version =
        Optional.ofNullable(Rmigate.class.getPackage().getImplementationVersion())
            .orElse("unpackaged");
    return Map.of(
        "client",
        "rmigate %s, Java %s, %s"
            .formatted(version, Runtime.version().feature(), System.getProperty("os.name")));
  }

  /** Collects settings; see {@link ConfigKey} for their meaning and defaults. */
  public static final class Builder {
    private final ClientConfig.Builder config = ClientConfig.builder();

    private Builder() {}

    /** The gateway's URL, as far as the context path. */
    public Builder gateway(URI url) {
      config.gateways(url);
      return this;
    }

    /** Destinations to tunnel, {@code host:port} patterns. */
    public Builder tunnel(String... patterns) {
      config.set(ConfigKey.TUNNEL, String.join("|", patterns));
      return this;
    }

    /** Destinations never to tunnel. */
    public Builder direct(String... patterns) {
      config.set(ConfigKey.DIRECT, String.join("|", patterns));
      return this;
    }

    /** Basic login; the file is read again before each connect. */
    public Builder user(String name, Path passwordFile) {
      config.user(name, passwordFile);
      return this;
    }

    /** Bearer login; the file is read again before each connect. */
    public Builder tokenFile(Path file) {
      config.tokenFile(file);
      return this;
    }

    /** For a link, from nothing to the gateway's welcome. */
    public Builder connectTimeout(Duration timeout) {
      config.connectTimeout(timeout);
      return this;
    }

    /** How long calls wait for a lost link to come back before they fail; zero for not at all. */
    public Builder grace(Duration duration) {
      config.grace(duration);
      return this;
    }

    /** Any other key, as text. */
    public Builder set(ConfigKey key, String value) {
      config.set(key, value);
      return this;
    }

    /** Checks the settings. Nothing is connected yet. */
    public Rmigate build() {
      return new Rmigate(config.build(), RMISocketFactory.getDefaultSocketFactory());
    }
  }
}
