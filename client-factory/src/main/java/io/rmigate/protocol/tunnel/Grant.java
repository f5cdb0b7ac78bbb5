package io.rmigate.protocol.tunnel;

import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import java.util.List;

/**
 * Where a session was told that servers are, or which objects it was given, sealed by the gateway
 * (PROTOCOL.md, section 12). The agent keeps it and says the same to begin its next session with.
 *
 * @param endpoint as it stands in stubs
 * @param objects those at it that this is about, at most {@link #MAX_OBJECTS}; none: all, unless
 *     one has a grant of its own
 * @param sealed for gateways; a bearer's token together with the login, so never to be logged
 */
@SuppressWarnings("ArrayRecordComponent") // wire bytes: identity, not value
public record Grant(EndpointId endpoint, List<ObjIdentifier> objects, byte[] sealed)
    implements Frame {
  /** The longest that is sealed, in bytes. */
  public static final int MAX_SEALED_BYTES = 4096;

  /** The most objects that fit the body of a frame even if their ObjIDs have nothing in common. */
  public static final int MAX_OBJECTS = 400;

  private static final int WHOLE_ENDPOINT = 0x00;
  private static final int OBJECTS = 0x01;

  public Grant {
    objects = List.copyOf(objects);
  }

  @Override
  public FrameType type() {
    return FrameType.GRANT;
  }

  @Override
  public String detail() {
    return endpoint + ofObjects() + ", " + sealed.length + " bytes";
  }

  @Override
  public void encodeBody(FrameOutput out) {
    encodeSubject(out, endpoint, objects);
    out.raw(sealed, 0, sealed.length);
  }

  private static void encodeSubject(
      FrameOutput out, EndpointId endpoint, List<ObjIdentifier> objects) {
    if (objects.size() > MAX_OBJECTS) {
      throw new IllegalStateException(objects.size() + " objects");
    }
    out.text(endpoint.host());
    out.u16(endpoint.port());
    out.u8(objects.isEmpty() ? WHOLE_ENDPOINT : OBJECTS);
    if (!objects.isEmpty()) {
      PackedObjects.encode(out, objects);
    }
  }

  /** The subject of a grant, as on the wire: the seal is good for that only. */
  public static byte[] subject(EndpointId endpoint, List<ObjIdentifier> objects) {
    FrameOutput out = new FrameOutput(64);
    encodeSubject(out, endpoint, objects);
    return out.toByteArray();
  }

  static Grant decode(int stream, FrameInput in) throws ProtocolViolationException {
    EndpointId endpoint = ObjectList.endpoint(in);
    int subject = in.u8();
    if (subject > OBJECTS) {
      throw new ProtocolViolationException(
          "expected a grant of an endpoint or of objects, got 0x%02x".formatted(subject));
    }
    List<ObjIdentifier> objects =
        subject == OBJECTS ? PackedObjects.decode(in, MAX_OBJECTS) : List.of();
    if (in.remaining() == 0 || in.remaining() > MAX_SEALED_BYTES) {
      throw new ProtocolViolationException(
          "expected 1 to %d sealed bytes, got %d".formatted(MAX_SEALED_BYTES, in.remaining()));
    }
    return new Grant(endpoint, objects, in.rest());
  }

  /** Which objects, for people. */
  String ofObjects() {
    return switch (objects.size()) {
      case 0 -> "";
      case 1 -> " [" + objects.get(0) + "]";
      default -> " [" + objects.size() + " objects]";
    };
  }

  /** Says nothing of what is sealed. */
  @Override
  public String toString() {
    return "grant of " + endpoint + ofObjects() + ", " + sealed.length + " bytes";
  }
}
