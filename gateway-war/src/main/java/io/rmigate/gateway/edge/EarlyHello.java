package io.rmigate.gateway.edge;

import io.rmigate.protocol.tunnel.Frame;
import io.rmigate.protocol.tunnel.FrameReader;
import io.rmigate.protocol.tunnel.Hello;
import io.rmigate.protocol.tunnel.SessionToken;
import io.rmigate.protocol.tunnel.Tunnel;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * The HELLO that an agent sends with its request to upgrade to WebSocket (PROTOCOL.md, section 4).
 *
 * <p>The header is taken whole or not at all. A header that an HTTP proxy has damaged, and one that
 * has anything but one HELLO for a new session, is ignored: the agent sends its HELLO as a frame
 * then. The token of a session is never taken from a header, because HTTP servers log headers.
 */
final class EarlyHello {
  /** Characters of the longest frame in Base64, without padding. */
  private static final int MAX_CHARS = (Tunnel.MAX_EARLY_HELLO_BYTES * 4 + 2) / 3;

  private EarlyHello() {}

  /** The bytes of the frame; empty when the request has none that can be taken. */
  static Optional<ByteBuffer> of(HttpServletRequest request) {
    List<String> values = Collections.list(request.getHeaders(Tunnel.HELLO_HEADER));
    if (values.size() != 1 || values.get(0).length() > MAX_CHARS) {
      return Optional.empty();
    }
    try {
      byte[] frame = Base64.getUrlDecoder().decode(values.get(0));
      return beginsSession(frame) ? Optional.of(ByteBuffer.wrap(frame)) : Optional.empty();
    } catch (IllegalArgumentException | IOException damaged) {
      return Optional.empty();
    }
  }

  /** Whether the bytes are one HELLO, which asks for a new session, and nothing else. */
  private static boolean beginsSession(byte[] bytes) throws IOException {
    List<Frame> frames = new ArrayList<>();
    FrameReader reader = new FrameReader(frames::add);
    reader.feed(bytes, 0, bytes.length);
    return reader.atFrameBoundary()
        && frames.size() == 1
        && frames.get(0) instanceof Hello hello
        && hello.session().equals(SessionToken.NONE)
        && hello.received() == 0;
  }
}
