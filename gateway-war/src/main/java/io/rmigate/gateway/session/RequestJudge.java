package io.rmigate.gateway.session;

import io.rmigate.gateway.mediator.RequestGate;
import io.rmigate.gateway.mediator.Verdict;
import io.rmigate.protocol.tunnel.CloseCause;
import io.rmigate.protocol.tunnel.Open;
import io.rmigate.protocol.tunnel.RefusalReason;
import io.rmigate.protocol.tunnel.Refused;
import java.util.Locale;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the login, the policy and the gate about each request of one stream, and does what they say:
 * sends it on, or tells the agent why not and the log how it could be allowed.
 *
 * <p>Guarded by {@link TunnelStream#lock()}.
 */
final class RequestJudge implements RequestGathering.Listener {
  private static final Logger LOG = LoggerFactory.getLogger(RequestJudge.class);

  private final TunnelSession session;
  private final TunnelStream stream;
  private final Open open;

  /** What policy says now; kept until policy changes. */
  private TargetPolicy permittedBy;

  private TargetPolicy.Permission permitted;

  RequestJudge(TunnelSession session, TunnelStream stream, Open open) {
    this.session = session;
    this.stream = stream;
    this.open = open;
  }

  @Override
  public void onWhole(byte[] request) {
    permission(request.length).ifPresent(permission -> judge(request, permission));
  }

  private void judge(byte[] request, TargetPolicy.Permission permission) {
    if (request.length == 0) {
      reject("expected a message, got an empty request");
      return;
    }
    apply(RequestGate.judge(request, permission.registry()), request, permission);
  }

  @Override
  public void onBeginning(byte[] beginning) {
    Optional<TargetPolicy.Permission> permission = permission(beginning.length);
    if (permission.isEmpty()) {
      stream.gathering().discardRest();
      return;
    }
    Verdict verdict =
        RequestGate.judgeBeginning(beginning, beginning.length, permission.get().registry());
    apply(verdict, beginning, permission.get());
  }

  @Override
  public void onRest(byte[] bytes) {
    stream.connections().sendIsolated(bytes);
  }

  @Override
  public void onDiscarded(int bytes) {
    stream.window().consumed(bytes);
  }

  /** What the target is permitted; when empty, the request of so many bytes has been refused. */
  private Optional<TargetPolicy.Permission> permission(int bytes) {
    if (session.loginExpired()) {
      session.meters().refused("login-expired");
      refuse(bytes, RefusalReason.TARGET_NOT_PERMITTED, "rmigate: " + TunnelSession.LOGIN_EXPIRED);
      return Optional.empty();
    }
    TargetPolicy policy = session.policy();
    if (permittedBy != policy) {
      permittedBy = null;
      Optional<TargetPolicy.Permission> permission =
          session.permission(policy, open.host(), open.port());
      if (permission.isEmpty()) {
        refuseTarget(bytes);
        return permission;
      }
      permittedBy = policy;
      permitted = permission.get();
    }
    return Optional.of(permitted);
  }

  private void apply(Verdict verdict, byte[] bytes, TargetPolicy.Permission permission) {
    if (verdict instanceof Verdict.Forward forward) {
      if (mayCall()) {
        stream.connections().forward(bytes, forward.registry(), permission);
      }
    } else if (verdict instanceof Verdict.Acknowledge) {
      stream.connections().acknowledge(bytes, permission);
    } else if (verdict instanceof Verdict.Isolate isolate) {
      if (mayCall()) {
        stream.connections().isolate(bytes, isolate.registry(), permission, isolate.reason());
      }
    } else if (verdict instanceof Verdict.Deny deny) {
      deny(deny, bytes.length);
    } else if (verdict instanceof Verdict.Reject reject) {
      reject(reject.reason());
    } else {
      throw new AssertionError(verdict);
    }
  }

  private boolean mayCall() {
    if (stream.returns().awaiting()) {
      reject("expected no Call while another one has not been answered");
      return false;
    }
    return true;
  }

  private void deny(Verdict.Deny deny, int bytes) {
    LOG.warn(
        "{}: {} of principal {} refused; to allow it add \"registry: [{}]\" to a targets entry",
        stream.target(),
        deny.operation(),
        session.principal(),
        deny.operation().name().toLowerCase(Locale.ROOT));
    session.meters().refused("registry-operation");
    stream.gathering().discardRest();
    refuse(
        bytes,
        RefusalReason.OPERATION_NOT_PERMITTED,
        "rmigate: this registry operation is not permitted by the gateway's policy");
  }

  private void refuseTarget(int bytes) {
    LOG.warn(
        "target {} refused to principal {}; to allow it add \"allow: ['{}']\" to a targets entry",
        stream.target(),
        session.principal(),
        stream.target());
    session.meters().refused("target");
    refuse(
        bytes,
        RefusalReason.TARGET_NOT_PERMITTED,
        "rmigate: " + stream.target() + " is not permitted by the gateway's policy");
  }

  private void refuse(int bytes, RefusalReason reason, String text) {
    stream.window().consumed(bytes);
    session.outbound().add(new Refused(stream.id(), stream.gathering().request(), reason, text));
    session.flush();
  }

  /** Nothing of it goes to a server; the agent's side is told why the stream ends. */
  private void reject(String reason) {
    LOG.warn("{} of principal {}: bad request: {}", stream.target(), session.principal(), reason);
    session.meters().refused("bad-request");
    stream.closeFromHere(CloseCause.BAD_REQUEST);
  }
}
