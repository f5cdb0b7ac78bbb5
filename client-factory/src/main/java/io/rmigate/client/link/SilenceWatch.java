package io.rmigate.client.link;

import io.rmigate.client.transport.Transport;
import io.rmigate.client.transport.net.Networks;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The watch over the silence of one link while something waits for the gateway. Silence for as long
 * as {@link #SHORTEST}, or {@link #ROUND_TRIPS} round trips if these take longer, leads to a
 * heartbeat, the probe. If nothing comes for as long again the session tries a {@link
 * SecondConnection}. A server that takes long for a call is no silence: the gateway answers the
 * probe.
 *
 * <p>A new network of this machine, and a clock that shows that the process was suspended, lead to
 * a probe at once. While a call waits for long each answered probe doubles the silence before the
 * next one. What the link has to carry before it can answer counts, too: see {@link SendingTime}.
 *
 * <p>A busy gateway answers late, and makes a second connection needless. Each needless connection
 * doubles the silence that leads to the next one.
 *
 * <p>Confined to the timer, except {@link #cancel}. {@link LinkHeartbeat} owns it, and makes it
 * when a wait has lasted.
 */
final class SilenceWatch {
  /** The shortest silence that leads to a probe. */
  static final Duration SHORTEST = Duration.ofMillis(500);

  /** Silence in round trips: a busy link or gateway takes longer than the shortest round trip. */
  static final int ROUND_TRIPS = 4;

  /** How long a probe in a new network may stay unanswered, if round trips are shorter. */
  private static final long NEW_NETWORK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private static final int NEW_NETWORK_ROUND_TRIPS = 2;

  /** How often second connections that were not needed may double the patience. */
  private static final int MOST_DOUBLINGS = 4;

  /** A look that comes later than this shows that the process was suspended. */
  private static final long SUSPENDED_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** A wait that begins so soon after a probe was sent is taken for the probe, not for a call. */
  private static final long OWN_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private static final long EARLIEST_LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  /** An answered probe, coded or not, has no more bytes than this. */
  private static final int PROBE_BYTES = 64;

  private final Link link;
  private final Carrier carrier;
  private final LinkCoding coding;
  private final Resumption resumption;
  private final long longestNanos;
  private final SendingTime sending = new SendingTime();

  /** The connection that is watched; null at first. */
  private Transport watched;

  /** The {@link Transport#arrivals} of {@link #watched} at the latest look. */
  private long arrivals;

  /** Time of the latest look that has seen more arrivals without a read, or of the connection. */
  private long arrivedNanos;

  private long readNanos;

  /** Start of the wait that is watched. */
  private long askedNanos;

  /** How many probes in a row have brought nothing but their answers. */
  private int answered;

  private boolean isProbed;
  private long probedNanos;
  private long patienceNanos;

  /** How many bytes had been received when the probe was sent. */
  private long receivedBefore;

  /** The time of the latest sign of life that a look at the networks has followed. */
  private long networksNanos;

  private String network;

  /** Time of the next look; 0 when none is planned. */
  private long dueNanos;

  /** How often in a row a second connection was not needed; each time doubles the patience. */
  private int needless;

  /** Null while none is needed. Written by the timer, and read by any thread. */
  private volatile SecondConnection second;

  /**
   * @param longest between two probes
   * @param network in which the link was opened, see {@link Networks#ofThisMachine}
   */
  SilenceWatch(
      Link link,
      Carrier carrier,
      LinkCoding coding,
      Resumption resumption,
      Duration longest,
      String network) {
    this.link = link;
    this.carrier = carrier;
    this.coding = coding;
    this.resumption = resumption;
    this.longestNanos = longest.toNanos();
    this.network = network;
  }

  /** The gateway has answered a heartbeat, or the link has ended. From any thread; never waits. */
  void cancel() {
    SecondConnection running = second;
    if (running != null) {
      running.cancel();
    }
  }

  /** How long a link with such round trips may be silent. */
  static long silenceNanos(long roundTripNanos) {
    return Math.max(SHORTEST.toNanos(), ROUND_TRIPS * roundTripNanos);
  }

  /** Resets the watch, because no wait for the gateway is left. */
  void rest() {
    isProbed = false;
    answered = 0;
    dueNanos = 0;
    cancelSecond();
  }

  /**
   * Looks at the silence.
   *
   * @param asked when the latest wait began
   * @return after how many nanoseconds to look again
   */
  long look(long now, long asked) {
    long next = Math.max(EARLIEST_LOOK_NANOS, next(now, asked));
    dueNanos = now + next;
    return next;
  }

  private long next(long now, long asked) {
    boolean suspended = dueNanos != 0 && now - dueNanos > SUSPENDED_NANOS;
    Optional<Transport> connection = carrier.connection();
    if (connection.isEmpty()) {
      isProbed = false;
      return silenceNanos(link.roundTripNanos()); // the resumer works
    }
    if (asked != askedNanos) {
      askedNanos = asked;
      boolean isProbe = asked - probedNanos >= 0 && asked - probedNanos < OWN_NANOS;
      answered = isProbe ? answered : 0;
    }
    long heard = heard(now, connection.get());
    if (!coding.isWaiting()) {
      sending.onAnswered(now);
    }
    long sent = sending.endNanos(now, carrier.position(), carrier.unconfirmed(), roundTrip());
    if (sending.wantsHeartbeat(now)) {
      sending.onHeartbeat(now);
      link.outbound().sendLater(coding.heartbeat());
    }
    if (isProbed && heard - probedNanos > 0) {
      onAnswered();
    }
    if (isProbed && !suspended) {
      long silence = now - Math.max(probedNanos, sent);
      if (silence < patienceNanos) {
        return patienceNanos - silence;
      }
      beginSecond(now - heard);
      return silenceNanos(roundTrip());
    }
    long silent = silenceNanos(roundTrip()) << needless;
    long allowed = Math.max(silent, Math.min(silent << Math.min(answered, 16), longestNanos));
    long silence = now - Math.max(Math.max(heard, asked), sent);
    boolean isLookDue = heard != networksNanos && (suspended || silence >= silent / 2);
    if (isLookDue && isInNewNetwork()) {
      probe(now, Math.max(NEW_NETWORK_NANOS, NEW_NETWORK_ROUND_TRIPS * roundTrip()));
      return patienceNanos;
    }
    if (isLookDue) {
      networksNanos = heard;
    }
    if (suspended || silence >= allowed) {
      probe(now, silent);
      return patienceNanos;
    }
    return (heard == networksNanos ? allowed : silent / 2) - silence;
  }

  private long roundTrip() {
    return link.roundTripNanos();
  }

  /** Time of the latest sign of life. */
  private long heard(long now, Transport from) {
    long arrived = from.arrivals();
    long read = link.inbound().lastReadNanos();
    if (from != watched) {
      watched = from;
      isProbed = false;
      answered = 0;
      needless = 0;
      second = null;
      sending.begin(now, carrier.position(), carrier.unconfirmed());
      arrivedNanos = carrier.upSinceNanos();
    } else if (arrived != arrivals && read == readNanos) {
      arrivedNanos = now; // a part of what can be read later
    }
    arrivals = arrived;
    readNanos = read;
    return Math.max(read, Math.max(arrivedNanos, carrier.upSinceNanos()));
  }

  private boolean isInNewNetwork() {
    String current = Networks.ofThisMachine();
    boolean changed = network != null && !current.equals(network);
    network = current;
    return changed;
  }

  /** Another look at the networks of this machine has found these. */
  void onNetwork(String current) {
    network = current;
  }

  private void probe(long now, long patience) {
    isProbed = true;
    probedNanos = now;
    patienceNanos = patience;
    receivedBefore = carrier.received();
    link.outbound().sendLater(coding.heartbeat());
  }

  private void onAnswered() {
    isProbed = false;
    answered = carrier.received() - receivedBefore > PROBE_BYTES ? 0 : answered + 1;
    cancelSecond();
  }

  private void cancelSecond() {
    if (second != null) {
      second.cancel();
      second = null;
      needless = Math.min(needless + 1, MOST_DOUBLINGS);
    }
  }

  private void beginSecond(long silence) {
    if (second == null || second.isOver()) {
      second = SecondConnection.begin(link, carrier, resumption, watched, silence);
    }
  }
}
