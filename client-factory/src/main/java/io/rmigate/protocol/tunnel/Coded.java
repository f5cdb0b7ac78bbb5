package io.rmigate.protocol.tunnel;

/**
 * Frames in another form: undone, the body is further frames or parts of them, in their order. Only
 * with a coding that WELCOME has picked; never inside another one.
 *
 * @param fresh the coding's context starts anew; without a body: its sender has given it up
 * @param body at most {@link Tunnel#MAX_BODY_BYTES}; belongs to the record, not to be changed
 */
@SuppressWarnings("ArrayRecordComponent") // a view of wire bytes: identity, not value
public record Coded(boolean fresh, byte[] body) implements Frame {

  /** Length of the whole frame on the link, in bytes. */
  public int encodedBytes() {
    int length = body.length < 1 << 7 ? 1 : body.length < 1 << 14 ? 2 : 3;
    return 1 + 1 + length + body.length;
  }

  @Override
  public FrameType type() {
    return fresh ? FrameType.CODED_FRESH : FrameType.CODED;
  }

  @Override
  public String detail() {
    return body.length + " bytes";
  }

  @Override
  public void encodeBody(FrameOutput out) {
    out.raw(body, 0, body.length);
  }

  static Coded decode(int stream, FrameInput in) {
    return new Coded(false, in.rest());
  }

  static Coded decodeFresh(int stream, FrameInput in) {
    return new Coded(true, in.rest());
  }
}
