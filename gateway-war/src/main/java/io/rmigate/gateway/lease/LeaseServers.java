package io.rmigate.gateway.lease;

import io.rmigate.gateway.relay.address.Target;
import io.rmigate.gateway.relay.own.OwnCallListener;
import io.rmigate.protocol.jrmp.VmIdentifier;
import io.rmigate.protocol.jrmp.message.DgcCall;
import java.time.Duration;

/** The servers inside, as far as leases concern them. Never calls back from within. */
public interface LeaseServers {

  /**
   * Makes one call of the distributed garbage collector.
   *
   * @param payer for whom
   * @param within the longest it may take
   * @param listener hears of it in any case
   */
  void call(Object payer, Target target, DgcCall call, Duration within, OwnCallListener listener);

  /**
   * Tells a server that the references of a Return are registered.
   *
   * @param payer for whom
   * @param client on whose behalf
   * @param acknowledged the Return's UID
   * @param whenOver called once, without locks, when this is written or never will be
   */
  void acknowledge(
      Object payer, VmIdentifier client, Target target, byte[] acknowledged, Runnable whenOver);
}
