package io.rmigate.gateway.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.scan.StreamScanner.GrowingScan;
import io.rmigate.gateway.scan.StreamScanner.ReplyScans;
import io.rmigate.gateway.scan.shape.Shapes;
import io.rmigate.protocol.jrmp.CallBytes;
import io.rmigate.protocol.jrmp.Jrmp;
import io.rmigate.protocol.jrmp.MessageEnd;
import java.io.Serializable;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Replies that are scanned one after the other, in the same memory. */
class ReplyScansTest {
  private static final StreamScanner SCANNER =
      new StreamScanner(Shapes.ofJdk(), ScanLimits.DEFAULT);

  /** Header of a Return with a result; the block holds its code and a UID. */
  private static final byte[] HEADER = {
    Jrmp.RETURN,
    (byte) 0xAC,
    (byte) 0xED,
    0,
    5,
    0x77,
    15,
    1,
    0,
    0,
    0,
    1,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    2,
    0,
    3
  };

  private static final int CALL_HEADER_BYTES = 41;

  /** Each of them leaves something else behind that could be told of the next. */
  private static List<byte[]> replies() {
    List<byte[]> replies = new ArrayList<>();
    replies.add(HEADER);
    for (Object value :
        new Object[] {
          "a string",
          "a longer string, of more letters than the other one",
          "long ".repeat(150),
          "much longer ".repeat(150),
          5,
          LocalDate.EPOCH,
          new int[300],
          new String[] {"a", "a", "b"},
          new HashMap<>(Map.of(1, LocalDate.EPOCH, 2, "x")),
          new ArrayList<>(List.of("a", 1, List.of())),
          new Unexplained()
        }) {
      replies.add(reply(CallBytes.callWith(value)));
    }
    replies.add(
        reply(
            CallBytes.call(
                out -> {
                  out.writeObject("one");
                  out.reset();
                  out.writeObject("two");
                })));
    for (byte[] whole : List.copyOf(replies)) {
      replies.add(Arrays.copyOf(whole, whole.length - 1));
      byte[] more = Arrays.copyOf(whole, whole.length + 6);
      more[whole.length] = 0x71; // a reference to what came first
      more[whole.length + 2] = 0x7E;
      more[whole.length + 5] = 0x70; // null
      replies.add(more);
      replies.add(Arrays.copyOf(more, whole.length + 5));
    }
    return replies;
  }

  private static byte[] reply(byte[] call) {
    byte[] contents = Arrays.copyOfRange(call, CALL_HEADER_BYTES, call.length);
    byte[] reply = Arrays.copyOf(HEADER, HEADER.length + contents.length);
    System.arraycopy(contents, 0, reply, HEADER.length, contents.length);
    return reply;
  }

  private static ScanResult scan(GrowingScan scan, byte[] reply) {
    return scan.more(reply, reply.length, reply.length);
  }

  @Test
  void nothingOfOneReplyIsToldOfTheNext() {
    List<byte[]> replies = replies();
    int over = 0;
    for (byte[] first : replies) {
      for (byte[] second : replies) {
        ReplyScans scans = SCANNER.longReplies();
        GrowingScan scan = scans.next();
        if (scan(scan, first).end() instanceof MessageEnd.Complete complete
            && complete.end() == first.length) {
          scans.onOver(scan);
          over++;
        }
        GrowingScan next = scans.next();
        GrowingScan alone = SCANNER.longReply();
        int half = second.length / 2;
        assertThat(next.more(second, half, second.length))
            .isEqualTo(alone.more(second, half, second.length));
        assertThat(scan(next, second)).isEqualTo(scan(alone, second));
        assertThat(next.understood()).isEqualTo(alone.understood());
        assertThat(next.forgettable()).isEqualTo(alone.forgettable());
        assertThat(next.claimed()).isEqualTo(alone.claimed());
        assertThat(next.topObjects()).isEqualTo(alone.topObjects());
        assertThat(next.dropped()).isSameAs(alone.dropped());
      }
    }
    assertThat(over).as("replies that were read to their end").isGreaterThan(replies.size());
  }

  @Test
  void aReplyWithoutClassesLeavesItsMemoryAndOneWithClassesDoesNot() {
    ReplyScans scans = SCANNER.longReplies();
    GrowingScan text = scans.next();
    scan(text, reply(CallBytes.callWith("a string")));
    scans.onOver(text);
    GrowingScan again = scans.next();
    assertThat(again).isSameAs(text);

    scan(again, reply(CallBytes.callWith(LocalDate.EPOCH)));
    scans.onOver(again);
    assertThat(scans.next()).isNotSameAs(again);
  }

  private static final class Unexplained implements Serializable {
    private static final long serialVersionUID = 1;
  }
}
