package io.rmigate.gateway.bridge;

import io.rmigate.gateway.bridge.marshal.Allowance;
import io.rmigate.gateway.bridge.marshal.AnswerClasses;
import io.rmigate.gateway.bridge.marshal.AnswerRefusedException;
import io.rmigate.gateway.bridge.marshal.CallWriter;
import io.rmigate.gateway.bridge.marshal.MethodHash;
import io.rmigate.gateway.bridge.marshal.Reply;
import io.rmigate.gateway.bridge.marshal.ReplyLimits;
import io.rmigate.gateway.bridge.marshal.ReplyReader;
import io.rmigate.gateway.bridge.marshal.ReplyRules;
import io.rmigate.gateway.relay.address.Target;
import io.rmigate.gateway.relay.own.BlockingCall;
import io.rmigate.gateway.relay.own.BlockingCalls;
import io.rmigate.gateway.relay.own.DeliveryStatus;
import io.rmigate.gateway.relay.own.OwnCallException;
import io.rmigate.gateway.relay.own.OwnCallFailure;
import io.rmigate.gateway.route.PolicyRefusal;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.message.LiveReference;
import io.rmigate.protocol.jrmp.message.RegistryCall;
import io.rmigate.protocol.tunnel.RegistryName;
import io.rmigate.soap.call.CallFailure;
import java.io.IOException;
import java.lang.reflect.Method;
import java.rmi.NoSuchObjectException;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;

/**
 * Makes single calls: finds the way, marshals, sends, waits, unmarshals, and says how it went.
 * Never calls twice. Thread-safe.
 */
final class RemoteCalls {
  /** A stub, and what its class is called. */
  private static final ReplyLimits OF_LOOKUPS = new ReplyLimits(1 << 20, 1_000, 20, 1);

  private final BlockingCalls calls;
  private final ReplyLimits limits;
  private final BridgeMeters meters;

  RemoteCalls(BlockingCalls calls, ReplyLimits limits, BridgeMeters meters) {
    this.calls = calls;
    this.limits = limits;
    this.meters = meters;
  }

  /** Writes a message. */
  private interface Message {
    void writeTo(BlockingCall call) throws IOException;
  }

  /**
   * The rules for the reply to one call.
   *
   * @param classes that the reply may contain
   * @param allowance memory for the reply
   */
  ReplyRules rules(AnswerClasses classes, Allowance allowance, long deadlineNanos) {
    return new ReplyRules(classes, limits, allowance, deadlineNanos);
  }

  /**
   * Calls a method.
   *
   * @param rules for the reply; made by {@link #rules}
   * @param holder holds the references in the result, before their server is told that they are
   *     held; false when it cannot
   */
  Object call(
      CallerContext account,
      BridgeReference callee,
      Method method,
      Object[] arguments,
      ReplyRules rules,
      Predicate<Collection<BridgeReference>> holder)
      throws CallFailure {
    EndpointId endpoint = callee.endpoint();
    ObjIdentifier object = callee.object();
    Target target = mayCall(account, endpoint, object, method);
    Reply reply =
        exchange(
            account,
            target,
            call -> CallWriter.write(call, object, method, arguments),
            method.getReturnType(),
            rules);
    if (reply instanceof Reply.Result result) {
      if (!result.references().isEmpty()) {
        result.references().forEach(r -> account.routes().learnObject(endpoint, target, r));
        if (!holder.test(result.references().stream().map(BridgeReference::of).toList())) {
          throw new CallFailure(
              CallFailure.Kind.ANSWER_REFUSED,
              endpoint
                  + " "
                  + method.getName()
                  + " returns references that cannot be held: beyond"
                  + " leases.max-objects, or at a server that is not permitted",
              null);
        }
        account.references().acknowledge(target, result.acknowledge());
      }
      return result.value();
    }
    throw thrown(reply, endpoint + " " + method.getName());
  }

  /**
   * Looks a name up.
   *
   * @return the only reference of the answer
   * @throws CallFailure of its own, since nothing has been called yet: UNREACHABLE, because of an
   *     {@link OwnCallException} when the registry was not reached; NOT_PERMITTED or TOO_MANY
   */
  LiveReference lookUp(
      CallerContext account, RegistryName name, AnswerClasses classes, long deadlineNanos)
      throws CallFailure {
    try {
      return askRegistry(account, name, classes, deadlineNanos);
    } catch (CallFailure failure) {
      if (failure.kind() == CallFailure.Kind.NOT_PERMITTED
          || failure.kind() == CallFailure.Kind.TOO_MANY) {
        throw failure;
      }
      throw new CallFailure(
          CallFailure.Kind.UNREACHABLE,
          "lookup of " + name + ": " + failure.getMessage(),
          failure.getCause());
    }
  }

  private LiveReference askRegistry(
      CallerContext account, RegistryName name, AnswerClasses classes, long deadlineNanos)
      throws CallFailure {
    Target registry = mayLookUp(account, name);
    meters.bridgeLookup();
    byte[] lookup = RegistryCall.lookup(name.name());
    Reply reply =
        exchange(
            account,
            registry,
            call -> call.write(lookup, 0, lookup.length),
            Remote.class,
            new ReplyRules(classes, OF_LOOKUPS, bytes -> true, deadlineNanos));
    if (reply instanceof Reply.Result result) {
      // While it is bound its registry holds it, so that no hold is needed here.
      account.references().acknowledge(registry, result.acknowledge());
      List<LiveReference> references = result.references();
      if (references.size() != 1) {
        throw new CallFailure(
            CallFailure.Kind.UNREACHABLE, name + " is bound to no object of its own", null);
      }
      account.routes().learn(name.registry(), references.get(0));
      return references.get(0);
    }
    throw thrown(reply, "its registry");
  }

