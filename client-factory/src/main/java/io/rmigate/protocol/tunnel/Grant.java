package io.rmigate.protocol.tunnel;

import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.Jrmp;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import java.util.Optional;

/**
 * Where a session was told that servers are, sealed by the gateway (PROTOCOL.md, section 12). The
 * agent keeps it and says the same to begin its next session with.
 *
 * @param endpoint as it stands in stubs
 * @param object the one at it that this is about; empty: all, unless one has a grant of its own
 * @param sealed for gateways; a bearer's token together with the login, so never to be logged
 */
@SuppressWarnings("ArrayRecordComponent") // wire bytes: identity, not value
public record Grant(EndpointId endpoint, Optional<ObjIdentifier> object, byte[] sealed)
    implements Frame {
  /** The longest that is sealed, in bytes. */
  public static final int MAX_SEALED_BYTES = 4096;

  private static final int WHOLE_ENDPOINT = 0x00;
  private static final int ONE_OBJECT = 0x01;

  @Override
  public FrameType type() {
    return FrameType.GRANT;
  }

  @Override
  public void encodeBody(FrameOutput out) {
    encodeSubject(out, endpoint, object);
    out.raw(sealed, 0, sealed.length);
  }

  private static void encodeSubject(
      FrameOutput out, EndpointId endpoint, Optional<ObjIdentifier> object) {
    out.text(endpoint.host());
    out.u16(endpoint.port());
    out.u8(object.isPresent() ? ONE_OBJECT : WHOLE_ENDPOINT);
    object.ifPresent(id -> out.raw(id.encode(), 0, Jrmp.OBJ_ID_BYTES));
  }

  /** What a grant is about, as on the wire: the seal is good for that only. */
  public static byte[] subject(EndpointId endpoint, Optional<ObjIdentifier> object) {
    FrameOutput out = new FrameOutput(64);
    encodeSubject(out, endpoint, object);
    return out.toByteArray();
  }

  static Grant decode(int stream, FrameInput in) throws ProtocolViolationException {
    EndpointId endpoint = ObjectList.endpoint(in);
    int subject = in.u8();
    if (subject > ONE_OBJECT) {
      throw new ProtocolViolationException(
          "expected a grant of an endpoint or an object, got 0x%02x".formatted(subject));
    }
    Optional<ObjIdentifier> object =
        subject == ONE_OBJECT
            ? Optional.of(ObjIdentifier.decode(in.bytes(Jrmp.OBJ_ID_BYTES), 0))
            : Optional.empty();
    if (in.remaining() == 0 || in.remaining() > MAX_SEALED_BYTES) {
      throw new ProtocolViolationException(
          "expected 1 to %d sealed bytes, got %d".formatted(MAX_SEALED_BYTES, in.remaining()));
    }
    return new Grant(endpoint, object, in.rest());
  }

  /** Says nothing of what is sealed. */
  @Override
  public String toString() {
    return "grant of "
        + endpoint
        + object.map(id -> " [" + id + "]").orElse("")
        + ", "
        + sealed.length
        + " bytes";
  }
}
