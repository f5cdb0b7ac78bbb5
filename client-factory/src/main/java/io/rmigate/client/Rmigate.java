package io.rmigate.client;

import io.rmigate.client.async.AsyncStub;
import io.rmigate.client.async.ReadAhead;
import io.rmigate.client.async.RemoteFunction;
import io.rmigate.client.callback.CallbackObserver;
import io.rmigate.client.config.ClientConfig;
import io.rmigate.client.config.ConfigKey;
import io.rmigate.client.deadline.CallTimeout;
import io.rmigate.client.deadline.CallTimeouts;
import io.rmigate.client.deadline.Deadlines;
import io.rmigate.client.ladder.ChosenWays;
import io.rmigate.client.ladder.LinkLadder;
import io.rmigate.client.ladder.ServerLadder;
import io.rmigate.client.mediator.LookupFigures;
import io.rmigate.client.mediator.MediatorAgent;
import io.rmigate.client.mediator.MediatorSettings;
import io.rmigate.client.socks.SocksDoor;
import io.rmigate.client.stats.LastReport;
import io.rmigate.client.stats.Stats;
import io.rmigate.client.stats.StatsRegistration;
import io.rmigate.client.transport.proxy.GatewayDialer;
import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.rmi.Remote;
import java.rmi.server.RMISocketFactory;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

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
 * The link is opened when it is first needed, which {@link #install} may do. All threads are
 * daemons. Thread-safe.
 */
public final class Rmigate implements Closeable {
  private final GatewayDialer dialer;
  private final MediatorAgent agent;
  private final TunnelSocketFactory factory;

  /** Empty where nothing is to be registered, or the JVM has no module java.management. */
  private final Optional<StatsRegistration> stats;

  private final LastReport lastReport;
  private final ClientConfig config;
  private final ChosenWays ways;

  /** Empty where nothing may pass the gateway. */
  private final Optional<ServerLadder> ladder;

  /** Null while it is closed. Guarded by {@code doorLock}. */
  private SocksDoor door;

  private final ReentrantLock doorLock = new ReentrantLock();

  private Rmigate(ClientConfig config, RMISocketFactory direct) {
    this.config = config;
    dialer = new GatewayDialer(config);
    ways = ChosenWays.of(config);
    agent =
        new MediatorAgent(
            LinkLadder.of(config, dialer, ways), MediatorSettings.from(config, self()));
    ladder =
        config.ways().mayPassGateway()
            ? Optional.of(new ServerLadder(config, ways, new AgentLink(agent)))
            : Optional.empty();
    factory = new TunnelSocketFactory(agent, config, direct, ladder);
    stats =
        config.stats() && ModuleLayer.boot().findModule("java.management").isPresent()
            ? Optional.of(new StatsRegistration(new StatsSource()))
            : Optional.empty();
    lastReport =
        new LastReport(
            new Runnable() {
              @Override
              public void run() {
                agent.leave();
              }
            });
    agent.whenFirstLinked(
        new Runnable() {
          @Override
          public void run() {
            lastReport.begin();
            registerLater();
          }
        });
    ways.whenFirstChosen(
        new Runnable() {
          @Override
          public void run() {
            registerLater();
          }
        });
  }

  /** JMX is a third of what a JVM loads at its start; figures are not read so soon. */
  private void registerLater() {
    if (stats.isPresent()) {
      agent.runLater(stats.get());
    }
  }

  /** Makes the MBean. */
  private final class StatsSource implements Supplier<Stats> {
    @Override
    public Stats get() {
      return new Stats(
          config.gatewayList(),
          () -> dialer.chosen().orElse(""),
          ways::lines,
          agent.account(),
          () -> agent.currentLink().isPresent());
    }
  }

  /** The link as one of the ways. */
  private record AgentLink(MediatorAgent agent) implements ServerLadder.LinkRung {
    @Override
    public boolean isUp() {
      return agent.currentLink().isPresent();
    }

    @Override
    public void ensure() throws IOException {
      agent.ensureLink();
    }
  }

  /**
   * Calls of a remote object for whose results no thread waits. They go where the stub's own calls
   * go: through the gateway if that is {@linkplain #install installed} and the destination is
   * tunnelled.
   *
   * @throws IllegalArgumentException it is no stub
   */
  public static <T extends Remote> AsyncStub<T> async(T stub) {
    return AsyncStub.of(stub);
  }

  /**
   * The results of a remote cursor, with calls that are made before they are needed: some may be
   * executed that never are. See {@link ReadAhead}.
   *
   * @param next calls one remote method without side effects but on the cursor itself
   * @param calls to be made ahead, from 1 to 256
   */
  public static <T extends Remote, R> ReadAhead<R> readAhead(
      T cursor, RemoteFunction<? super T, R> next, int calls) {
    return ReadAhead.of(AsyncStub.of(cursor), next, calls);
  }

  /** The agent with defaults: all but loopback is tunnelled, no login, the JVM's HTTP proxy. */
  public static Rmigate connect(URI... gateways) {
    return builder().gateways(gateways).build();
  }

  /** A builder, for more than the defaults. */
  public static Builder builder() {
    return new Builder();
  }

  /** The agent as configured; {@code direct} connects the sockets that are not tunnelled. */
  public static Rmigate with(ClientConfig config, RMISocketFactory direct) {
    return new Rmigate(config, direct);
  }

  /**
   * Has all sockets of this JVM to the destinations of {@link ConfigKey#SOCKETS} go through the
   * gateway, from every class. Nothing happens where there are no such destinations, nor before the
   * first such socket.
   */
  public void openDoor() {
    doorLock.lock();
    try {
      if (door == null && !config.sockets().isEmpty()) {
        door =
            SocksDoor.open(
                agent,
                config.sockets(),
                new Deadlines(config.callTimeouts()),
                ladder,
                config.connectTimeout());
      }
    } finally {
      doorLock.unlock();
    }
  }

  private void closeDoor() {
    doorLock.lock();
    try {
      if (door != null) {
        door.close();
        door = null;
      }
    } finally {
      doorLock.unlock();
    }
  }

  /** The factory, for methods that take one, such as {@code LocateRegistry.getRegistry}. */
  public TunnelSocketFactory socketFactory() {
    return factory;
  }

  /**
   * Makes the factory the JVM's global one, so that all stubs without a factory of their own use
   * it, and {@linkplain #prepareExports prepares exports} and {@linkplain #openDoor sockets that no
   * factory of ours makes}.
   *
   * @throws IOException the JVM has one already: it can be set only once
   */
  public Rmigate install() throws IOException {
    RMISocketFactory.setSocketFactory(factory);
    openDoor();
    prepareExports();
    return this;
  }

  /**
   * With {@code callbacks-hostname=jvm}, sees to it that stubs of objects that are exported from
   * now on name the gateway: sets the system property {@code java.rmi.server.hostname}, unless it
   * is set. Opens the link for that, if the configuration does not say what they are to name, and
   * waits for it as long as for any link; whether there is one is in the log. Otherwise nothing
   * happens, nor with {@code export=none}.
   */
  public void prepareExports() {
    agent.callbacks().exportHost().settle();
  }

  /** Sets the observer that is told when inner JVMs cannot reach exported objects, or can again. */
  public Rmigate observe(CallbackObserver observer) {
    agent.callbacks().observer(observer);
    return this;
  }

  /**
   * Bounds each call that this thread makes until the scope is closed. Nothing here depends on this
   * object: it is {@link CallTimeout#of}, where the rules are.
   */
  public CallTimeout callTimeout(Duration limit) {
    return CallTimeout.of(limit);
  }

  /** Figures of the registry lookups so far. */
  public LookupFigures lookups() {
    return agent.lookups().figures();
  }

  /**
   * By which ways destinations are reached in this network, and why: a line each, as in the MBean.
   */
  public List<String> ways() {
    return ways.lines();
  }

  /** Traffic on the link in use, and its open streams; empty while there is no link. */
  public Optional<Traffic> traffic() {
    return agent
        .currentLink()
        .map(link -> new Traffic(link.bytesSent(), link.bytesReceived(), link.openStreams()));
  }

  /**
   * Figures of the link in use.
   *
   * @param bytesSent with WebSocket framing, before TLS
   * @param bytesReceived with WebSocket framing, before TLS
   * @param openStreams tunnelled connections that are open or being closed
   */
  public record Traffic(long bytesSent, long bytesReceived, int openStreams) {}

  /** Ends the link; tunnelled connections break, new ones are refused. */
  @Override
  public void close() {
    closeDoor();
    agent.close();
    stats.ifPresent(StatsRegistration::end);
    lastReport.end();
  }

  private static Map<String, String> self() {
    String version =
        Optional.ofNullable(Rmigate.class.getPackage().getImplementationVersion())
            .orElse("unpackaged");
    return Map.of(
        "client",
        "rmigate "
            + version
            + ", Java "
            + Runtime.version().feature()
            + ", "
            + System.getProperty("os.name"));
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

    private Builder gateways(URI... urls) {
      config.gateways(urls);
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

    /** Timeout of a link, from nothing to the gateway's welcome. */
    public Builder connectTimeout(Duration timeout) {
      config.connectTimeout(timeout);
      return this;
    }

    /** How long calls wait for a lost link to come back before they fail; zero for not at all. */
    public Builder grace(Duration duration) {
      config.grace(duration);
      return this;
    }

    /**
     * How long a call may take, see {@link ConfigKey#CALL_TIMEOUT}.
     *
     * @throws IllegalArgumentException it is neither zero nor a millisecond to a day
     */
    public Builder callTimeout(Duration limit) {
      CallTimeouts.checkLimit(limit);
      config.set(ConfigKey.CALL_TIMEOUT, limit.toMillis() + "ms");
      return this;
    }

    /** Any other key, as text. */
    public Builder set(ConfigKey key, String value) {
      config.set(key, value);
      return this;
    }

    /** Checks the settings. Nothing is connected yet. */
    public Rmigate build() {
      config.ambientProxies(System.getProperties(), System.getenv());
      return new Rmigate(config.build(), RMISocketFactory.getDefaultSocketFactory());
    }
  }
}
