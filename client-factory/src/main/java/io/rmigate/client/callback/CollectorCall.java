package io.rmigate.client.callback;

import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.jrmp.message.DgcCall;
import io.rmigate.protocol.jrmp.message.LeaseReturn;
import java.util.OptionalLong;

/**
 * A dirty or clean call of ours to the JVM that has exported what inner JVMs hold.
 *
 * @param call what is asked
 * @param outcome hears what has become of it, once
 */
public record CollectorCall(DgcCall call, Outcome outcome) {

  /** Hears what has become of a call, once. */
  @FunctionalInterface
  public interface Outcome {

    /**
     * The call was answered, or has failed.
     *
     * @param grantedMillis of a dirty that has succeeded
     */
    void settled(boolean answered, OptionalLong grantedMillis);
  }

  /** The call was answered by this message; an exceptional Return, or none at all, is a failure. */
  public void answered(byte[] message) {
    try {
      if (call instanceof DgcCall.Dirty) {
        LeaseReturn granted = LeaseReturn.decode(message, 0, message.length);
        outcome.settled(true, OptionalLong.of(granted.durationMillis()));
      } else {
        LeaseReturn.expectNothing(message, 0, message.length);
        outcome.settled(true, OptionalLong.empty());
      }
    } catch (ProtocolViolationException exceptional) {
      failed();
    }
  }

  /** The call was not answered, and never will be. */
  public void failed() {
    outcome.settled(false, OptionalLong.empty());
  }
}
