package io.rmigate.client.program.doctor;

import io.rmigate.client.transport.post.BodyTrial;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;

/** What was measured on the way to the gateway. */
final class LinkFindings {
  /** What tokens are given, one way or the other. */
  private static final Duration SKEW = Duration.ofSeconds(60);

  private static final Duration SOON = Duration.ofDays(14);

  private LinkFindings() {}

  static List<Finding> of(Observations facts, Clock clock) {
    List<Finding> found = new ArrayList<>();
    facts.idle().ifPresent(result -> idle(result, found));
    facts.body().ifPresent(result -> body(result, clock.instant(), found));
    return found;
  }

  private static void idle(IdleWatch.Result result, List<Finding> found) {
    if (result instanceof IdleWatch.Result.Open open) {
      found.add(
          Finding.good(
              "idle.open",
              "A connection on which nothing was said for " + text(open.after()) + " still works.",
              "Nothing cuts idle connections within that time. A link in use is silent for "
                  + text(open.heartbeat())
                  + " at most, so that only shorter limits matter; --idle measures longer."));
    } else if (result instanceof IdleWatch.Result.Closed closed) {
      cut(
          "idle.cut",
          "A connection on which nothing was said was closed after "
              + text(closed.after())
              + " ("
              + closed.how()
              + ").",
          closed.after(),
          closed.heartbeat(),
          found);
    } else if (result instanceof IdleWatch.Result.Dead dead) {
      cut(
          "idle.silently-cut",
          "A connection on which nothing was said for "
              + text(dead.after())
              + " carried nothing any more, and nobody had closed it.",
          dead.after(),
          dead.heartbeat(),
          found);
    } else if (result instanceof IdleWatch.Result.Unknown unknown) {
      found.add(
          Finding.note(
              "idle.unknown",
              "How long connections may be idle could not be measured: " + unknown.why() + ".",
              "Nothing is known about it.",
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
              "A box on the way (HTTP proxy, load balancer, NAT) cuts idle connections. A link in"
                  + " use is silent for "
                  + text(heartbeat)
                  + " at most and is not concerned.",
              ""));
      return;
    }
    found.add(
        Finding.warning(
            code,
            seen,
            "A box on the way (HTTP proxy, load balancer, NAT) cuts idle connections sooner than"
                + " the link says something: that may be silent for "
                + text(heartbeat)
                + ". Each cut costs a new connection; no call is lost by it.",
            "Set session.heartbeat: "
                + Math.max(1, after.toMillis() * 2 / 3_000) // room for what comes late
                + "s in the gateway's rmigate.yaml, or let that box wait for longer."));
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
                            "A request was answered before its body had come.",
                            "Nothing on the way collects whole bodies before it passes them on.")
                        : Finding.note(
                            "body.buffered",
                            "A request was answered only when its whole body had come.",
                            "A box on the way collects bodies before it passes them on. POST is"
                                + " made for that; large arguments take a little longer.",
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
                        "Certificates and tokens are judged by these clocks: a token may be refused"
                            + " as expired, or as not valid yet.",
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
                        "After that nobody gets through any more.",
                        "Have it renewed."));
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
