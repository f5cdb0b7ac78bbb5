package io.rmigate.perf.papers;

import io.rmigate.perf.link.Crossing;
import io.rmigate.perf.link.Direction;
import io.rmigate.protocol.tunnel.FrameType;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Which frames of the link protocol the mediators' bytes are, WebSocket framing apart. Coded frames
 * are one kind: what is in them cannot be seen from outside. Not thread-safe.
 */
final class FrameAccount {
  /** Under which WebSocket's own bytes are counted. */
  static final String WEB_SOCKET = "WebSocket framing";

  private final Map<String, Share> shares = new LinkedHashMap<>();
  private final Side up = new Side(true);
  private final Side down = new Side(false);

  private FrameAccount() {}

  /** The account of one connection's packets after the upgrade and the welcome. */
  static Map<String, Share> of(List<Crossing> crossings) {
    FrameAccount account = new FrameAccount();
    for (Crossing crossing : crossings) {
      (crossing.direction() == Direction.UP ? account.up : account.down).take(crossing.bytes());
    }
    return account.shares;
  }

  /** One direction: bytes of WebSocket frames, and in their payload bytes of our frames. */
  private final class Side {
    private final boolean isUp;

    /** A frame's header as far as it has come: WebSocket's and ours. */
    private byte[] webSocketHeader = new byte[0];

    private byte[] header = new byte[0];
    private byte[] mask = new byte[0];
    private long payloadLeft;
    private long payloadAt;
    private String type = "";
    private long bodyLeft;

    Side(boolean isUp) {
      this.isUp = isUp;
    }

    void take(byte[] bytes) {
      for (byte next : bytes) {
        if (payloadLeft == 0) {
          count(WEB_SOCKET);
          webSocketHeader = append(webSocketHeader, next);
          readWebSocketHeader();
        } else {
          payloadLeft--;
          takePayload(mask.length == 0 ? next : (byte) (next ^ mask[(int) (payloadAt++ % 4)]));
        }
      }
    }

    /** RFC 6455 5.2. */
    private void readWebSocketHeader() {
      if (webSocketHeader.length < 2) {
        return;
      }
      int small = webSocketHeader[1] & 0x7F;
      int lengthBytes = small == 127 ? 8 : small == 126 ? 2 : 0;
      int maskBytes = webSocketHeader[1] < 0 ? 4 : 0;
      if (webSocketHeader.length < 2 + lengthBytes + maskBytes) {
        return;
      }
      payloadLeft = lengthBytes == 0 ? small : 0;
      for (int i = 0; i < lengthBytes; i++) {
        payloadLeft = (payloadLeft << 8) | (webSocketHeader[2 + i] & 0xFF);
      }
      payloadAt = 0;
      mask = Arrays.copyOfRange(webSocketHeader, 2 + lengthBytes, 2 + lengthBytes + maskBytes);
      webSocketHeader = new byte[0];
    }

    /** PROTOCOL.md 5: type, stream, length, body. */
    private void takePayload(byte next) {
      if (bodyLeft > 0) {
        bodyLeft--;
        count(type);
        return;
      }
      header = append(header, next);
      int streamEnd = endOfVarint(1);
      int lengthEnd = streamEnd < 0 ? -1 : endOfVarint(streamEnd);
      if (lengthEnd < 0) {
        return;
      }
      type = name(header[0] & 0xFF);
      for (int i = lengthEnd - 1; i >= streamEnd; i--) {
        bodyLeft = (bodyLeft << 7) | (header[i] & 0x7F);
      }
      for (int i = 0; i < header.length; i++) {
        count(type);
      }
      header = new byte[0];
    }

    /** The index behind the number that begins at {@code at}; -1 when it is not complete. */
    private int endOfVarint(int at) {
      for (int i = at; i < header.length; i++) {
        if (header[i] >= 0) {
          return i + 1;
        }
      }
      return -1;
    }

    private void count(String what) {
      shares.merge(what, new Share(0, isUp ? 1 : 0, isUp ? 0 : 1), Share::plus);
    }
  }

  private static byte[] append(byte[] bytes, byte next) {
    byte[] longer = Arrays.copyOf(bytes, bytes.length + 1);
    longer[bytes.length] = next;
    return longer;
  }

  private static String name(int code) {
    return Arrays.stream(FrameType.values())
        .filter(type -> type.code() == code)
        .map(FrameType::name)
        .findFirst()
        .orElseGet(() -> String.format(Locale.ROOT, "frame 0x%02X", code));
  }
}
