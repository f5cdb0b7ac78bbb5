package io.rmigate.protocol.tunnel;

import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.Jrmp;
import java.util.HexFormat;

/**
 * The references of a Return are registered: the gateway tells its server so, once every {@link
 * Dirty} before this frame is in place.
 *
 * @param endpoint the server that returned them
 * @param acknowledged the Return's UID, {@link Jrmp#UID_BYTES} raw bytes
 */
@SuppressWarnings("ArrayRecordComponent") // wire bytes: identity, not value
public record DgcAck(EndpointId endpoint, byte[] acknowledged) implements Frame {

  @Override
  public FrameType type() {
    return FrameType.DGC_ACK;
  }

  @Override
  public String detail() {
    return toString();
  }

  @Override
  public void encodeBody(FrameOutput out) {
    out.text(endpoint.host());
    out.u16(endpoint.port());
    out.raw(acknowledged, 0, Jrmp.UID_BYTES);
  }

  static DgcAck decode(int stream, FrameInput in) throws ProtocolViolationException {
    return new DgcAck(ObjectList.endpoint(in), in.bytes(Jrmp.UID_BYTES));
  }

  /** For logs. */
  @Override
  public String toString() {
    return endpoint + " " + HexFormat.of().formatHex(acknowledged);
  }
}
