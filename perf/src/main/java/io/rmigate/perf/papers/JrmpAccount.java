package io.rmigate.perf.papers;

import io.rmigate.perf.link.Crossing;
import io.rmigate.perf.link.Direction;
import io.rmigate.protocol.jrmp.Jrmp;
import io.rmigate.protocol.jrmp.MessageEnd;
import io.rmigate.protocol.jrmp.MessageGrammar;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.message.CallHeader;
import java.io.ByteArrayOutputStream;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Where plain RMI's exchanges and bytes go: the paper's table. JRMP is half duplex, so that what
 * comes down on a connection belongs to the request before it. Not thread-safe.
 */
final class JrmpAccount {
  /** The paper's rows. Header, acknowledgement and ping are its "protocol overhead". */
  enum Kind {
    LOOKUP("registry lookup"),
    INVOCATION("invocation"),
    DGC("leases: dirty, clean, acknowledgement"),
    HEADER("connection header and its acknowledgement"),
    PING("ping");

    private final String label;

    Kind(String label) {
      this.label = label;
    }

    String label() {
      return label;
    }
  }

  private final Map<Kind, Share> shares = new EnumMap<>(Kind.class);

  private JrmpAccount() {}

  /** The account of packets, which begin with the first of each connection. */
  static Map<Kind, Share> of(List<Crossing> crossings) {
    JrmpAccount account = new JrmpAccount();
    Map<Integer, Conversation> conversations = new TreeMap<>();
    for (Crossing crossing : crossings) {
      conversations
          .computeIfAbsent(crossing.connection(), unused -> account.new Conversation())
          .take(crossing);
    }
    conversations.values().forEach(Conversation::judgeRequests);
    return account.shares;
  }

  private void add(Kind kind, Share share) {
    shares.merge(kind, share, Share::plus);
  }

  /** One connection. */
  private final class Conversation {
    private final ByteArrayOutputStream requests = new ByteArrayOutputStream();
    private boolean headerSeen;
    private boolean endpointSeen;

    /** The kind of message to which the next bytes down belong. */
    private Kind asked = Kind.HEADER;

    void take(Crossing crossing) {
      if (crossing.direction() == Direction.UP) {
        requests.writeBytes(crossing.bytes());
      } else {
        judgeRequests();
        add(asked, new Share(crossing.endsExchange() ? 1 : 0, 0, crossing.bytes().length));
      }
    }

    /** Judges the bytes that have come up since the last time. */
    void judgeRequests() {
      byte[] bytes = requests.toByteArray();
      requests.reset();
      int at = 0;
      if (!headerSeen && bytes.length > 0) {
        headerSeen = true;
        at = HEADER_BYTES;
        add(Kind.HEADER, new Share(0, at, 0));
      } else if (!endpointSeen && bytes.length > 0) {
        endpointSeen = true;
        at = 2 + (((bytes[0] & 0xFF) << 8) | (bytes[1] & 0xFF)) + 4;
        add(Kind.HEADER, new Share(0, at, 0));
      }
      while (at < bytes.length) {
        at = judge(bytes, at);
      }
    }

    private int judge(byte[] bytes, int at) {
      Kind kind = kind(bytes, at);
      MessageEnd end = MessageGrammar.endOfRequest(bytes, at, bytes.length - at);
      // What cannot be parsed can only be the last one: nothing follows before it is answered.
      int next = end instanceof MessageEnd.Complete complete ? complete.end() : bytes.length;
      add(kind, new Share(0, next - at, 0));
      if (bytes[at] != Jrmp.DGC_ACK) {
        asked = kind;
      }
      return next;
    }
  }

  /** Magic, version, protocol. */
  private static final int HEADER_BYTES = 7;

  private static Kind kind(byte[] bytes, int at) {
    if (bytes[at] == Jrmp.PING) {
      return Kind.PING;
    }
    if (bytes[at] == Jrmp.DGC_ACK) {
      return Kind.DGC;
    }
    return CallHeader.decode(bytes, at, bytes.length - at)
        .map(CallHeader::object)
        .map(
            object ->
                object.equals(ObjIdentifier.REGISTRY)
                    ? Kind.LOOKUP
                    : object.equals(ObjIdentifier.DGC) ? Kind.DGC : Kind.INVOCATION)
        .orElse(Kind.INVOCATION);
  }
}
