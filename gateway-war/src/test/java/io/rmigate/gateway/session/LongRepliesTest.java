package io.rmigate.gateway.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.policy.JudgedMessage;
import io.rmigate.gateway.policy.Rulebook;
import io.rmigate.gateway.policy.rule.ClassMode;
import io.rmigate.gateway.policy.rule.Entry;
import io.rmigate.gateway.policy.rule.Objection;
import io.rmigate.gateway.quota.Quota;
import io.rmigate.gateway.quota.Share;
import io.rmigate.gateway.relay.FailurePolicy;
import io.rmigate.gateway.relay.ScriptedRmiServer;
import io.rmigate.gateway.route.TargetGrant;
import io.rmigate.protocol.coding.Compression;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.tunnel.CloseCause;
import io.rmigate.protocol.tunnel.Hello;
import io.rmigate.protocol.tunnel.SessionToken;
import io.rmigate.protocol.tunnel.Tunnel;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A reply of any length is judged to its end, and next to nothing of it is kept. */
class LongRepliesTest {
  private static final int LARGE = 50_000_000;
  private static final int PIECE = 32 * 1024;
  private static final int ROOM = 64 << 20;
  private static final byte[] NULL = {0x70};

  /** The handles before that of the second row, and of each row. */
  private static final int FIRST_HANDLES = 8;

  private static final int ROW_HANDLES = 3;

  @RegisterExtension final SessionBed bed = new SessionBed();

  private final Share room = new Share(Quota.half(ROOM));

  private static Object row() {
    return new Object[] {100_000, new String("ab".toCharArray()), "the same in all"};
  }

  /** The Return of an array with that row and {@code more} things, which are still to come. */
  private static byte[] beginning(int more) {
    byte[] reply = Calls.returned(new Object[] {row(), null});
    byte[] beginning = Arrays.copyOf(reply, reply.length - 1);
    int lengthAt = indexOf(beginning, HexFormat.of().parseHex("787000000002")) + 2;
    ByteBuffer.wrap(beginning).putInt(lengthAt, 1 + more);
    return beginning;
  }

  private static int indexOf(byte[] bytes, byte[] part) {
    for (int i = 0; ; i++) {
      if (Arrays.equals(bytes, i, i + part.length, part, 0, part.length)) {
        return i;
      }
    }
  }

  /** A row that is not the first. */
  private static byte[] anotherRow() {
    int before = Calls.returned(new Object[] {row(), null}).length - 1;
    byte[] reply = Calls.returned(new Object[] {row(), row(), null});
    return Arrays.copyOfRange(reply, before, reply.length - 1);
  }

  /** What stands for it behind the first row; it refers to nothing but what stands in it. */
  private static byte[] inArray(Object last) {
    int before = beginning(1).length;
    byte[] reply = Calls.returned(new Object[] {row(), last});
    return Arrays.copyOfRange(reply, before, reply.length);
  }

  private static final int ROWS = LARGE / anotherRow().length;

  /** One Return on its way to an agent that takes all that it gets. */
  private final class Passing {
    final CRC32 said = new CRC32();
    final CRC32 gone = new CRC32();
    final JudgedMessage message;
    private final ByteBuffer piece;
    byte[] last = {};
    long saidBytes;
    long goneBytes;
    long mostHeld;
    List<Objection> objections = List.of();

    Passing(JudgedMessage message, int pieceBytes) {
      this.message = message;
      piece = ByteBuffer.allocate(pieceBytes);
    }

    Passing() {
      this(enforced(), PIECE);
    }

    Passing say(byte[] bytes) {
      return say(bytes, 1);
    }

    Passing say(byte[] bytes, int times) {
      for (int i = 0; i < times && objections.isEmpty(); i++) {
        for (int from = 0; from < bytes.length && objections.isEmpty(); ) {
          int length = Math.min(piece.remaining(), bytes.length - from);
          piece.put(bytes, from, length);
          from += length;
          if (!piece.hasRemaining()) {
            pass();
          }
        }
      }
      return this;
    }

