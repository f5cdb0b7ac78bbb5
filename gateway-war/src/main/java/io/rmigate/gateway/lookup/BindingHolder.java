package io.rmigate.gateway.lookup;

import io.rmigate.gateway.relay.Target;
import io.rmigate.protocol.jrmp.LiveReference;
import io.rmigate.protocol.tunnel.Frame;
import io.rmigate.protocol.tunnel.RegistryName;
import java.util.List;

/** A session that holds bindings. Called under the lock of {@link RegistryWatch}: only queues. */
public interface BindingHolder {

  /** Whose session it is. */
  String principal();

  /** Whether the session may still look that up there, by the policy in force. */
  boolean maySee(RegistryName name, Target registry);

  /** Equal to the one before as long as {@link #maySee} says the same of everything. Cheap. */
  Object view();

  /** The session is about to be told of these references, which a registry has handed out. */
  void learn(Target registry, List<LiveReference> references);

  /** Queues a frame for the agent. */
  void queue(Frame frame);

  /** Lets leave what has been queued. Called without locks. */
  void flush();
}
