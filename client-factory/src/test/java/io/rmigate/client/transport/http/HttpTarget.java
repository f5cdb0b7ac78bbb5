package io.rmigate.client.transport.http;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/** What gateways, HTTP proxies and servers of PAC files answer: head, body, ways to log in. */
public final class HttpTarget {
  private static final int MAX_BODY_BYTES = 1024;

  /** Sees the same at once and byte by byte, and no line break in what is said of it. */
  public static void fuzzerTestOneInput(byte[] input) {
    String whole = read(new ByteArrayInputStream(input));
    String pieces = read(new ByteByByte(input));
    if (!whole.equals(pieces)) {
      throw new IllegalStateException(whole + " at once, in pieces " + pieces);
    }
  }

  private static String read(InputStream in) {
    try {
      HttpHead head = HttpHead.read(in, "peer");
      expectOneLine(head.statusLine());
      List<HttpChallenge> challenges = HttpChallenge.parse(head.all("proxy-authenticate"));
      HttpBody body = HttpBody.read(head, in, MAX_BODY_BYTES, "peer");
      if (body.bytes().remaining() > MAX_BODY_BYTES + 1) {
        throw new IllegalStateException("more than was asked for: " + body);
      }
      return head.statusLine()
          + head.fields()
          + head.keepsAlive()
          + head.isWebPage()
          + challenges
          + body.whole()
          + body.framed()
          + body.text();
    } catch (IOException none) {
      expectOneLine(none.getMessage());
      return "none";
    }
  }

  private static void expectOneLine(String text) {
    if (text.chars().anyMatch(Character::isISOControl)) {
      throw new IllegalStateException("for people: " + text);
    }
  }

  /** As slow networks are. */
  private static final class ByteByByte extends ByteArrayInputStream {
    ByteByByte(byte[] bytes) {
      super(bytes);
    }

    @Override
    public synchronized int read(byte[] target, int offset, int length) {
      return super.read(target, offset, Math.min(1, length));
    }
  }

  private HttpTarget() {}
}
