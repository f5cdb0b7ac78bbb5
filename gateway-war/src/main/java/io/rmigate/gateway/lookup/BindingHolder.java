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

  /** The principal of the session. */
  String principal();

  /** The key for the share of name lookups that its lookups take. */
  Object payer();

  /** Whether the session may still look that up there, by the policy in force. */
  boolean maySee(RegistryName name, Target registry);

  /** Equal to the one before as long as {@link #maySee} says the same of everything. Cheap. */
  Object view();

  /**
   * The text that the session is told in place of a refused Return of a registry; empty when it is
   * permitted. Refusals have been logged and audited.
   *
   * @param name as the agent names what was looked up
   * @param registry where that was
   * @param reply the Return, all of it
   */
  Optional<String> refusal(RegistryName name, Target registry, WholeReply reply);

  /** A Return that may pass, as it goes on to the session; not to be changed. */
  byte[] message(RegistryName name, Target registry, WholeReply reply);

  /**
   * Judges a Return before {@link #refusal} is asked, so that this takes no time under locks.
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

  /** Sends the queued frames. Called without locks. */
  void flush();
}
