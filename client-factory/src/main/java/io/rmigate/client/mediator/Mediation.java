package io.rmigate.client.mediator;

import io.rmigate.client.callback.Callbacks;
import io.rmigate.client.link.Link;
import io.rmigate.client.link.LinkListener;
import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.tunnel.Bound;
import io.rmigate.protocol.tunnel.Feature;
import io.rmigate.protocol.tunnel.Frame;
import io.rmigate.protocol.tunnel.Grant;
import io.rmigate.protocol.tunnel.Leased;
import io.rmigate.protocol.tunnel.Unbound;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Set;

/** The listener of links that passes frames and events to lookups, leases, grants and callbacks. */
final class Mediation implements LinkListener {
  private final Lookups lookups;
  private final Leases leases;
  private final Grants grants;
  private final Callbacks callbacks;

  Mediation(Lookups lookups, Leases leases, Grants grants, Callbacks callbacks) {
    this.lookups = lookups;
    this.leases = leases;
    this.grants = grants;
    this.callbacks = callbacks;
  }

  @Override
  public Set<Feature> offers() {
    EnumSet<Feature> offered = EnumSet.of(Feature.GRANTS, Feature.RAW_STREAMS);
    if (lookups.areCached()) {
      offered.add(Feature.LOOKUPS);
    }
    if (leases.areOffered()) {
      offered.add(Feature.LEASES);
    }
    if (callbacks.areOffered()) {
      offered.add(Feature.CALLBACKS);
    }
    return offered;
  }

  /** Tells a new session the grants, the leases and the callback ports of this JVM. */
  void onOpened(Link link) throws IOException {
    grants.show(link);
    leases.declareAll(link);
    callbacks.onLinked(link);
  }

  /** Whether a session is needed, where there is none, to declare leases or callback ports. */
  boolean mustDeclare() {
    return leases.keptByGateway() > 0 || callbacks.needLink();
  }

  @Override
  public void onFrame(Link link, Frame frame) throws ProtocolViolationException {
    if (frame instanceof Bound bound && link.takes(Feature.LOOKUPS)) {
      lookups.onBound(link, bound);
    } else if (frame instanceof Unbound unbound && link.takes(Feature.LOOKUPS)) {
      lookups.onUnbound(link, unbound);
    } else if (frame instanceof Leased leased && link.takes(Feature.LEASES)) {
      leases.onLeased(link, leased);
    } else if (frame instanceof Grant grant && link.takes(Feature.GRANTS)) {
      grants.keep(grant);
    } else if (!link.takes(Feature.CALLBACKS) || !callbacks.onFrame(link, frame)) {
      NONE.onFrame(link, frame);
    }
  }

  @Override
  public void onDraining(Link link) {
    leases.onDraining();
    callbacks.onDraining();
  }

  @Override
  public void onEnded(Link link, IOException cause) {
    lookups.onEnded(link);
    leases.onEnded(link);
    callbacks.onEnded(link);
  }
}
