package io.rmigate.client;

import io.rmigate.client.config.ClientConfig;
import io.rmigate.client.config.Way;
import io.rmigate.client.deadline.CallClock;
import io.rmigate.client.deadline.CallTimeoutException;
import io.rmigate.client.deadline.Deadlines;
import io.rmigate.client.jvm.Privileged;
import io.rmigate.client.ladder.ReachedServer;
import io.rmigate.client.ladder.ServerLadder;
import io.rmigate.client.mediator.MediatorAgent;
import io.rmigate.client.socket.TunnelSocket;
import io.rmigate.client.socket.UnmediatedSocket;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.rmi.server.RMISocketFactory;
import java.time.Duration;
import java.util.Optional;

/**
 * Makes connections to RMI servers through the gateway, for the destinations that the configuration
 * tunnels; others are made by the factory it was given, directly. A destination that is tunnelled
 * is never reached past the gateway, also after a failure, unless {@link
 * io.rmigate.client.config.ConfigKey#WAY} lists a direct way. A stub of an object that this JVM
 * itself has exported through the gateway is called within the JVM, unless the configuration says
 * otherwise.
 *
 * <p>Given to {@link java.rmi.registry.LocateRegistry#getRegistry(String, int,
 * java.rmi.server.RMIClientSocketFactory)} it covers the connection to that registry <em>only</em>:
 * stubs looked up there use the JVM's global factory. To cover those too, {@link Rmigate#install}
 * it or start the JVM with the javaagent.
 *
 * <p>Thread-safe. Equal only to itself, so that each has connections of its own in the RMI
 * runtime's pool.
 */
public final class TunnelSocketFactory extends RMISocketFactory {
  private final MediatorAgent agent;
  private final ClientConfig config;
  private final Deadlines deadlines;
  private final RMISocketFactory direct;

  /** Empty where nothing may pass the gateway. */
  private final Optional<ServerLadder> ladder;

  TunnelSocketFactory(
      MediatorAgent agent,
      ClientConfig config,
      RMISocketFactory direct,
      Optional<ServerLadder> ladder) {
    this.ladder = ladder;
    this.agent = agent;
    this.config = config;
    this.deadlines = new Deadlines(config.callTimeouts());
    this.direct = direct;
  }

  /**
   * A connection to {@code host:port}.
   *
   * @param host as the stub names it; when tunnelled it is resolved behind the gateway only
   * @throws java.net.ConnectException the gateway cannot be reached; nothing was executed
   * @throws io.rmigate.client.deadline.CallTimeoutException nor could it within the bound of the
   *     call that needs the connection
   */
  @Override
  public Socket createSocket(String host, int port) throws IOException {
    if (config.callsOwnStubsDirectly()) {
      Optional<Socket> within =
          Privileged.isNeeded()
              ? Privileged.call(() -> agent.callbacks().connectWithin(host, port))
              : agent.callbacks().connectWithin(host, port);
      if (within.isPresent()) {
        return within.get();
      }
    }
    Optional<String> ofThisJvm =
        agent.loopback().isListening(port)
            ? Privileged.call(() -> agent.callbacks().references().reachedLocally(host))
            : Optional.empty();
    if (ofThisJvm.isPresent()) {
      return direct.createSocket(ofThisJvm.get(), port);
    }
    if (config.tunnels(host, port)
        || (agent.loopback().isInside(host, port) && !config.isDirect(host, port))) {
      Privileged.checkConnect(host, port);
      return Privileged.isNeeded()
          ? Privileged.call(() -> connect(host, port))
          : connect(host, port);
    }
    Socket socket = direct.createSocket(host, port);
    agent.loopback().reachedDirectly(host, port);
    return socket;
  }

  /** Where references are held at the gateway they stay there, as does what calls them. */
  private Socket connect(String host, int port) throws IOException {
    if (ladder.isEmpty()
        || !ladder.get().mayPassGateway(host)
        || agent.leases().areHeldAt(host, port)) {
      return TunnelSocket.connect(agent, deadlines, host, port);
    }
    long start = System.nanoTime();
    CallClock clock =
        deadlines.mayApply() ? deadlines.connecting(host, port, start) : CallClock.UNBOUNDED;
    Duration timeout = config.connectTimeout();
    boolean bounded = clock.isBounded() && clock.leftNanos() < timeout.toNanos();
    Optional<ReachedServer> reached;
    try {
      reached =
          ladder
              .get()
              .reach(
                  host,
                  port,
                  bounded ? Duration.ofNanos(Math.max(1_000_000, clock.leftNanos())) : timeout);
    } catch (IOException failed) {
      if (bounded && clock.leftNanos() <= 0) {
        CallTimeoutException late = clock.notSent();
        late.initCause(failed);
        throw late;
      }
      throw failed;
    }
    return reached.isEmpty()
        ? TunnelSocket.connect(agent, deadlines, host, port)
        : unmediated(reached.get(), host, port, start);
  }

  /**
   * Behind an HTTP proxy a server cannot connect to this JVM, so that references name the gateway
   * there, too.
   */
  private UnmediatedSocket unmediated(ReachedServer reached, String host, int port, long start)
      throws IOException {
    boolean namesGateway = reached.way() == Way.CONNECT && !config.ways().overLink().isEmpty();
    return new UnmediatedSocket(
        reached,
        namesGateway ? agent.callbacks().references() : null,
        deadlines,
        host,
        port,
        start);
  }

  /**
   * A local listener, as the RMI runtime has it without rmigate; for the ports that the
   * configuration exports, inner JVMs reach it through the gateway as well. With {@code
   * callbacks-hostname=jvm} those ports are at the gateway only.
   *
   * @throws java.net.BindException that very port cannot be had
   * @throws IOException with {@code callbacks-hostname=jvm}: the gateway cannot be reached, or does
   *     not listen; the message says what to configure
   */
  @Override
  public ServerSocket createServerSocket(int port) throws IOException {
    Privileged.checkListen(port);
    Optional<ServerSocket> atGateway = Privileged.call(() -> agent.callbacks().listen(port));
    if (atGateway.isPresent()) {
      return atGateway.get();
    }
    ServerSocket socket = direct.createServerSocket(port);
    agent.loopback().listens(socket);
    return Privileged.call(() -> agent.callbacks().share(port, socket));
  }

  @Override
  public String toString() {
    return "TunnelSocketFactory[" + config + "]";
  }
}
