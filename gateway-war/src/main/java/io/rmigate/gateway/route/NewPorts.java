package io.rmigate.gateway.route;

import io.rmigate.gateway.policy.CallRules;
import io.rmigate.gateway.scan.SeenReference;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.message.LiveReference;
import io.rmigate.protocol.jrmp.message.RegistryOperation;
import java.util.List;
import java.util.function.Consumer;

/**
 * The references of one server to other ports of its host: objects that are exported each at a port
 * of its own, which no registry names. Where policy says {@code new-ports} they count as named by
 * the registries that have named the server, for this session; in mode learn that is noted.
 *
 * <p>References to another host never count, so that only hosts are reached that the session talks
 * to already.
 */
public final class NewPorts implements Consumer<SeenReference> {
  private final SessionKnowledge knowledge;
  private final Route.Permitted way;
  private final EndpointId server;

  /**
   * @param server as the agent names it
   */
  public NewPorts(SessionKnowledge knowledge, Route.Permitted way, EndpointId server) {
    this.knowledge = knowledge;
    this.way = way;
    this.server = server;
  }

  /** Whether these rules use references to new ports. */
  public static boolean matter(CallRules rules) {
    return rules.looks() && (rules.newPorts() || rules.learns());
  }

  @Override
  public void accept(SeenReference seen) {
    knowledge.onReceived(seen);
    LiveReference reference = seen.reference();
    if (!seen.factory().isEmpty()
        || !reference.host().equalsIgnoreCase(server.host())
        || reference.port() == server.port()
        || !knowledge.isGiven(reference)) {
      return;
    }
    for (AskedRegistry registry : registries()) {
      if (way.permission().rules().newPorts()) {
        knowledge.learn(reference, registry);
      } else {
        knowledge
            .routes()
            .notes()
            .handedOut(new EndpointId(reference.host(), reference.port()), registry);
      }
    }
  }

  /** The registries that have named the server, or the server itself if it is a registry. */
  private List<AskedRegistry> registries() {
    List<AskedRegistry> all = knowledge.routes().registriesOf(server);
    TargetPolicy.Permission there = way.permission();
    return all.isEmpty() && there.registry().contains(RegistryOperation.LOOKUP)
        ? List.of(
            new AskedRegistry(server, new RegistryPlace(server, way.host(), there.addresses())))
        : all;
  }
}
