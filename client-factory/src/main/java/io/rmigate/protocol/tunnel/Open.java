package io.rmigate.protocol.tunnel;

import io.rmigate.protocol.ProtocolViolationException;
import java.time.Duration;

/**
 * Opens a stream to a target. Needs no answer: requests may follow at once, and a target that
 * cannot be reached or is not allowed shows in a {@link Refused} for the request.
 *
 * @param host the literal host of the stub, never resolved on the agent's side
 * @param port 1 to 65535
 * @param connectTimeout how long the client's JVM would wait for a connection; zero: the gateway's
 *     limit
 * @param handshakeTimeout how long the client's JVM would wait for the ProtocolAck; zero: the
 *     gateway's limit
 */
public record Open(
    int stream, String host, int port, Duration connectTimeout, Duration handshakeTimeout)
    implements Frame {

  private static final long MAX_MILLIS = Integer.MAX_VALUE;

  @Override
  public FrameType type() {
    return FrameType.OPEN;
  }

  @Override
  public String detail() {
    return host + ":" + port;
  }

  @Override
  public void encodeBody(FrameOutput out) {
    out.text(host);
    out.u16(port);
    out.varint(connectTimeout.toMillis());
    out.varint(handshakeTimeout.toMillis());
  }

  static Open decode(int stream, FrameInput in) throws ProtocolViolationException {
    String host = in.text();
    int port = in.u16();
    if (host.isEmpty() || port == 0) {
      throw new ProtocolViolationException("expected a host and a port from 1, got none");
    }
    return new Open(
        stream,
        host,
        port,
        Duration.ofMillis(in.varlong(MAX_MILLIS)),
        Duration.ofMillis(in.varlong(MAX_MILLIS)));
  }
}
