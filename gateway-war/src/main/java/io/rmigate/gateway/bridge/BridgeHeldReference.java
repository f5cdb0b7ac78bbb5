package io.rmigate.gateway.bridge;

import io.rmigate.gateway.login.Principal;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.message.LiveReference;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** A hold of its own in its principal's {@link ReferenceCounts}. */
final class BridgeHeldReference implements HeldReference {
  private final RelayBridge bridge;
  private final CallerContext account;
  private final Principal principal;
  private final LiveReference reference;
  private final List<String> interfaces;
  private final AtomicBoolean closed = new AtomicBoolean();

  BridgeHeldReference(
      RelayBridge bridge,
      CallerContext account,
      Principal principal,
      LiveReference reference,
      List<String> interfaces) {
    this.bridge = bridge;
    this.account = account;
    this.principal = principal;
    this.reference = reference;
    this.interfaces = interfaces;
  }

  CallerContext account() {
    return account;
  }

  LiveReference reference() {
    return reference;
  }

  @Override
  public Principal principal() {
    return principal;
  }

  @Override
  public EndpointId endpoint() {
    return new EndpointId(reference.host(), reference.port());
  }

  @Override
  public String object() {
    return reference.object().toString();
  }

  @Override
  public List<String> interfaces() {
    return interfaces;
  }

  @Override
  public void close() {
    if (!closed.getAndSet(true)) {
      account.references().release(List.of(BridgeReference.of(reference)));
      bridge.leave(account);
    }
  }
}
