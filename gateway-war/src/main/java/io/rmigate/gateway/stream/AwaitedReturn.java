package io.rmigate.gateway.stream;

import io.rmigate.gateway.limit.CallPermit;
import io.rmigate.gateway.login.Principal;
import io.rmigate.gateway.policy.CallRules;
import io.rmigate.gateway.relay.address.AddressRule;
import io.rmigate.gateway.route.AskedRegistry;
import io.rmigate.gateway.route.NewPorts;
import io.rmigate.gateway.route.RegistryPlace;
import io.rmigate.gateway.route.Route;
import io.rmigate.gateway.route.TargetPolicy;
import io.rmigate.gateway.scan.SeenReference;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.message.RegistryOperation;
import io.rmigate.protocol.tunnel.Open;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Tells the {@link ReturnPath} of one stream by which rules the Return of a Call is judged, what is
 * learnt from it, and what ends before it goes on. Guarded by {@link OpenStream#lock()}.
 */
final class AwaitedReturn {
  private final StreamSession session;
  private final Open open;
  private final ReturnPath returns;

  /** Takes the references in Returns. */
  private final Consumer<SeenReference> onReceived;

  /** The latest result of {@link #strictest}, with its policy and principal; null before. */
  private CallRules strictest;

  private TargetPolicy strictestPolicy;
  private Principal strictestPrincipal;

  AwaitedReturn(StreamSession session, Open open, ReturnPath returns) {
    this.session = session;
    this.open = open;
    this.returns = returns;
    this.onReceived = session.knowledge()::onReceived;
  }

  /** The strictest rules of all targets of the principal, by the policy of that route. */
  CallRules strictest(Route.Permitted route) {
    TargetPolicy policy = route.policy();
    Principal principal = session.standing().principal();
    if (policy != strictestPolicy || !principal.equals(strictestPrincipal)) {
      strictest = policy.strictest(principal);
      strictestPolicy = policy;
      strictestPrincipal = principal;
    }
    return strictest;
  }

  /**
   * A Call has begun, and the return path knows on which connection.
   *
   * @param registry the operation, if the Call is one of a registry
   * @param call its bytes, or its beginning
   * @param permit the place of the Call among all calls
   */
  void expect(
      Route.Permitted route, Optional<RegistryOperation> registry, byte[] call, CallPermit permit) {
    CallRules rules = route.permission().rules();
    returns.judge(
        rules,
        strictest(route),
        registry.isPresent() || !NewPorts.matter(rules)
            ? onReceived
            : new NewPorts(session.knowledge(), route, new EndpointId(open.host(), open.port())));
    if (registry.equals(Optional.of(RegistryOperation.LIST)) && rules.limitsLists()) {
      returns.show(name -> rules.permitsName(Optional.of(name)));
    }
    String host = route.host();
    AddressRule addresses = route.permission().addresses();
    if (registry.equals(Optional.of(RegistryOperation.LOOKUP))) {
      EndpointId name = new EndpointId(open.host(), open.port());
      RegistryPlace place = new RegistryPlace(name, host, addresses);
      returns.learnEndpoints(new AskedRegistry(name, place));
    } else if (!host.equalsIgnoreCase(open.host())) {
      returns.learnObjects(new RegistryPlace(host, addresses));
    }
    if (registry.isPresent() && registry.get().changesBindings()) {
      Optional<String> name = AuditedCall.boundName(call);
      session.targets().bindingsChange(route, name);
      returns.whenReturning(
          () -> {
            permit.end();
            session.targets().bindingsChange(route, name);
          });
    } else if (permit != CallPermit.UNLIMITED) {
      returns.whenReturning(permit::end);
    }
  }
}
