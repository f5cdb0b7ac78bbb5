package io.rmigate.gateway.lookup;

import io.rmigate.gateway.policy.WholeReply;
import io.rmigate.gateway.relay.address.Target;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.message.LiveReference;
import io.rmigate.protocol.tunnel.Frame;
import io.rmigate.protocol.tunnel.RegistryName;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A session that holds bindings. Called under the lock of {@link RegistryWatch}: only queues. */
public interface BindingHolder {

  /** Whose session it is. */
  String principal();

  /** Whose share of what looks names up its lookups take; equal to itself. */
  Object payer();

  /** Whether the session may still look that up there, by the policy in force. */
  boolean maySee(RegistryName name, Target registry);

  /** Equal to the one before as long as {@link #maySee} says the same of everything. Cheap. */
  Object view();

  /**
   * What the session is told in place of a registry's Return, which may not pass; empty when it
   * may. Each that may not has been noted where refusals are.
   *
   * @param name as the agent names what was looked up
   * @param registry where that was
   * @param reply the Return, all of it
   */
  Optional<String> refusal(RegistryName name, Target registry, WholeReply reply);

  /** A Return that may pass, as it goes on to the session; not to be changed. */
  byte[] message(RegistryName name, Target registry, WholeReply reply);

  /**
   * Has a Return judged for which {@link #refusal} will be asked, so that it takes no time there.
   * Called without locks.
   */
  void judge(RegistryName name, Target registry, WholeReply reply);

  /**
   * The session is about to be told of these references, which a registry has handed out.
   *
   * @param name as the agent names what was looked up
   * @param registry where that was
   * @param interfaces of the stubs, by object
   */
  void learn(
      RegistryName name,
      Target registry,
      List<LiveReference> references,
      Map<ObjIdentifier, List<String>> interfaces);

  /** Queues a frame for the agent. */
  void queue(Frame frame);

  /** Lets leave what has been queued. Called without locks. */
  void flush();
}
