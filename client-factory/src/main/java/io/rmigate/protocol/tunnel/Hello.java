package io.rmigate.protocol.tunnel;

import io.rmigate.protocol.ProtocolViolationException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * First frame of the agent on every transport connection.
 *
 * @param minVersion lowest version the agent speaks
 * @param maxVersion highest version the agent speaks
 * @param features what the agent offers
 * @param session the session to resume; {@link SessionToken#NONE} for a new one
 * @param received bytes of that session received so far; 0 for a new one
 * @param streamCredit bytes that the gateway may send on each stream before it is given more
 * @param codings names of content codings that the agent can undo, best first
 * @param properties what the agent says of itself; unknown ones are ignored
 */
public record Hello(
    int minVersion,
    int maxVersion,
    Set<Feature> features,
    SessionToken session,
    long received,
    int streamCredit,
    List<String> codings,
    Map<String, String> properties)
    implements Frame {

  /**
   * Property: names that are going to be looked up, as {@code host:port/name}, separated by {@code
   * |}.
   */
  public static final String PRELOAD = "preload";

  private static final int MAX_CODINGS = 8;

  public Hello {
    features = Set.copyOf(features);
    codings = List.copyOf(codings);
    properties = Map.copyOf(properties);
  }

  /** This hello, to resume a session of which {@code bytesReceived} have been received. */
  public Hello resuming(SessionToken token, long bytesReceived) {
    return new Hello(
        minVersion, maxVersion, features, token, bytesReceived, streamCredit, codings, properties);
  }

  @Override
  public FrameType type() {
    return FrameType.HELLO;
  }

  @Override
  public String detail() {
    return "versions %d-%d features %s session %s received %d credit %d codings %s"
        .formatted(minVersion, maxVersion, features, session, received, streamCredit, codings);
  }

  @Override
  public void encodeBody(FrameOutput out) {
    out.u32(Tunnel.MAGIC);
    out.u8(minVersion);
    out.u8(maxVersion);
    out.varint(Feature.encode(features));
    session.encode(out);
    out.varint(received);
    out.varint(streamCredit);
    out.varint(codings.size());
    for (String coding : codings) {
      out.text(coding);
    }
    out.properties(properties);
  }

  static Hello decode(int stream, FrameInput in) throws ProtocolViolationException {
    int magic = in.u32();
    if (magic != Tunnel.MAGIC) {
      throw new ProtocolViolationException(
          "expected the magic 0x%08x, got 0x%08x".formatted(Tunnel.MAGIC, magic));
    }
    int minVersion = in.u8();
    int maxVersion = in.u8();
    Set<Feature> features = Feature.decode(in.varint(Integer.MAX_VALUE));
    SessionToken session = SessionToken.decode(in);
    long received = in.varlong(Long.MAX_VALUE);
    int streamCredit = in.varint(Tunnel.MAX_CREDIT_BYTES);
    int count = in.varint(MAX_CODINGS);
    List<String> codings = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      codings.add(in.text());
    }
    return new Hello(
        minVersion,
        maxVersion,
        features,
        session,
        received,
        streamCredit,
        codings,
        in.properties());
  }
}