    Passing pass() {
      if (piece.position() == 0 || !objections.isEmpty()) {
        return this;
      }
      piece.flip();
      said.update(piece.array(), 0, piece.limit());
      saidBytes += piece.limit();
      objections = message.more(piece);
      piece.clear();
      mostHeld = Math.max(mostHeld, room.taken());
      if (objections.isEmpty()) {
        last = message.takeReady();
        goneBytes += last.length;
        gone.update(last);
      }
      return this;
    }

    void assertPassed() {
      assertThat(objections).isEmpty();
      assertThat(goneBytes).isEqualTo(saidBytes);
      assertThat(gone.getValue()).isEqualTo(said.getValue());
    }

    void assertRefusedBeforeItIsNamed() {
      assertThat(objections).extracting(Objection::rule).contains(Objection.Rule.CLASS);
      assertThat(goneBytes).isGreaterThan(saidBytes - 2 * PIECE);
      assertThat(new String(last, StandardCharsets.ISO_8859_1)).doesNotContain("Order");
      message.close();
      assertThat(room.taken()).isZero();
    }
  }

  private JudgedMessage enforced() {
    return enforced(Entry.enforced());
  }

  private JudgedMessage enforced(Entry entry) {
    return Rulebook.OFF.rules(List.of(entry.rules())).replyOfServer(room, reference -> {});
  }

  @Test
  void fiftyMegabytesPassAndHardlyAnyAreHeld() {
    Passing reply = new Passing().say(Calls.returned(new byte[LARGE])).pass();
    reply.assertPassed();
    assertThat(reply.mostHeld).isLessThan(2 << 20);
    assertThat(room.taken()).isZero();
  }

  @Test
  void millionsOfObjectsPassAndHardlyAnyAreHeld() {
    Passing reply = new Passing().say(beginning(ROWS)).say(anotherRow(), ROWS).pass();
    reply.assertPassed();
    int orders = 4 * (1 << 20) / Byte.SIZE; // a bit for each of a million objects in each of four
    assertThat(reply.mostHeld).isLessThan((2 << 20) + orders).isPositive();
    assertThat(room.taken()).isZero();
  }

  @Test
  void whatComesLateMayReferToAnythingBeforeAndToNothingElse() {
    int rows = ROWS / 10;
    int handles = FIRST_HANDLES + ROW_HANDLES * rows;
    byte[] good = beginning(rows + 3);
    Passing passing = new Passing().say(good).say(anotherRow(), rows);
    passing.say(reference(1)).say(reference(handles / 2)).say(reference(handles - 1)).pass();
    passing.assertPassed();

    Passing beyond = new Passing().say(good).say(anotherRow(), rows).say(reference(handles)).pass();
    assertThat(beyond.objections).extracting(Objection::rule).contains(Objection.Rule.STREAM);

    byte[] noClass = Arrays.copyOf(anotherRow(), anotherRow().length);
    ByteBuffer.wrap(noClass).putInt(2, 0x7E0000 + handles - 1); // a text, long forgotten
    Passing misled = new Passing().say(good).say(anotherRow(), rows).say(noClass).pass();
    assertThat(misled.objections)
        .extracting(Objection::subject)
        .contains("the handle is not that of a class descriptor");
  }

  private static byte[] reference(int handle) {
    return ByteBuffer.allocate(5).put((byte) 0x71).putInt(0x7E0000 + handle).array();
  }

  /** The type of a field is the name of its class; here it would be a text of before. */
  @Test
  void noFieldHasATypeThatIsForgotten() {
    byte[] type =
        HexFormat.of()
            .parseHex(
                "7372000161" // TC_OBJECT TC_CLASSDESC "a"
                    + "0000000000000001"
                    + "020001" // serializable, one field
                    + "4c000162" // L "b"
                    + "717e0000");
    byte[] ofText = Arrays.copyOf(type, type.length + 1);
    ByteBuffer.wrap(ofText).putInt(ofText.length - 4, 0x7E0000 + FIRST_HANDLES + 2);
    Passing reply = new Passing().say(beginning(ROWS)).say(anotherRow(), ROWS / 10);
    reply.say(ofText).pass();
    assertThat(reply.objections)
        .extracting(Objection::subject)
        .contains("the handle is not that of a string");
  }

