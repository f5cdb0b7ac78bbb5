package io.rmigate.gateway.session;

import io.rmigate.gateway.audit.AuditEntry;
import io.rmigate.gateway.audit.AuditEvent;
import io.rmigate.gateway.callback.CallbackLink;
import io.rmigate.gateway.login.Principal;
import io.rmigate.gateway.policy.CallRules;
import io.rmigate.gateway.policy.JudgedMessage;
import io.rmigate.gateway.policy.Needs;
import io.rmigate.gateway.policy.Objection;
import io.rmigate.gateway.policy.Refusal;
import io.rmigate.gateway.quota.Share;
import io.rmigate.gateway.relay.RelayLoop;
import io.rmigate.gateway.route.TargetPolicy;
import io.rmigate.gateway.scan.SeenReference;
import io.rmigate.protocol.tunnel.Frame;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.slf4j.Logger;

/**
 * A session, as its callbacks see it.
 *
 * @param session its public identifier
 * @param agentCredit as the agent has said in its hello
 */
record SessionCallbackLink(TunnelSession of, String session, RelayLoop loop, int agentCredit)
    implements CallbackLink {

  @Override
  public Principal principal() {
    return of.principal();
  }

  @Override
  public void learnPort(int port) {
    CallRules rules = of.policy().strictest(of.principal());
    if (rules.learns()) {
      rules.learned().add(of.principal().name(), Needs.CALLBACKS, Needs.callbackPort(port));
    }
  }

  @Override
  public void add(Frame frame) {
    of.outbound().add(frame);
  }

  @Override
  public long addData(int stream, ByteBuffer bytes) {
    return of.outbound().addData(stream, bytes);
  }

  @Override
  public boolean hasRoom(long lastBatch, Runnable whenRoom) {
    return of.outbound().hasRoom(lastBatch, whenRoom);
  }

  @Override
  public boolean isFull() {
    return of.outbound().isAboveHighWater();
  }

  @Override
  public void flush() {
    of.flush();
  }

  @Override
  public void send() {
    of.outbound().flush();
  }

  @Override
  public void behindDirties(Runnable then) {
    of.behindDirties(then);
  }

  @Override
  public boolean takesCalls() {
    return !of.loginExpired() && !of.lockout().isOn() && !of.audit().refusesWork();
  }

  @Override
  public boolean takesListeners() {
    return !of.loginExpired() && !of.hasLeft() && !of.audit().refusesWork();
  }

  @Override
  public boolean isLockedOut() {
    return of.lockout().isOn();
  }

  @Override
  public CallRules rules() {
    return of.policy().strictest(of.principal());
  }

  @Override
  public Share heldBytes() {
    return of.heldBytes();
  }

  @Override
  public Optional<JudgedMessage> answer() {
    TargetPolicy now = of.policy();
    CallRules rules = now.strictest(of.principal());
    return rules.looks()
        ? Optional.of(
            rules.replyOfClient(
                of.heldBytes(),
                seen -> of.knowledge().mayName(now, seen),
                of.proxies().upTo(rules.proxyLimit())))
        : Optional.empty();
  }

  @Override
  public void onReceived(SeenReference seen) {
    of.knowledge().onReceived(seen);
  }

  @Override
  public void onRefused(Objection objection) {
    of.lockout().onRefused(objection);
  }

  @Override
  public void warn(Logger log, String text, Object... arguments) {
    of.warn(log, text, arguments);
  }

  @Override
  public void warnRefused(Logger log, Refusal refusal, String target, String what) {
    of.warnRefused(log, refusal, target, what);
  }

  @Override
  public boolean records(AuditEvent event) {
    return of.audit().records(event);
  }

  @Override
  public String methodName(long hash) {
    return of.policy().methodName(hash, "");
  }

  @Override
  public AuditEntry entry(AuditEvent event) {
    return of.audit().entry(event);
  }

  @Override
  public void audit(AuditEntry entry) {
    of.audit().add(entry);
  }

  @Override
  public int gatewayCredit() {
    return of.streamCredit();
  }
}
