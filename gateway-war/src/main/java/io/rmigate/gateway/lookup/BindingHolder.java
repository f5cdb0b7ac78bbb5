package io.rmigate.gateway.lookup;

import io.rmigate.protocol.jrmp.LiveReference;
import io.rmigate.protocol.tunnel.Frame;
import java.util.List;

/** A session that holds bindings. Called under the lock of {@link RegistryWatch}: only queues. */
public interface BindingHolder {

  /** Whether the session may still look that up, by the policy in force. */
  boolean maySee(Subscription subscription);

  /** The session is about to be told of these references. */
  void learn(Subscription subscription, List<LiveReference> references);

  /** Queues a frame for the agent. */
  void queue(Frame frame);

  /** Lets leave what has been queued. Called without locks. */
  void flush();

  /** Which number the next binding has for this session, from 1. */
  long nextBinding(Subscription subscription);
}
