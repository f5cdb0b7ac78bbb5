package io.rmigate.client.program.doctor;

import io.rmigate.client.transport.post.BodyTrial;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;

/** The findings from the measurements on the way to the gateway. */
final class LinkFindings {
  /** The clock difference that tokens tolerate, in either direction. */
  private static final Duration SKEW = Duration.ofSeconds(60);

  private static final Duration SOON = Duration.ofDays(14);

  private LinkFindings() {}

  static List<Finding> of(Observations facts, Clock clock) {
    List<Finding> found = new ArrayList<>();
    facts.trials().idle().ifPresent(result -> idle(result, found));
    facts.trials().body().ifPresent(result -> body(result, clock.instant(), found));
    return found;
  }

  private static void idle(IdleProbe.Result result, List<Finding> found) {
    if (result instanceof IdleProbe.Result.Open open) {
      found.add(
          Finding.good(
              "idle.open",
              "A connection that was idle for " + text(open.after()) + " still works.",
              "No device on the way cuts idle connections within that time. A link in use is"
                  + " silent for "
                  + text(open.heartbeat())
                  + " at most, so only shorter limits matter; --idle measures for longer."));
    } else if (result instanceof IdleProbe.Result.Closed closed) {
      cut(
          "idle.cut",
          "An idle connection was closed after "
              + text(closed.after())
              + " ("
              + closed.how()
              + ").",
          closed.after(),
          closed.heartbeat(),
          found);
    } else if (result instanceof IdleProbe.Result.Dead dead) {
      cut(
          "idle.silently-cut",
          "A connection that was idle for "
              + text(dead.after())
              + " carried no more data, although neither side had closed it.",
          dead.after(),
          dead.heartbeat(),
          found);
    } else if (result instanceof IdleProbe.Result.Unknown unknown) {
      found.add(
          Finding.note(
              "idle.unknown",
              "How long connections may be idle could not be measured: " + unknown.why() + ".",
              "The idle limits of this network are unknown.",
              ""));
    }
  }

  private static void cut(
      String code, String seen, Duration after, Duration heartbeat, List<Finding> found) {
    if (after.compareTo(heartbeat) > 0) {
      found.add(
          Finding.note(
              code,
              seen,
              "A device on the way (HTTP proxy, load balancer, NAT) cuts idle connections. A link"
                  + " in use is silent for "
                  + text(heartbeat)
                  + " at most and is not affected.",
              ""));
      return;
    }
    found.add(
        Finding.warning(
            code,
            seen,
            "A device on the way (HTTP proxy, load balancer, NAT) cuts idle connections before the"
                + " link sends its next heartbeat, which may take "
                + text(heartbeat)
                + ". Each cut costs a new connection; no call is lost.",
            "Set session.heartbeat: "
                + Math.max(1, after.toMillis() * 2 / 3_000) // room for what comes late
                + "s in the gateway's rmigate.yaml, or raise the idle limit of that device."));
  }

  private static void body(BodyTrial.Result result, Instant now, List<Finding> found) {
    result
        .streamed()
        .ifPresent(
            streamed ->
                found.add(
                    streamed
                        ? Finding.good(
                            "body.streamed",
                            "A request was answered before its whole body had been sent.",
                            "No device on the way buffers request bodies.")
                        : Finding.note(
                            "body.buffered",
                            "A request was answered only after its whole body had been sent.",
                            "A device on the way buffers request bodies before it forwards them."
                                + " POST is made for that; large arguments take a little longer.",
                            "")));
    result
        .date()
        .ifPresent(
            date -> {
              Duration skew = Duration.between(now, date);
              if (skew.abs().compareTo(SKEW) > 0) {
                found.add(
                    Finding.warning(
                        "clock.skew",
                        "The clock at the gateway is "
                            + text(skew.abs())
                            + (skew.isNegative() ? " behind" : " ahead of")
                            + " that of this machine.",
                        "Certificates and tokens are checked against these clocks: a token may be"
                            + " refused as expired, or as not valid yet.",
                        "Set the clocks right (NTP)."));
              }
            });
    result
        .certificate()
        .ifPresent(
            certificate -> {
              Instant end = certificate.getNotAfter().toInstant();
              if (end.isBefore(now.plus(SOON))) {
                found.add(
                    Finding.warning(
                        "tls.expires",
                        "The certificate of "
                            + certificate.getSubjectX500Principal().getName()
                            + " is valid until "
                            + end.atOffset(ZoneOffset.UTC).toLocalDate()
                            + ".",
                        "From that day on no client can connect.",
                        "Renew the certificate."));
              }
            });
  }

  /** {@code 7.5 s}. */
  static String text(Duration duration) {
    long millis = duration.toMillis();
    if (millis >= 10_000 || millis % 1000 == 0) {
      return millis / 1000 + " s";
    }
    return millis >= 1000
        ? "%d.%d s".formatted(millis / 1000, millis % 1000 / 100)
        : millis + " ms";
  }
}
