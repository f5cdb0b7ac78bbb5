package io.rmigate.protocol.tunnel;

import io.rmigate.protocol.ProtocolViolationException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;

/**
 * The gateway's answer to {@link Hello}: from here on the session is open.
 *
 * @param version the version spoken from here on
 * @param features those of the offered ones that the gateway takes
 * @param session the secret that names the session
 * @param received bytes of this session received so far; for a new one 0
 * @param streamCredit bytes that the agent may send on each stream before it is given more
 * @param maxStreams streams that may be open at a time
 * @param heartbeat the agent lets no longer time pass without sending a frame
 * @param coding the content coding of everything that follows, in both directions
 * @param properties what the gateway says of itself; unknown ones are ignored
 */
public record Welcome(
    int version,
    Set<Feature> features,
    SessionToken session,
    long received,
    int streamCredit,
    int maxStreams,
    Duration heartbeat,
    String coding,
    Map<String, String> properties)
    implements Frame {

  /** The coding that changes nothing. */
  public static final String IDENTITY = "identity";

  /** Property: the host name under which inner JVMs see the gateway. */
  public static final String INNER_HOST = "inner-host";

  /** Property: the public identifier of the session, for logs on both sides. */
  public static final String SESSION_ID = "session-id";

  /** Property: {@code true} if the gateway knows where servers are whose stubs name loopback. */
  public static final String MAPS_LOOPBACK = "maps-loopback";

  /** Property: how many {@link Bound} frames follow at once. */
  public static final String PRELOADED = "preloaded";

  /**
   * Property: for how many milliseconds a session outlives the loss of its link, and leases outlive
   * a session that has ended without a goodbye.
   */
  public static final String GRACE = "grace";

  private static final Duration DEFAULT_GRACE = Duration.ofMinutes(2);

  private static final long MAX_HEARTBEAT_MILLIS = Duration.ofDays(1).toMillis();

  public Welcome {
    features = Set.copyOf(features);
    properties = Map.copyOf(properties);
  }

  /** This welcome, to resume the session, of which {@code bytesReceived} have been received. */
  public Welcome resuming(long bytesReceived) {
    return new Welcome(
        version,
        features,
        session,
        bytesReceived,
        streamCredit,
        maxStreams,
        heartbeat,
        coding,
        properties);
  }

  /**
   * How long the session outlives the loss of its link, where it does, and its leases outlive it.
   */
  public Duration grace() {
    String millis = properties.get(GRACE);
    try {
      return millis == null
          ? DEFAULT_GRACE
          : Duration.ofMillis(Math.max(0, Long.parseLong(millis)));
    } catch (NumberFormatException unknown) {
      return DEFAULT_GRACE;
    }
  }

  @Override
  public FrameType type() {
    return FrameType.WELCOME;
  }

  @Override
  public String detail() {
    return "version %d features %s received %d credit %d streams %d heartbeat %s coding %s"
        .formatted(version, features, received, streamCredit, maxStreams, heartbeat, coding);
  }

  @Override
  public void encodeBody(FrameOutput out) {
    out.u8(version);
    out.varint(Feature.encode(features));
    session.encode(out);
    out.varint(received);
    out.varint(streamCredit);
    out.varint(maxStreams);
    out.varint(heartbeat.toMillis());
    out.text(coding);
    out.properties(properties);
  }

  static Welcome decode(int stream, FrameInput in) throws ProtocolViolationException {
    return new Welcome(
        in.u8(),
        Feature.decode(in.varint(Integer.MAX_VALUE)),
        SessionToken.decode(in),
        in.varlong(Long.MAX_VALUE),
        in.varint(Tunnel.MAX_CREDIT_BYTES),
        in.varint(Tunnel.MAX_STREAM),
        Duration.ofMillis(Math.max(1, in.varlong(MAX_HEARTBEAT_MILLIS))),
        in.text(),
        in.properties());
  }
}