  /**
   * The registry, if the name may be looked up there. What is known of a name counts only as long
   * as that is so.
   */
  Target mayLookUp(CallerContext account, RegistryName name) throws CallFailure {
    try {
      return account.routes().registry(name);
    } catch (PolicyRefusal refusal) {
      throw notPermitted(account, "lookups of " + name, refusal);
    }
  }

  private static Target mayCall(
      CallerContext account, EndpointId endpoint, ObjIdentifier object, Method method)
      throws CallFailure {
    try {
      return account.routes().object(endpoint, object, MethodHash.of(method));
    } catch (PolicyRefusal refusal) {
      throw notPermitted(account, "calls of " + method.getName() + " at " + endpoint, refusal);
    }
  }

  private Reply exchange(
      CallerContext account, Target target, Message message, Class<?> resultType, ReplyRules rules)
      throws CallFailure {
    try (BlockingCall call =
        calls.begin(
            account.who().caller(), target, rules.deadlineNanos(), rules.limits().bytes())) {
      write(message, call);
      Reply reply = ReplyReader.read(call.send(), resultType, rules);
      if (leavesConnectionClean(reply)) {
        call.answered();
      }
      return reply;
    } catch (OwnCallException failed) {
      throw failure(failed);
    } catch (IOException thrown) {
      AnswerRefusedException refused = AnswerRefusedException.of(thrown);
      boolean late = System.nanoTime() - rules.deadlineNanos() >= 0;
      throw late
          ? new CallFailure(
              CallFailure.Kind.TIMED_OUT,
              "the answer of " + target + " could not be read in time",
              refused)
          : new CallFailure(
              CallFailure.Kind.ANSWER_REFUSED,
              "the answer of " + target + " holds " + refused.getMessage(),
              refused);
    }
  }

  /** Classes of the publication may write themselves; when they throw, nothing has been sent. */
  private static void write(Message message, BlockingCall call)
      throws CallFailure, OwnCallException {
    try {
      message.writeTo(call);
    } catch (OwnCallException failed) {
      throw failed;
    } catch (IOException | RuntimeException | LinkageError | StackOverflowError unwritable) {
      throw new CallFailure(
          CallFailure.Kind.NOT_SENDABLE, "the arguments cannot be marshalled", unwritable);
    }
  }

  /** After some exceptions the server has not read all of the Call (JRMP.md 1.3). */
  private static boolean leavesConnectionClean(Reply reply) {
    return reply instanceof Reply.Result
        || (reply instanceof Reply.Thrown thrown
            && !(thrown.exception() instanceof RemoteException));
  }

  private static CallFailure thrown(Reply reply, String what) {
    if (reply instanceof Reply.Thrown thrown) {
      // A method that throws it itself has it wrapped by its server.
      return thrown.exception() instanceof NoSuchObjectException
          ? new CallFailure(
              CallFailure.Kind.UNREACHABLE, what + ": there is no such object", thrown.exception())
          : new CallFailure(
              CallFailure.Kind.THROWN,
              what + " threw a " + thrown.exception().getClass().getName(),
              thrown.exception());
    }
    AnswerRefusedException refusal = ((Reply.ThrownUnread) reply).refusal();
    String text = what + " threw an exception that is not let in, for it holds ";
    return new CallFailure(
        CallFailure.Kind.THROWN,
        text + refusal.getMessage(),
        new RemoteException("an exception that is not let in", refusal));
  }

  private static CallFailure failure(OwnCallException exception) {
    OwnCallFailure failure = exception.failure();
    CallFailure.Kind kind;
    if (failure.kind() == OwnCallFailure.Kind.OVERLOADED) {
      kind = CallFailure.Kind.TOO_MANY;
    } else if (failure.kind() == OwnCallFailure.Kind.NO_RETURN) {
      kind = CallFailure.Kind.ANSWER_REFUSED;
    } else if (failure.delivery() == DeliveryStatus.NOT_SENT) {
      kind = CallFailure.Kind.UNREACHABLE;
    } else if (failure.kind() == OwnCallFailure.Kind.LATE) {
      kind = CallFailure.Kind.TIMED_OUT;
    } else {
      kind = CallFailure.Kind.LOST;
    }
    return new CallFailure(kind, failure.text(), exception);
  }

  private static CallFailure notPermitted(
      CallerContext account, String what, PolicyRefusal refusal) {
    return new CallFailure(
        CallFailure.Kind.NOT_PERMITTED,
        account.who().name() + " is not permitted " + what + " by the gateway's policy (targets)",
        refusal);
  }

  /** Whether the object may be found elsewhere, and nothing has run where it was looked for. */
  static boolean isGone(CallFailure failure) {
    return failure.kind() == CallFailure.Kind.UNREACHABLE
        && (failure.getCause() instanceof OwnCallException
            || failure.getCause() instanceof NoSuchObjectException);
  }
}
