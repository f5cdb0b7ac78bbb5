package io.rmigate.protocol.tunnel;

/**
 * JRMP bytes of one stream, without the connection preamble: from the stream's opener parts of
 * requests, towards it parts of Returns. Costs credit, one per byte.
 *
 * @param endOfRequest these bytes end a request (first read after a write); only from the opener
 * @param bytes at most {@link Tunnel#MAX_BODY_BYTES}; belongs to the record, not to be changed
 */
@SuppressWarnings("ArrayRecordComponent") // a view of wire bytes: identity, not value
public record Data(int stream, boolean endOfRequest, byte[] bytes) implements Frame {

  @Override
  public FrameType type() {
    return endOfRequest ? FrameType.DATA_LAST : FrameType.DATA;
  }

  @Override
  public String detail() {
    return bytes.length + " bytes";
  }

  @Override
  public void encodeBody(FrameOutput out) {
    out.raw(bytes, 0, bytes.length);
  }

  static Data decode(int stream, FrameInput in) {
    return new Data(stream, false, in.rest());
  }

  static Data decodeLast(int stream, FrameInput in) {
    return new Data(stream, true, in.rest());
  }
}