  @Test
  void aClassThatNothingAllowsAtTheEndIsNotEvenNamed() {
    byte[] last = inArray(new ArrayList<>(List.of(new GatedCallsTest.Order())));
    Passing reply = new Passing().say(beginning(ROWS + 1)).say(anotherRow(), ROWS);
    reply.say(last).pass().assertRefusedBeforeItIsNamed();

    byte[] behindBytes = Calls.returned(new Object[] {new byte[LARGE], new GatedCallsTest.Order()});
    new Passing().say(behindBytes).pass().assertRefusedBeforeItIsNamed();
  }

  @Test
  void aLongExceptionIsJudgedToItsEnd() {
    for (String text : List.of("x".repeat(LARGE / 10), "\u20ac\u00e9y".repeat(LARGE / 50))) {
      Exception thrown = new IllegalStateException(text);
      thrown.addSuppressed(new IllegalArgumentException("no harm"));
      Passing good = new Passing().say(Calls.thrown(thrown)).pass();
      good.assertPassed();
      assertThat(good.mostHeld).isLessThan(1 << 20);
      thrown.addSuppressed(new GatedCallsTest.SuppressingException(new GatedCallsTest.Order()));
      new Passing().say(Calls.thrown(thrown)).pass().assertRefusedBeforeItIsNamed();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 777, 300_000})
  void aLongTextPassesInAnyPieces(int piece) {
    byte[] reply = Calls.returned("\u20ac\u00e9y\0".repeat(40_000));
    Passing passing = new Passing(enforced(), piece).say(reply).pass();
    passing.assertPassed();
    reply[reply.length - 2] = (byte) 0xFF;
    Passing broken = new Passing(enforced(), piece).say(reply).pass();
    assertThat(broken.objections)
        .extracting(Objection::subject)
        .containsExactly("not modified UTF-8");
    assertThat(broken.goneBytes).isLessThan(reply.length - 1);
  }

