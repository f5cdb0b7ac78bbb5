package io.rmigate.gateway.view;

import io.rmigate.gateway.callback.CallbackCall;
import io.rmigate.gateway.callback.CallbackView;
import io.rmigate.gateway.lease.LeaseView;
import io.rmigate.gateway.limit.LockoutView;
import io.rmigate.gateway.lookup.WatchedView;
import io.rmigate.protocol.coding.CodingFigures;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.message.CallHeader;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/**
 * What the admin JSON and the metrics may see: immutable snapshots, taken without stopping anyone.
 */
public interface GatewayView {

  /** Live sessions, one snapshot each, oldest first. */
  List<SessionView> sessions();

  /**
   * Each Call that has gone to a server or a client's JVM, or waits for a connection to one, and
   * has no Return.
   */
  Stream<CallView> calls();

  /** Leases held for agents, one snapshot per session that holds an object or just did. */
  List<LeaseView> leaseTable();

  /** The ports at which the gateway listens for agents. */
  CallbackView callbackPorts();

  /** Names in watched registries, one row each. */
  List<WatchedView> watchedNames();

  /** Targets that have been used since the start, one snapshot each. */
  List<TargetView> targets();

  /** Callers that are locked out, one row each, oldest first. */
  List<LockoutView> lockouts();

  /**
   * A tunnel session.
   *
   * @param id public identifier, not the session's secret
   * @param peer address the link comes from
   * @param client what the agent says of itself: product version, JVM
   * @param bytesFromAgent as received, coded or not
   * @param bytesToAgent as sent, coded or not
   * @param saved what the agent says that it has saved
   */
  record SessionView(
      String id,
      String principal,
      String login,
      String peer,
      String client,
      Instant since,
      long bytesFromAgent,
      long bytesToAgent,
      long calls,
      CodingView coding,
      Savings saved,
      List<StreamView> streams) {}

  /**
   * A session's compression.
   *
   * @param name what was agreed on; {@code identity} means none
   * @param on whether the gateway codes what it sends now; the agent decides for itself
   */
  record CodingView(String name, boolean on, CodedView fromAgent, CodedView toAgent) {}

  /**
   * What has crossed a link coded, in one direction.
   *
   * @param ratio coded by uncoded, to three digits; 1 when nothing was coded
   */
  record CodedView(long uncodedBytes, long codedBytes, double ratio) {
    /** With the ratio that follows. */
    public static CodedView of(CodingFigures figures) {
      return new CodedView(
          figures.uncodedBytes(),
          figures.codedBytes(),
          Math.round(figures.ratio() * 1000) / 1000.0);
    }
  }

  /**
   * A stream: one tunnelled connection. {@code state} is a word of the relay's state machine.
   *
   * @param raw whether it carries what the gateway does not look into, and no calls
   */
  record StreamView(
      int id,
      String target,
      boolean raw,
      String state,
      long calls,
      long bytesToServer,
      long bytesToClient) {}

  /** The event that a Call waits for. */
  enum CallState {
    /** A connection to the server. */
    CONNECTING,
    /** The Return. */
    WAITING,
    /** The Return of a client's JVM, whose object an inner JVM calls. */
    CALLED_BACK,
    /** The Return of a client's JVM has come, and waits for leases on the objects in it. */
    BEHIND_LEASES,
    /** The answer to a web-service client's call, which belongs to no session. */
    WEB_SERVICE
  }

  /**
   * A Call without a Return.
   *
   * @param ageMillis since the gateway has had it
   * @param hung whether that is longer than it should be
   * @param target host and port; of a call to a client's object those of the gateway that its stub
   *     names; of a web-service client's call the path at which the object is published
   * @param caller of a call to a client's object, as {@code address:port}; else empty
   * @param object that is called; empty when that cannot be read
   * @param interfaces of the stub, as far as its registry handed it out in this session; else empty
   * @param operation −1 when {@code method} is a method's hash; else a number of old stubs, the
   *     registry's among them, and {@code method} their interface's hash
   * @param method 16 hexadecimal digits; empty when that cannot be read; of a web-service client's
   *     call the operation
   * @param principal whose session it is
   * @param session public identifier
   * @param stream even when the gateway has opened it, for a call to a client's object; 0 while
   *     that has none
   */
  record CallView(
      long ageMillis,
      boolean hung,
      CallState state,
      String target,
      String caller,
      String object,
      String interfaces,
      int operation,
      String method,
      String principal,
      String session,
      int stream) {

    public static CallView of(CallbackCall call, String principal, String session) {
      return new CallView(
          call.ageMillis(),
          false,
          call.answered() ? CallState.BEHIND_LEASES : CallState.CALLED_BACK,
          new EndpointId(call.host(), call.port()).toString(),
          call.peer(),
          call.header().map(header -> header.object().toString()).orElse(""),
          "",
          call.header().map(CallHeader::operation).orElse(-1),
          call.header().map(header -> HexFormat.of().toHexDigits(header.hash())).orElse(""),
          principal,
          session,
          call.stream());
    }

    /** The view of a call of a web-service client, which has only the path of its object. */
    public static CallView ofService(
        long ageMillis, String principal, String path, String operation) {
      return new CallView(
          ageMillis,
          false,
          CallState.WEB_SERVICE,
          "/services/" + path,
          "",
          "",
          "",
          -1,
          operation,
          principal,
          "",
          0);
    }

    CallView asHung() {
      return new CallView(
          ageMillis,
          true,
          state,
          target,
          caller,
          object,
          interfaces,
          operation,
          method,
          principal,
          session,
          stream);
    }
  }

  /** Totals of one target since the start of the gateway. {@code lastFailure} may be empty. */
  record TargetView(
      String target,
      int connections,
      long calls,
      long refused,
      long failures,
      String lastFailure) {}
}
