package io.rmigate.gateway.stream;

import io.rmigate.gateway.limit.Caller;
import io.rmigate.gateway.login.Principal;
import io.rmigate.gateway.route.Route;
import io.rmigate.gateway.route.TargetPolicy;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** The principal of a session, and the state that decides about its next request. Thread-safe. */
public final class SessionStanding {
  private final String id;
  private final Principal principal;
  private final Supplier<TargetPolicy> policy;
  private final BooleanSupplier loginExpired;

  /** With the address of the latest connection. */
  private volatile Caller caller;

  /**
   * @param id the public identifier of the session
   * @param peer address of its first connection
   * @param policy asked each time: a reload shows at once
   */
  public SessionStanding(
      String id,
      Principal principal,
      String peer,
      Supplier<TargetPolicy> policy,
      BooleanSupplier loginExpired) {
    this.id = id;
    this.principal = principal;
    this.policy = policy;
    this.loginExpired = loginExpired;
    comesFrom(peer);
  }

  /** The session goes on over a connection from that address. */
  public void comesFrom(String peer) {
    caller = Caller.of(principal, peer);
  }

  /** The public identifier of the session. */
  public String id() {
    return id;
  }

  public Principal principal() {
    return principal;
  }

  /** The caller that requests are counted for. */
  public Caller caller() {
    return caller;
  }

  /**
   * The policy in force now. A judge asks once for each call: see {@link Route.Permitted#policy}.
   */
  public TargetPolicy policy() {
    return policy.get();
  }

  /** Whether the proof of the login has ended: no new request may be let through. */
  public boolean loginExpired() {
    return loginExpired.getAsBoolean();
  }
}
