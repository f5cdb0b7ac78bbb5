package io.rmigate.gateway.container.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rmigate.sample.Everything;
import io.rmigate.sample.Hello;
import java.lang.reflect.Proxy;
import java.rmi.AccessException;
import java.rmi.NotBoundException;
import java.rmi.ServerException;
import java.rmi.registry.Registry;
import java.rmi.server.RemoteObject;
import java.rmi.server.RemoteObjectInvocationHandler;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** The registry's operations: lookups and lists pass, changes from outside do not. */
final class RegistryCases {
  private final Inside inside;
  private final Registry registry;

  RegistryCases(Inside inside) throws Exception {
    this.inside = inside;
    registry = inside.registry();
  }

  @Case
  void boundNamesAreFoundAndListed() throws Exception {
    assertThat(((Hello) registry.lookup(Hello.NAME)).hello("there")).isEqualTo("Hello, there!");
    assertThat(registry.list()).contains(Hello.NAME, Everything.NAME);
  }

  @Case
  void unknownNamesAreNotBound() {
    assertThatThrownBy(() -> registry.lookup("unbound"))
        .isExactlyInstanceOf(NotBoundException.class)
        .hasMessage("unbound");
  }

  @Case
  void lookupsByMethodHashAreServedToo() throws Exception {
    assertThat(((Hello) byMethodHash().lookup(Hello.NAME)).hello("x")).isEqualTo("Hello, x!");
    assertThatThrownBy(() -> byMethodHash().lookup("unbound"))
        .isExactlyInstanceOf(NotBoundException.class);
  }

  /** Without the tunnel, client and server share a machine here, and the registry allows it. */
  @Case(on = {Way.TUNNEL, Way.TUNNEL_OVER_TLS, Way.SIDECAR})
  void changesThroughTheTunnelAreRefused() throws Exception {
    refused(() -> registry.rebind(Hello.NAME, inside.hello()));
    refused(() -> registry.bind("Other", inside.hello()));
    refused(() -> registry.unbind(Hello.NAME));
    boundNamesAreFoundAndListed();
  }

  /** The other form of the same calls, which a filter must know as well (JRMP.md 4.1). */
  @Case(on = {Way.TUNNEL, Way.TUNNEL_OVER_TLS, Way.SIDECAR})
  void changesByMethodHashAreRefusedToo() throws Exception {
    refused(() -> byMethodHash().rebind(Hello.NAME, inside.hello()));
    refused(() -> byMethodHash().bind("Other", inside.hello()));
    refused(() -> byMethodHash().unbind(Hello.NAME));
    boundNamesAreFoundAndListed();
  }

  /** A proxy like that of any other remote object; the stock stub numbers its operations. */
  private Registry byMethodHash() {
    return (Registry)
        Proxy.newProxyInstance(
            Registry.class.getClassLoader(),
            new Class<?>[] {Registry.class},
            new RemoteObjectInvocationHandler(((RemoteObject) registry).getRef()));
  }

  private static void refused(ThrowingCallable change) {
    assertThatThrownBy(change)
        .isExactlyInstanceOf(ServerException.class)
        .hasCauseExactlyInstanceOf(AccessException.class);
  }
}