  @Test
  void nothingFollowsALongReply() {
    Passing bytes = new Passing().say(Calls.returned(new byte[LARGE])).pass();
    bytes.assertPassed();
    assertThat(bytes.say(NULL).pass().objections).isNotEmpty();

    Passing rows = new Passing().say(beginning(ROWS)).say(anotherRow(), ROWS).say(NULL).pass();
    assertThat(rows.objections).isNotEmpty();
    assertThat(rows.goneBytes).isLessThan(rows.saidBytes);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, PIECE})
  void aReturnHasOneResult(int piece) {
    byte[] two = Calls.join(Calls.returned(7), NULL);
    assertThat(new Passing(enforced(), piece).say(two).pass().objections).isNotEmpty();
  }

  @Test
  void anArrayIsBegunOnlyOnceASixtyFourthOfItIsThere() {
    byte[] reply = Calls.returned(new byte[1000]);
    int lengthAt = reply.length - 1004;
    ByteBuffer.wrap(reply).putInt(lengthAt, 1 << 30);
    byte[] beginning = Arrays.copyOf(reply, lengthAt + 4);
    Passing claims = new Passing().say(beginning).say(new byte[PIECE], (16 << 20) / PIECE - 1);
    assertThat(claims.pass().objections).isEmpty();
    assertThat(claims.goneBytes).isLessThan(beginning.length);
    claims.say(new byte[PIECE]).pass().assertPassed();
    claims.message.close();

    ByteBuffer.wrap(beginning).putInt(lengthAt, Integer.MAX_VALUE); // no reply keeps as much
    Passing more = new Passing(enforced(), PIECE).say(beginning).say(new byte[PIECE], 1 << 10);
    assertThat(more.objections).isNotEmpty();
    assertThat(more.goneBytes).isLessThan(beginning.length);
  }

  /** The Return of a list that claims to hold {@code claimed} elements, without any of them. */
  private static byte[] listOf(int claimed) {
    byte[] reply = Calls.returned(new ArrayList<>(Collections.singleton(null)));
    byte[] beginning = Arrays.copyOf(reply, reply.length - 2);
    ByteBuffer.wrap(beginning).putInt(beginning.length - 10, claimed);
    return beginning;
  }

  @Test
  void aCollectionOfVeryManyIsBegunOnlyOnceAnEighthAsManyBytesAreThereAndPassesToItsEnd() {
    int elements = 20_000_000;
    byte[] nulls = new byte[PIECE];
    Arrays.fill(nulls, NULL[0]);
    byte[] beginning = listOf(elements);
    int sizeAt = beginning.length - 10;
    Passing list = new Passing().say(beginning).say(nulls, elements / 8 / PIECE - 1);
    assertThat(list.pass().objections).isEmpty();
    assertThat(list.goneBytes).isEqualTo(sizeAt);
    int left = elements - (elements / 8 / PIECE - 1) * PIECE;
    list.say(nulls, left / PIECE).say(Arrays.copyOf(nulls, left % PIECE)).say(new byte[] {0x78});
    list.pass().assertPassed();
    assertThat(room.taken()).isZero();
  }

  @Test
  void whatCollectionsInEachOtherClaimIsAddedUp() {
    int claimed = 100_000_000; // of either an eighth could be kept
    byte[] inner = HexFormat.of().parseHex("7371007e0000" + "05f5e100" + "7704" + "00000001");
    byte[] nulls = new byte[PIECE];
    Arrays.fill(nulls, NULL[0]);
    byte[] beginning = listOf(claimed);
    Passing lists = new Passing().say(beginning).say(inner).say(nulls, (20 << 20) / PIECE);
    assertThat(lists.objections).extracting(Objection::remedy).containsExactly("call-limit: 64MiB");
    assertThat(lists.goneBytes).isLessThan(beginning.length);
    lists.message.close();
  }

  @Test
  void aCollectionThatClaimsMoreThanIsWaitedForIsRefusedAtOnceAndTheLimitNamed() {
    byte[] beginning = listOf(Integer.MAX_VALUE);
    Passing list = new Passing().say(beginning).pass();
    assertThat(list.objections).extracting(Objection::remedy).containsExactly("call-limit: 64MiB");
    assertThat(list.objections.get(0).reason()).contains("java.util.ArrayList").contains("claims");
    assertThat(list.goneBytes).isZero();
    list.message.close();

    Entry roomy = Entry.enforced().callLimit(300 << 20);
    assertThat(new Passing(enforced(roomy), PIECE).say(beginning).pass().objections).isEmpty();
  }

  @Test
  void manyLongRepliesAtATimeHoldHardlyAnything() {
    byte[] bytes = beginningOfBytes(2 << 20);
    List<Passing> replies = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      Passing ofBytes = new Passing().say(bytes);
      Passing ofRows = new Passing().say(beginning(ROWS)).say(anotherRow(), 20_000);
      replies.addAll(List.of(ofBytes, ofRows));
      assertThat(ofBytes.objections).isEmpty();
      assertThat(ofRows.objections).isEmpty();
      assertThat(room.taken()).isLessThan((1 + i) * (512L << 10));
    }
    for (Passing reply : replies) {
      assertThat(reply.goneBytes).isGreaterThan(500_000);
      reply.message.close();
    }
    assertThat(room.taken()).isZero();
  }

  private static byte[] beginningOfBytes(int count) {
    byte[] reply = Calls.returned(new byte[count]);
    ByteBuffer.wrap(reply).putInt(reply.length - count - 4, LARGE);
    return reply;
  }

  /** Descriptors that are kept, and texts that are not. */
  @Test
  void whatIsKeptIsCountedAtAnyMoment() throws Exception {
    String name = "far." + "a".repeat(60_000);
    byte[] text = HexFormat.of().parseHex("747530" + "61".repeat(30_000));
    int texts = 2000;
    Passing reply = new Passing(enforced(Entry.enforced().classes("far.*")), PIECE);
    reply.say(beginning(3 + texts)).say(classObject(name + "1")).say(classObject(name + "2"));
    reply.say(text);
    assertThat(room.taken()).isGreaterThan(120_000);
    AtomicInteger taken = new AtomicInteger();
    AtomicBoolean over = new AtomicBoolean();
    Thread others =
        new Thread(
            () -> {
              while (!over.get()) {
                if (room.take(ROOM - 120_000)) {
                  room.release(ROOM - 120_000);
                  taken.incrementAndGet();
                }
              }
            });
    others.start();
    reply.say(text, texts - 1).pass();
    over.set(true);
    others.join();
    assertThat(taken).hasValue(0);
    reply.message.close();
    assertThat(room.taken()).isZero();
  }

  private static byte[] classObject(String name) {
    byte[] ascii = name.getBytes(StandardCharsets.US_ASCII);
    return ByteBuffer.allocate(4 + ascii.length + 13)
        .put((byte) 0x76)
        .put((byte) 0x72)
        .putShort((short) ascii.length)
        .put(ascii)
        .put(new byte[11]) // serialVersionUID, flags, fields
        .put((byte) 0x78)
        .put((byte) 0x70)
        .array();
  }

  @Test
  void whereObjectionsAreOnlyNotedNothingIsHeldOrLost() {
    JudgedMessage learning =
        Rulebook.OFF
            .rules(List.of(Entry.of(ClassMode.LEARN).rules()))
            .replyOfServer(room, reference -> {});
    byte[] reply = Calls.returned(new Object[] {new byte[LARGE], new GatedCallsTest.Order()});
    long objections = 0;
    for (int from = 0; from < reply.length; from += PIECE) {
      int length = Math.min(PIECE, reply.length - from);
      objections += learning.more(ByteBuffer.wrap(reply, from, length)).size();
      assertThat(learning.takeReady()).isEqualTo(Arrays.copyOfRange(reply, from, from + length));
      assertThat(room.taken()).isLessThan(2 << 20);
    }
    assertThat(objections).isPositive();
  }

  // Through a session.

  private static byte[] call() {
    return Calls.method(new ObjIdentifier(7, 1, 2, (short) 3), "get()V", out -> {});
  }

  private TestAgent agentAt(ScriptedRmiServer server, byte[] reply, String coding) {
    bed.policy(
        new TargetGrant(
            Set.of("*"),
            List.of("127.0.0.1:*"),
            SessionBed.READING,
            Entry.enforced().callLimit(64 * 1024).rules()));
    server.answer(reply);
    TestAgent agent = bed.stranger();
    agent.say(
        new Hello(
            Tunnel.VERSION,
            Tunnel.VERSION,
            Set.of(),
            SessionToken.NONE,
            0,
            2 * reply.length,
            List.of(coding),
            Map.of()));
    agent.awaitWelcome();
    agent.open(1, server.port());
    agent.request(1, call());
    return agent;
  }

  @ParameterizedTest
  @ValueSource(strings = {"identity", "deflate.1"})
  void aReplyBeyondTheLimitPassesAndOneWithABadEndEndsItsStream(String coding) throws Exception {
    bed.compression(Compression.ON);
    for (Object last : List.of("x", new GatedCallsTest.Order())) {
      byte[] reply = Calls.returned(new Object[] {new byte[900_000], new long[9000], last});
      ScriptedRmiServer server = bed.scripted(FailurePolicy.NONE);
      TestAgent agent = agentAt(server, reply, coding);
      if (last.equals("x")) {
        assertThat(agent.awaitData(1, reply.length)).isEqualTo(reply);
      } else {
        agent.expectClose(1, CloseCause.NOT_PERMITTED);
        assertThat(agent.port().dataBytes(1)).isGreaterThan(900_000);
        assertThat(new String(agent.port().data(1), StandardCharsets.ISO_8859_1))
            .doesNotContain("Order");
      }
    }
    TestAgent.awaitThat(() -> bed.registry().heldBytes().taken() == 0);
    assertThat(bed.coded(false).codedBytes() > 0).isEqualTo(!coding.equals("identity"));
  }
}
