package io.rmigate.gateway.session;

import static io.rmigate.gateway.session.TestAgent.awaitThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.lease.LeaseView;
import io.rmigate.gateway.lookup.LookupSettings;
import io.rmigate.gateway.route.TargetGrant;
import io.rmigate.protocol.NamePatterns;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.tunnel.Bound;
import io.rmigate.protocol.tunnel.Dirty;
import io.rmigate.protocol.tunnel.Feature;
import io.rmigate.protocol.tunnel.Forgot;
import io.rmigate.protocol.tunnel.Hello;
import io.rmigate.protocol.tunnel.Lookup;
import io.rmigate.protocol.tunnel.RegistryName;
import io.rmigate.protocol.tunnel.SessionToken;
import io.rmigate.protocol.tunnel.Tunnel;
import io.rmigate.protocol.tunnel.Welcome;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.rmi.Remote;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.rmi.server.Unreferenced;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Sessions that leave both their lookups and their leases to the gateway. */
class LeasedLookupsTest {
  @RegisterExtension final SessionBed bed = new SessionBed();

  /** Counts how often the server is told that it is unreferenced. */
  private static final class Exported implements Remote, Unreferenced {
    final AtomicInteger unreferenced = new AtomicInteger();

    @Override
    public void unreferenced() {
      unreferenced.incrementAndGet();
    }
  }

  private final Exported object = new Exported();
  private final Exported successor = new Exported();
  private Registry registry;
  private EndpointId at;
  private TestAgent agent;

  /** Accepts connections and says nothing: a dirty there stays under way. */
  private ServerSocket silent;

  private Socket accepted;

  @BeforeEach
  void bindTheObject() throws Exception {
    bed.policy(new TargetGrant(Set.of("*"), List.of("127.0.0.1:*"), SessionBed.ALL));
    bed.lookups(new LookupSettings(true, NamePatterns.NONE, Duration.ofMillis(300), List.of()));
    silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    registry = LocateRegistry.createRegistry(0);
    registry.rebind("Hello", UnicastRemoteObject.exportObject(object, 0));
    at = new EndpointId("127.0.0.1", Calls.reference(registry).port());
  }

  @AfterEach
  void unexport() throws Exception {
    bed.registry().close();
    silent.close();
    UnicastRemoteObject.unexportObject(object, true);
    UnicastRemoteObject.unexportObject(successor, true);
    UnicastRemoteObject.unexportObject(registry, true);
  }

  /** The agent has been told of the object by a lookup, then of its successor. */
  private Bound replaced() throws Exception {
    agent = bed.stranger();
    agent.say(
        new Hello(
            Tunnel.VERSION,
            Tunnel.VERSION,
            Set.of(Feature.LEASES, Feature.LOOKUPS),
            SessionToken.NONE,
            0,
            TestAgent.CREDIT,
            List.of(Welcome.IDENTITY),
            Map.of()));
    agent.awaitWelcome();
    agent.say(new Lookup(1, false, new RegistryName(at, "Hello")));
    awaitThat(() -> agent.port().frames(Bound.class).size() == 1);
    registry.rebind("Hello", UnicastRemoteObject.exportObject(successor, 0));
    awaitThat(() -> agent.port().frames(Bound.class).size() == 2);
    awaitThat(() -> held() == 2);
    return agent.port().frames(Bound.class).get(0);
  }

  private int held() {
    return bed.leases().views().stream()
        .filter(view -> view.session().startsWith("lookups"))
        .flatMap(view -> view.endpoints().stream())
        .mapToInt(row -> row.held() - row.waiting())
        .sum();
  }

  private int underWay() {
    return bed.leases().views().stream()
        .flatMap(view -> view.endpoints().stream())
        .mapToInt(LeaseView.Row::waiting)
        .sum();
  }

  /** Declares an object at the silent server, and waits for the connection that this needs. */
  private void beginDirty() throws Exception {
    EndpointId there = new EndpointId("127.0.0.1", silent.getLocalPort());
    agent.say(new Dirty(0, there, List.of(new ObjIdentifier(5, 1, 2, (short) 3))));
    assertThat(underWay()).isEqualTo(1);
    accepted = silent.accept();
  }

  /** The server ends the connection, and makes no other one: the dirty has failed. */
  private void endDirty() throws Exception {
    silent.close();
    accepted.close();
  }

  @Test
  void forgottenBindingIsReleasedBehindTheDirtiesBeforeIt() throws Exception {
    Bound old = replaced();
    beginDirty();
    agent.say(new Forgot(old.binding()));
    assertThat(held()).isEqualTo(2);

    endDirty();

    awaitThat(() -> object.unreferenced.get() == 1);
    assertThat(held()).isEqualTo(1);
  }

  @Test
  void bindingsOfAnEndedSessionAreReleasedBehindItsDirties() throws Exception {
    replaced();
    beginDirty();
    agent.session().onTransportClosed();
    assertThat(held()).isEqualTo(2);

    endDirty();

    awaitThat(() -> object.unreferenced.get() == 1);
    awaitThat(() -> held() == 0);
  }
}
