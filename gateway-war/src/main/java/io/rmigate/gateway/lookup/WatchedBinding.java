package io.rmigate.gateway.lookup;

import io.rmigate.gateway.policy.WholeReply;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.message.LiveReference;
import io.rmigate.protocol.jrmp.message.LiveReferenceScan;
import io.rmigate.protocol.jrmp.message.ReturnedProxies;
import io.rmigate.protocol.tunnel.Bound;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The binding of a name, with the Return that reported it. The gateway holds leases on its objects
 * as long as it has users: the name, and every agent that was told of it. Guarded by the lock of
 * {@link RegistryWatch}.
 */
final class WatchedBinding {
  private static final int MAX_REFERENCES = 16;

  /** An object at an endpoint, which is what bindings are compared by. */
  record Held(EndpointId endpoint, ObjIdentifier object) {}

  private final WholeReply reply;
  private final List<LiveReference> references;
  private final List<Held> objects;

  /** Null until an agent is told of the binding. */
  private Map<ObjIdentifier, List<String>> interfaces;

  private int users;

  /** When it was replaced or voided; its leases end a while later in any case. */
  private long retiredNanos;

  private boolean retired;

  WatchedBinding(WholeReply reply) {
    byte[] message = reply.message();
    this.reply = reply;
    this.references = LiveReferenceScan.scan(message, 0, message.length);
    this.objects =
        references.stream()
            .map(
                reference ->
                    new Held(
                        new EndpointId(reference.host().toLowerCase(Locale.ROOT), reference.port()),
                        reference.object()))
            .toList();
  }

  /** Whether an agent may hold it, and the gateway can see to it that it stays valid. */
  boolean isCacheable() {
    return message().length <= Bound.MAX_MESSAGE_BYTES
        && !references.isEmpty()
        && references.size() <= MAX_REFERENCES
        && references.stream().noneMatch(LiveReference::ownFactory);
  }

  WholeReply reply() {
    return reply;
  }

  byte[] message() {
    return reply.message();
  }

  List<LiveReference> references() {
    return references;
  }

  /** The interfaces of the stubs, by object. Found once. */
  Map<ObjIdentifier, List<String>> interfaces() {
    if (interfaces == null) {
      Map<ObjIdentifier, List<String>> found = new HashMap<>();
      new ReturnedProxies(found::put).onBytes(message(), 0, message().length);
      interfaces = Map.copyOf(found);
    }
    return interfaces;
  }

  List<Held> objects() {
    return objects;
  }

  boolean isSame(WatchedBinding other) {
    return objects.equals(other.objects);
  }

  void use() {
    users++;
  }

  /** Removes a user. Returns whether it was the last. */
  boolean release() {
    users--;
    return users == 0;
  }

  void retire(long now) {
    retired = true;
    retiredNanos = now;
  }

  boolean isRetiredSince(long nanos) {
    return retired && retiredNanos - nanos <= 0;
  }
}
