package io.rmigate.gateway.bridge;

import io.rmigate.gateway.bridge.marshal.ReplyLimits;
import io.rmigate.gateway.quota.Quota;
import io.rmigate.gateway.relay.own.BlockingSettings;

/**
 * The bounds of the bridge's own calls.
 *
 * @param calls bounds of connections and waiting calls
 * @param reply bounds of one reply
 * @param replyBytes bytes of the replies of all visits in progress, each of which becomes objects
 */
record BridgeLimits(BlockingSettings calls, ReplyLimits reply, Quota replyBytes) {
  static final BridgeLimits DEFAULTS =
      new BridgeLimits(BlockingSettings.DEFAULTS, ReplyLimits.DEFAULTS, RelayBridge.ANSWER_BYTES);
}
