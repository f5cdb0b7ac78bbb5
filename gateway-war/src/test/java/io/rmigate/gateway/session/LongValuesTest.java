package io.rmigate.gateway.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.policy.CallRules;
import io.rmigate.gateway.policy.JudgedMessage;
import io.rmigate.gateway.policy.Rulebook;
import io.rmigate.gateway.policy.rule.ClassMode;
import io.rmigate.gateway.policy.rule.ClassSettings;
import io.rmigate.gateway.policy.rule.Entry;
import io.rmigate.gateway.policy.rule.LearningLog;
import io.rmigate.gateway.policy.rule.LongCallSettings;
import io.rmigate.gateway.policy.rule.Objection;
import io.rmigate.gateway.quota.Quota;
import io.rmigate.gateway.quota.Share;
import io.rmigate.gateway.testing.ClassJar;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.message.CallHeader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A call of a method of the jars, with arrays and strings that make it longer than calls may be.
 */
class LongValuesTest {
  private static final int LIMIT = 100_000;
  private static final int LONG = 1 << 20;
  private static final int MOST = 3 * LONG;
  private static final int MOST_OF_ALL = 5 * LONG;
  private static final int PIECE = 10_000;
  private static final ObjIdentifier OBJECT = new ObjIdentifier(7, 1, 2, (short) 3);
  private static final String TAKE = "take(Ljava/lang/Object;)V";
  private static final String MIXED = "mixed(I[BJLjava/lang/String;Z)V";

  @TempDir static Path directory;
  private static Rulebook rulebook;

  private final Share room = new Share(Quota.half(64 << 20));
  private final Share claimed = new Share();
  private final ByteArrayOutputStream passed = new ByteArrayOutputStream();

  /** What a jar has. */
  interface Taker extends Remote {
    void take(Object value) throws RemoteException;

    void mixed(int first, byte[] second, long third, String fourth, boolean fifth)
        throws RemoteException;
  }

  @BeforeAll
  static void readJar() throws Exception {
    rulebook = rulebook(new LongCallSettings(MOST, MOST_OF_ALL, Duration.ofSeconds(30)));
  }

  private static Rulebook rulebook(LongCallSettings longCalls) throws IOException {
    ClassSettings settings =
        new ClassSettings(
            ClassMode.ENFORCE,
            List.of(),
            List.of(),
            Optional.of(ClassJar.in(directory, Taker.class)),
            LIMIT);
    return Rulebook.of(settings.withLongCalls(longCalls), LearningLog.NOTHING);
  }

  private static CallRules rules(ClassMode mode) {
    return rulebook.rules(List.of(Entry.of(mode).rules()));
  }

  private static CallHeader header(String method) {
    return new CallHeader(OBJECT, -1, Calls.hash(method));
  }

  private JudgedMessage message(CallRules rules, String method) {
    return rules.longCall(header(method), room, claimed, reference -> false, list -> true);
  }

  private JudgedMessage message(String method) {
    return message(rules(ClassMode.ENFORCE), method);
  }

  private static byte[] take(Object value) {
    return Calls.method(OBJECT, TAKE, out -> out.writeObject(value));
  }

  /** What speaks against it, once something does. */
  private List<Objection> pass(JudgedMessage message, byte[] bytes, int piece) {
    for (int from = 0; from < bytes.length; from += piece) {
      int length = Math.min(piece, bytes.length - from);
      List<Objection> objections = message.more(ByteBuffer.wrap(bytes, from, length));
      if (!objections.isEmpty()) {
        return objections;
      }
      passed.writeBytes(message.takeReady());
    }
    return List.of();
  }

