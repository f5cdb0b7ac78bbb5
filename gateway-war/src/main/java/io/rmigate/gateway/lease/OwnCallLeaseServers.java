package io.rmigate.gateway.lease;

import io.rmigate.gateway.relay.address.Target;
import io.rmigate.gateway.relay.own.OwnCallListener;
import io.rmigate.gateway.relay.own.OwnCalls;
import io.rmigate.protocol.jrmp.Jrmp;
import io.rmigate.protocol.jrmp.VmIdentifier;
import io.rmigate.protocol.jrmp.message.DgcCall;
import java.time.Duration;

/**
 * The real servers.
 *
 * @param ackWithin the longest it may take to send a DgcAck
 */
public record OwnCallLeaseServers(OwnCalls calls, Duration ackWithin) implements LeaseServers {

  @Override
  public void call(
      Object payer, Target target, DgcCall call, Duration within, OwnCallListener listener) {
    OwnCalls.Result result =
        call instanceof DgcCall.Dirty ? OwnCalls.Result.OBJECT : OwnCalls.Result.NO_OBJECT;
    calls.call(client(call), payer, target, call.encode(), result, within, listener);
  }

  @Override
  public void acknowledge(
      Object payer, VmIdentifier client, Target target, byte[] acknowledged, Runnable whenOver) {
    byte[] message = new byte[1 + Jrmp.UID_BYTES];
    message[0] = Jrmp.DGC_ACK;
    System.arraycopy(acknowledged, 0, message, 1, Jrmp.UID_BYTES);
    calls.send(client, payer, target, message, ackWithin, whenOver);
  }

  /** Each session has its own, and so its share of what a server can take. */
  private static Object client(DgcCall call) {
    return call instanceof DgcCall.Dirty dirty
        ? dirty.client().orElseThrow()
        : ((DgcCall.Clean) call).client();
  }
}
