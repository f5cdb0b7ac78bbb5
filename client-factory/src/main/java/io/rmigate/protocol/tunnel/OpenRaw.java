package io.rmigate.protocol.tunnel;

import io.rmigate.protocol.ProtocolViolationException;
import java.time.Duration;

/**
 * Opens a stream that carries bytes both ways, not JRMP messages. The gateway connects at once; its
 * first {@link Data}, which may be empty, says that it has, and {@link Refused}, with the number 0,
 * that it has not.
 *
 * @param host never resolved on the agent's side
 * @param port 1 to 65535
 * @param connectTimeout how long the agent would wait for a connection; zero: as the gateway
 *     pleases
 */
public record OpenRaw(int stream, String host, int port, Duration connectTimeout) implements Frame {

  /** In place of the number of a request, of which a raw stream has none. */
  public static final long NO_REQUEST = 0;

  private static final long MAX_MILLIS = Integer.MAX_VALUE;

  @Override
  public FrameType type() {
    return FrameType.OPEN_RAW;
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
  }

  static OpenRaw decode(int stream, FrameInput in) throws ProtocolViolationException {
    String host = in.text();
    int port = in.u16();
    if (host.isEmpty() || port == 0) {
      throw new ProtocolViolationException("expected a host and a port from 1, got none");
    }
    return new OpenRaw(stream, host, port, Duration.ofMillis(in.varlong(MAX_MILLIS)));
  }
}
