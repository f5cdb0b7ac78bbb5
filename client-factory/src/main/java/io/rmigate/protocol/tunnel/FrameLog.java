package io.rmigate.protocol.tunnel;

import io.rmigate.protocol.LogText;
import io.rmigate.protocol.jrmp.EndpointId;
import java.util.Optional;

/**
 * One line per frame, for debugging the link by reading it.
 *
 * <pre>
 *   » #5   OPEN          inside.example:1099
 *   » #5   DATA_LAST     41 bytes
 *   « #5   DATA          22 bytes
 *   « #-   HEARTBEAT_ACK 7
 * </pre>
 *
 * {@code »} leaves, {@code «} comes; then the stream ({@code -} for the session), the type and what
 * matters of the body. Payload bytes, tokens and property values never show.
 */
public final class FrameLog {

  /** The line for {@code frame}; {@code outbound} as seen by the side that logs. */
  public static String line(boolean outbound, Frame frame) {
    String stream = frame.stream() == Tunnel.SESSION ? "-" : Integer.toString(frame.stream());
    return "%s #%-4s%-14s%s"
        .formatted(outbound ? "»" : "«", stream, frame.type(), LogText.of(detail(frame)))
        .stripTrailing();
  }

  private static String detail(Frame frame) {
    if (frame instanceof Hello hello) {
      return "versions %d-%d features %s session %s received %d credit %d codings %s"
          .formatted(
              hello.minVersion(),
              hello.maxVersion(),
              hello.features(),
              hello.session(),
              hello.received(),
              hello.streamCredit(),
              hello.codings());
    }
    if (frame instanceof Welcome welcome) {
      return "version %d features %s received %d credit %d streams %d heartbeat %s coding %s"
          .formatted(
              welcome.version(),
              welcome.features(),
              welcome.received(),
              welcome.streamCredit(),
              welcome.maxStreams(),
              welcome.heartbeat(),
              welcome.coding());
    }
    if (frame instanceof Goodbye goodbye) {
      return goodbye.cause() + " " + goodbye.text();
    }
    if (frame instanceof Heartbeat heartbeat) {
      return Long.toString(heartbeat.number());
    }
    if (frame instanceof HeartbeatAck ack) {
      return Long.toString(ack.number());
    }
    if (frame instanceof Ack ack) {
      return ack.received() + " bytes";
    }
    if (frame instanceof Drain drain) {
      return "within " + drain.within();
    }
    if (frame instanceof Report report) {
      return "plain %d trips %d bytes, link %d trips, saved %d lookups %d leases %d pings, holds %d"
          .formatted(
              report.plainRoundTrips(),
              report.plainBytes(),
              report.roundTrips(),
              report.lookups(),
              report.leaseCalls(),
              report.pings(),
              report.leases());
    }
    if (frame instanceof Leaving) {
      return "";
    }
    if (frame instanceof Open open) {
      return open.host() + ":" + open.port();
    }
    if (frame instanceof OpenRaw open) {
      return open.host() + ":" + open.port();
    }
    if (frame instanceof Data data) {
      return data.bytes().length + " bytes";
    }
    if (frame instanceof ReturnEnd end) {
      return "request " + end.request();
    }
    if (frame instanceof Refused refused) {
      return "request %d %s %s".formatted(refused.request(), refused.reason(), refused.text());
    }
    if (frame instanceof Credit credit) {
      return credit.moreBytes() + " bytes";
    }
    if (frame instanceof Close close) {
      return (close.cause() + " " + close.text()).stripTrailing();
    }
    if (frame instanceof Deadline deadline) {
      return "request %d %d ms".formatted(deadline.request(), deadline.time().toMillis());
    }
    if (frame instanceof Dirty dirty) {
      return objects(dirty.endpoint(), dirty.objects().size())
          + (dirty.number() == 0 ? "" : " asks " + dirty.number());
    }
    if (frame instanceof Clean clean) {
      return objects(clean.endpoint(), clean.objects().size());
    }
    if (frame instanceof DgcAck ack) {
      return ack.toString();
    }
    if (frame instanceof Leased leased) {
      return "%d %s %s".formatted(leased.number(), leased.outcome(), leased.text());
    }
    if (frame instanceof Lookup lookup) {
      return "%d %s%s".formatted(lookup.number(), lookup.name(), lookup.fresh() ? " fresh" : "");
    }
    if (frame instanceof Bound bound) {
      return "%d%s binding %d, %d bytes"
          .formatted(
              bound.number(), pushed(bound.pushed()), bound.binding(), bound.message().length);
    }
    if (frame instanceof Unbound unbound) {
      return "%d%s %s %s"
          .formatted(unbound.number(), pushed(unbound.pushed()), unbound.reason(), unbound.text());
    }
    if (frame instanceof Forgot forgot) {
      return "binding " + forgot.binding();
    }
    if (frame instanceof Listen listen) {
      return "%d port %d".formatted(listen.listener(), listen.port());
    }
    if (frame instanceof Listening listening) {
      return "%d %s port %d %s"
          .formatted(listening.listener(), listening.outcome(), listening.port(), listening.text());
    }
    if (frame instanceof Unlisten unlisten) {
      return Long.toString(unlisten.listener());
    }
    if (frame instanceof Accept accept) {
      return "%d stream %d from %s:%d"
          .formatted(
              accept.listener(),
              accept.opened(),
              accept.peer().getHostAddress(),
              accept.peerPort());
    }
    if (frame instanceof Hold hold) {
      return "%d %d objects".formatted(hold.listener(), hold.objects().size());
    }
    if (frame instanceof Release release) {
      return "%d %d objects".formatted(release.listener(), release.objects().size());
    }
    if (frame instanceof Grant grant) {
      return grant.endpoint() + grant.ofObjects() + ", " + grant.sealed().length + " bytes";
    }
    if (frame instanceof Coded coded) {
      return coded.body().length + " bytes";
    }
    if (frame instanceof Coding coding) {
      return coding.wanted() ? "on" : "off";
    }
    throw new AssertionError(frame.type());
  }

  private static String pushed(Optional<RegistryName> name) {
    return name.map(pushed -> " " + pushed).orElse("");
  }

  private static String objects(EndpointId endpoint, int count) {
    return endpoint + " " + count + " objects";
  }

  private FrameLog() {}
}
