package io.rmigate.gateway.session;

import io.rmigate.gateway.audit.AuditEntry;
import io.rmigate.gateway.audit.AuditEvent;
import io.rmigate.gateway.callback.CallbackLink;
import io.rmigate.gateway.login.Principal;
import io.rmigate.gateway.policy.CallRules;
import io.rmigate.gateway.policy.JudgedMessage;
import io.rmigate.gateway.policy.Refusal;
import io.rmigate.gateway.policy.rule.Objection;
import io.rmigate.gateway.policy.rule.RequiredPermissions;
import io.rmigate.gateway.quota.Share;
import io.rmigate.gateway.relay.RelayLoop;
import io.rmigate.gateway.route.TargetPolicy;
import io.rmigate.gateway.scan.SeenReference;
import io.rmigate.protocol.tunnel.Frame;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;

/**
 * A session, as its callbacks see it.
 *
 * @param hasLeft whether its agent has gone elsewhere
 * @param agentCredit as the agent has said in its hello
 */
record SessionCallbackLink(
    SessionContext of, BooleanSupplier hasLeft, RelayLoop loop, int agentCredit)
    implements CallbackLink {

  @Override
  public String session() {
    return of.standing().id();
  }

  @Override
  public Principal principal() {
    return of.standing().principal();
  }

  @Override
  public void learnPort(int port) {
    CallRules rules = of.standing().policy().strictest(of.standing().principal());
    if (rules.learns()) {
      rules
          .learned()
          .add(
              of.standing().principal().name(),
              RequiredPermissions.CALLBACKS,
              RequiredPermissions.callbackPort(port));
    }
  }

  @Override
  public void add(Frame frame) {
    of.add(frame);
  }

  @Override
  public long addData(int stream, ByteBuffer bytes) {
    return of.addData(stream, bytes);
  }

  @Override
  public boolean hasRoom(long lastBatch, Runnable whenRoom) {
    return of.hasRoom(lastBatch, whenRoom);
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
    of.send();
  }

  @Override
  public void behindDirties(Runnable then) {
    of.behindDirties(then);
  }

  @Override
  public boolean takesCalls() {
    return !of.standing().loginExpired()
        && !of.refusals().lockout().isOn()
        && !of.audit().refusesWork();
  }

  @Override
  public boolean takesListeners() {
    return !of.standing().loginExpired() && !hasLeft.getAsBoolean() && !of.audit().refusesWork();
  }

  @Override
  public boolean isLockedOut() {
    return of.refusals().lockout().isOn();
  }

  @Override
  public CallRules rules() {
    return of.standing().policy().strictest(of.standing().principal());
  }

  @Override
  public Share heldBytes() {
    return of.share().room().heldBytes();
  }

  @Override
  public Optional<JudgedMessage> answer() {
    TargetPolicy now = of.standing().policy();
    CallRules rules = now.strictest(of.standing().principal());
    return rules.looks()
        ? Optional.of(
            rules.replyOfClient(
                of.share().room().heldBytes(),
                seen -> of.knowledge().mayName(now, seen),
                of.share().proxies().upTo(rules.proxyLimit())))
        : Optional.empty();
  }

  @Override
  public void onReceived(SeenReference seen) {
    of.knowledge().onReceived(seen);
  }

  @Override
  public void onRefused(Objection objection) {
    of.refusals().lockout().onRefused(objection);
  }

  @Override
  public void warn(Logger log, String text, Object... arguments) {
    of.refusals().warn(log, text, arguments);
  }

  @Override
  public void warnRefused(Logger log, Refusal refusal, String target, String what) {
    of.refusals().warnRefused(log, refusal, target, what);
  }

  @Override
  public boolean records(AuditEvent event) {
    return of.audit().records(event);
  }

  @Override
  public String methodName(long hash) {
    return of.standing().policy().methodName(hash, "");
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
    return of.settings().credit();
  }
}
