package io.rmigate.client.socket;

import io.rmigate.client.deadline.CallClock;
import io.rmigate.client.deadline.Deadlines;
import io.rmigate.client.mediator.Leases;
import io.rmigate.client.mediator.LookupCall;
import io.rmigate.client.mediator.Lookups;
import io.rmigate.client.mediator.LoopbackServers;
import io.rmigate.client.mediator.MediatorAgent;
import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.jrmp.message.CallHeader;
import io.rmigate.protocol.jrmp.message.LiveReferenceStream;
import io.rmigate.protocol.jrmp.message.RegistryCall;
import io.rmigate.protocol.jrmp.message.RegistryOperation;
import io.rmigate.protocol.jrmp.message.ReturnedProxies;
import io.rmigate.protocol.tunnel.RefusalReason;
import java.io.IOException;
import java.util.Optional;

/**
 * What the mediator has to know of the Calls and Returns that pass through one conversation:
 * lookups, which it may answer; what makes a binding that it holds wrong; stubs of servers that do
 * not know their name. A look at each Call's ObjID and at the first bytes of each Return is all
 * that others cost.
 *
 * <p>Confined to the thread that converses.
 */
final class CallInspection {
  /** The change that a Call makes to bindings, once it has an end. */
  private interface Change {
    void happens();
  }

  private static final Change NONE =
      new Change() {
        @Override
        public void happens() {}
      };

  private final Lookups lookups;
  private final LoopbackServers loopback;
  private final Leases leases;
  private final MediatorAgent agent;
  private final Deadlines deadlines;
  private final String host;
  private final int port;

  private Change change = NONE;

  /** The references in the Return; null while they are not needed. */
  private LiveReferenceStream references;

  /**
   * References that the Return holds, for the strict mode of leases; null while it is not in use.
   */
  private ReturnedReferences pinned;

  /** Proxies that the Return holds, for deadlines that go by interfaces; null without these. */
  private ReturnedProxies proxies;

  /** The beginning of the Return, as far as it has been seen. */
  private final ReturnBeginning beginning = new ReturnBeginning();

  CallInspection(MediatorAgent agent, Deadlines deadlines, String host, int port) {
    this.agent = agent;
    this.deadlines = deadlines;
    this.lookups = agent.lookups();
    this.loopback = agent.loopback();
    this.leases = agent.leases();
    this.host = host;
    this.port = port;
  }

  /**
   * A whole Call is about to be sent.
   *
   * @param clock of it
   * @return a lookup that is answered without the registry, perhaps
   * @throws IOException there is no link to ask by
   */
  Optional<LookupCall> onCall(byte[] call, int length, CallClock clock) throws IOException {
    begin();
    if (!RegistryCall.isForRegistry(call, 0, length)) {
      return Optional.empty();
    }
    RegistryCall decoded;
    try {
      decoded = RegistryCall.decode(call, 0, length).orElse(null);
    } catch (ProtocolViolationException strange) {
      return Optional.empty(); // the gateway and the registry will say what they think of it
    }
    if (decoded == null || decoded.name().isEmpty()) {
      return Optional.empty();
    }
    String name = decoded.name().get();
    switch (decoded.operation()) {
      case LOOKUP -> {
        Optional<LookupCall> lookup = lookups.begin(host, port, name, clock);
        if (lookup.isEmpty()) {
          learnFromReturn();
        }
        return lookup;
      }
      case BIND, REBIND, UNBIND -> changes(() -> lookups.onChanged(port, name));
      case LIST -> {}
      default -> throw new AssertionError(decoded.operation());
    }
    return Optional.empty();
  }

  /** The beginning of a Call is about to be sent, which is too long to be seen whole. */
  void onBeginning(byte[] call, int length) {
    begin();
    if (RegistryCall.isForRegistry(call, 0, length)) {
      CallHeader.decode(call, 0, length)
          .flatMap(header -> RegistryOperation.of(header.operation(), header.hash()))
          .filter(operation -> operation.changesBindings())
          .ifPresent(operation -> changes(() -> lookups.onSomethingChanged(port)));
    }
  }

  /** A lookup that the mediator did not answer is sent to the registry. */
  void onLeftToRegistry() {
    learnFromReturn();
  }

  private void begin() {
    change = NONE;
    beginning.restart();
    // A server that does not know its name says so in all its stubs.
    references =
        loopback.isInside(host, port) && agent.mapsLoopback()
            ? new LiveReferenceStream(loopback)
            : null;
    pinned = leases.isStrict() ? new ReturnedReferences(leases) : null;
    proxies = deadlines.askForInterfaces() ? new ReturnedProxies(deadlines::learn) : null;
  }

  private void learnFromReturn() {
    if (agent.mapsLoopback() && references == null) {
      references = new LiveReferenceStream(loopback);
    }
  }

  /** The mediator has answered a lookup with this Return. */
  void onAnswered(byte[] message) {
    if (leases.isStrict()) {
      new ReturnedReferences(leases).onBytes(message, 0, message.length);
    }
    if (proxies != null) {
      proxies.onBytes(message, 0, message.length);
    }
  }

  /**
   * Forgets bindings now, because they are about to change, and when the Return comes, because a
   * lookup may have asked for them meanwhile.
   */
  private void changes(Change next) {
    next.happens();
    change = next;
  }

  /** Bytes of the Return have come over the stream. */
  void onReturn(byte[] bytes, int offset, int length) {
    if (beginning.isEmpty()) {
      endChange();
    }
    if (beginning.saysNoSuchObject(bytes, offset, length)) {
      lookups.onLeadsNowhere(host, port);
    }
    if (references != null) {
      references.onBytes(bytes, offset, length);
    }
    if (pinned != null) {
      pinned.onBytes(bytes, offset, length);
    }
    if (proxies != null) {
      proxies.onBytes(bytes, offset, length);
    }
  }

  /** The gateway has refused the Call: nothing was asked of the server. */
  void onRefused(RefusalReason reason) {
    endChange();
    boolean reachable =
        switch (reason) {
          case UNKNOWN_HOST, CONNECTION_REFUSED, CONNECT_FAILED, NOT_JRMP -> false;
          // As far as this JVM knows: a short deadline says nothing about the server.
          case TARGET_NOT_PERMITTED,
              OPERATION_NOT_PERMITTED,
              CALL_TIMEOUT,
              CALL_LATE,
              SEQUENCE_OVER ->
              true;
        };
    if (!reachable) {
      lookups.onLeadsNowhere(host, port);
    }
  }

  /** The server has ended its connection; nothing of the Return will come any more. */
  void onServerGone() {
    endChange();
    if (beginning.isEmpty()) {
      lookups.onLeadsNowhere(host, port);
    }
  }

  /** The Call is cut off, for a reason that says nothing about the server. */
  void onCut() {
    endChange();
  }

  private void endChange() {
    Change ended = change;
    change = NONE;
    ended.happens();
  }
}