  private void assertPasses(byte[] call, String method, int piece) {
    JudgedMessage message = message(method);
    assertThat(pass(message, call, piece)).isEmpty();
    assertThat(message.mayEnd()).isTrue();
    assertThat(message.hasAllArguments()).isTrue();
    assertThat(passed.toByteArray()).isEqualTo(call);
    assertThat(claimed.taken()).isPositive();
    message.close();
    assertThat(claimed.taken()).isZero();
    assertThat(room.taken()).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 777, 32 * 1024, 3 * LONG})
  void arraysPassInAnyPieces(int piece) {
    assertPasses(take(new Object[] {new byte[LONG], "x", new long[LONG / 8], "y"}), TAKE, piece);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 777, 32 * 1024, 3 * LONG})
  void stringsPassInAnyPieces(int piece) {
    assertPasses(take(List.of("x".repeat(LONG), "\u00e9\u20ac".repeat(LONG / 8))), TAKE, piece);
  }

  @Test
  void aClassThatIsNotLookedIntoEndsNoBound() {
    String opaque = SmuggledCallsTest.Opaque.class.getName();
    CallRules rules =
        rulebook.rules(List.of(Entry.enforced().classes(opaque).opaque(List.of(opaque)).rules()));
    JudgedMessage message = message(rules, TAKE);
    byte[] call = take(new Object[] {new byte[LONG], new SmuggledCallsTest.Opaque()});
    assertThat(pass(message, call, 777)).isEmpty();
    assertThat(passed.size()).as("bytes that went on").isEqualTo(call.length);
    assertThat(pass(message, new byte[LIMIT / 2], 777)).isEmpty();
    assertThat(claimed.taken()).isPositive();
    assertThat(pass(message, new byte[LIMIT], 777)).isNotEmpty();
    message.close();
    assertThat(claimed.taken()).isZero();
    assertThat(room.taken()).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 777, 32 * 1024, 3 * LONG})
  void argumentsOfAllKindsAreCounted(int piece) {
    byte[] call =
        Calls.method(
            OBJECT,
            MIXED,
            out -> {
              out.writeInt(1);
              out.writeObject(new byte[LONG]);
              out.writeLong(2);
              out.writeObject("x".repeat(LONG));
              out.writeBoolean(true);
            });
    JudgedMessage cut = message(MIXED);
    assertThat(pass(cut, Arrays.copyOf(call, call.length - 3), piece)).isEmpty();
    assertThat(cut.hasAllArguments()).isFalse(); // the last is a block of one byte
    cut.close();
    passed.reset();
    assertPasses(call, MIXED, piece);
  }

  @Test
  void onlyWhatAJarHasPasses() {
    CallRules rules = rules(ClassMode.ENFORCE);
    assertThat(rules.takesLong(header(TAKE))).isTrue();
    assertThat(rules.takesLong(header("other(Ljava/lang/Object;)V"))).isFalse();
    assertThat(rules.takesLong(new CallHeader(OBJECT, 1, Calls.hash(TAKE)))).isFalse();
    assertThat(
            Rulebook.OFF
                .rules(List.of(Entry.enforced().rules()))
                .takesLong(new CallHeader(OBJECT, -1, Calls.hash(TAKE))))
        .isFalse();
  }

  @Test
  void anArrayBeginsOnceASixtyFourthOfItHasCome() {
    byte[] call = take(new byte[LONG]);
    int elements = call.length - LONG;
    JudgedMessage message = message(TAKE);
    assertThat(pass(message, Arrays.copyOf(call, elements + LONG / 64 - 1), PIECE)).isEmpty();
    assertThat(message.hasAllArguments()).isTrue(); // it has begun, but it is not passed on
    assertThat(passed.size()).isLessThan(elements);
    assertThat(message.more(ByteBuffer.wrap(new byte[1]))).isEmpty();
    passed.writeBytes(message.takeReady());
    assertThat(passed.size()).isEqualTo(elements + LONG / 64);
    message.close();
  }

  @Test
  void anAnnouncedArrayIsSeenBeforeItBegins() {
    CallRules rules = rules(ClassMode.ENFORCE);
    byte[] beginning = Arrays.copyOf(take(new byte[LONG]), 1000);
    assertThat(rules.announcesLong(header(TAKE), beginning)).isTrue();
    assertThat(rules.announcesLong(header(TAKE), take(new byte[LIMIT / 2]))).isFalse();
  }

  @Test
  void theRestStaysWithinTheLimit() {
    List<Object> all = new ArrayList<>(List.of(new byte[LONG]));
    for (int i = 0; i < 11; i++) {
      all.add("x".repeat(LIMIT / 10) + i);
    }
    JudgedMessage message = message(TAKE);
    assertThat(pass(message, take(all), PIECE)).isEqualTo(rules(ClassMode.ENFORCE).tooLong());
    message.close();
    all.remove(11);
    all.remove(10);
    passed.reset();
    assertPasses(take(all), TAKE, PIECE);
  }

  @Test
  void shortArraysCountAsTheRest() {
    List<Object> all = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      all.add(new byte[60_000]);
    }
    JudgedMessage message = message(TAKE);
    assertThat(pass(message, take(all), PIECE)).isEqualTo(rules(ClassMode.ENFORCE).tooLong());
    message.close();
  }

  @Test
  void arraysOfObjectsClaimNoMoreThanTheLimitTogether() {
    Object[] inner = new Object[LIMIT - 100];
    inner[0] = inner.clone(); // both claim what there is room for once
    byte[] call = take(new Object[] {new byte[LONG], inner});
    JudgedMessage message = message(TAKE);
    assertThat(pass(message, call, PIECE))
        .extracting(Objection::subject)
        .anyMatch(subject -> subject.contains("claims to hold more"));
    message.close();
  }

  @Test
  void longArraysOfOneCallHaveABound() {
    JudgedMessage message = message(TAKE);
    byte[] call = take(new Object[] {new byte[2 * LONG], new byte[2 * LONG]});
    List<Objection> objections = pass(message, call, PIECE);
    assertThat(objections)
        .extracting(Objection::subject)
        .containsExactly("its long arrays and strings take more than long-calls.max-bytes");
    assertThat(passed.size()).isLessThan(2 * LONG + 1000);
    message.close();
    assertThat(claimed.taken()).isZero();
  }

  @Test
  void longArraysOfOnePrincipalHaveABound() {
    JudgedMessage first = message(TAKE);
    byte[] call = take(new byte[MOST]);
    byte[] beginning = Arrays.copyOf(call, 1000);
    assertThat(pass(first, beginning, PIECE)).isEmpty();
    assertThat(claimed.taken()).isEqualTo(MOST);
    JudgedMessage second = message(TAKE);
    List<Objection> refused = pass(second, beginning, PIECE);
    assertThat(JudgedMessage.isForRoom(refused)).isTrue();
    assertThat(JudgedMessage.ofRoom(refused)).contains("long-calls.max-bytes-per-principal");
    second.close();
    assertThat(claimed.taken()).isEqualTo(MOST);
    first.close();
    assertThat(claimed.taken()).isZero();
    passed.reset();
    assertPasses(call, TAKE, 32 * 1024);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 10, 100_000})
  void whatStandsBehindTheLastArgumentIsRefused(int piece) {
    byte[] call =
        Calls.method(
            OBJECT,
            TAKE,
            out -> {
              out.writeObject(new byte[LIMIT]);
              out.writeObject("surplus");
            });
    JudgedMessage message = message(TAKE);
    assertThat(pass(message, call, piece))
        .extracting(Objection::subject)
        .containsExactly("SURPLUS_ARGUMENTS behind those of the method");
    message.close();
  }

  @Test
  void moreBytesOfPrimitivesThanTheMethodTakesAreRefused() {
    byte[] call =
        Calls.method(
            OBJECT,
            MIXED,
            out -> {
              out.writeInt(1);
              out.writeObject(new byte[LONG]);
              out.writeLong(2);
              out.writeLong(3);
            });
    JudgedMessage message = message(MIXED);
    assertThat(pass(message, call, PIECE))
        .extracting(Objection::subject)
        .containsExactly("SURPLUS_ARGUMENTS behind those of the method");
    message.close();
  }

  /** Hashing it takes more steps than its first bytes would allow. */
  @Test
  void stringsThatAreKeysAreHashedAsTheyPass() throws Exception {
    Rulebook before = rulebook;
    rulebook = rulebook(new LongCallSettings(64 << 20, 64 << 20, Duration.ofSeconds(30)));
    try {
      assertPasses(take(new HashMap<>(Map.of("x".repeat(40_000_000), 1))), TAKE, 64 * 1024);
    } finally {
      rulebook = before;
    }
  }

  /** Of keys whose place is not known there may be few. */
  @Test
  @SuppressWarnings("JdkObsolete") // of all tables it is the one whose chains have no order
  void aLongKeyOfAHashtableHasAPlaceThatIsKnown() {
    CallRules few =
        rulebook.rules(List.of(Entry.enforced().keyLimit(10).callLimit(20_000).rules()));
    Map<Object, Object> table = new Hashtable<>();
    for (int i = 0; i < 45; i++) {
      table.put("x".repeat(66_000) + i, i);
    }
    Set<Object> set = new HashSet<>(table.keySet());
    for (Object value : List.of(table, set)) {
      JudgedMessage message = message(few, TAKE);
      assertThat(pass(message, take(value), 32 * 1024)).isEmpty();
      message.close();
    }
  }

  @Test
  void whereObjectionsAreOnlyNotedItIsSaidWhatWouldAllowIt() {
    CallRules learning = rules(ClassMode.LEARN);
    JudgedMessage message = message(learning, TAKE);
    assertThat(pass(message, take(new byte[LONG]), PIECE)).isEmpty();
    message.close();
    JudgedMessage longer = message(learning, TAKE);
    List<Objection> noted = new ArrayList<>();
    byte[] call = take(new Object[] {new byte[MOST + 1], new GatedCallsTest.Order()});
    passed.reset();
    for (int from = 0; from < call.length; from += PIECE) {
      int length = Math.min(PIECE, call.length - from);
      noted.addAll(longer.more(ByteBuffer.wrap(call, from, length)));
      passed.writeBytes(longer.takeReady());
    }
    assertThat(passed.toByteArray()).isEqualTo(call);
    assertThat(noted).extracting(Objection::remedy).containsOnlyOnce("stream: true");
    assertThat(noted).extracting(Objection::subject).contains(GatedCallsTest.Order.class.getName());
    longer.close();
  }

  @Test
  void aRecordOfSuchACallIsJudgedByItsLength() {
    CallRules rules = rules(ClassMode.ENFORCE);
    assertThat(rules.length(-1, Calls.hash(TAKE), MOST)).isEmpty();
    assertThat(rules.length(-1, Calls.hash(TAKE), MOST + LIMIT + 1L)).isPresent();
    assertThat(rules.length(-1, Calls.hash("other()V"), LIMIT + 1)).isPresent();
    assertThat(rules.length(-1, Calls.hash("other()V"), LIMIT)).isEmpty();
  }
}
