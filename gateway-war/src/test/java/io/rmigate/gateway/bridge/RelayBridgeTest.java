package io.rmigate.gateway.bridge;

import static io.rmigate.testing.Patience.PATIENCE;
import static io.rmigate.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.rmigate.gateway.login.Principal;
import io.rmigate.gateway.relay.FailurePolicy;
import io.rmigate.gateway.relay.ScriptedRmiServer;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.Jrmp;
import io.rmigate.protocol.tunnel.RegistryName;
import io.rmigate.soap.call.CallFailure;
import io.rmigate.soap.call.RemoteObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.lang.reflect.Constructor;
import java.nio.file.Path;
import java.rmi.NotBoundException;
import java.rmi.RemoteException;
import java.rmi.ServerError;
import java.rmi.ServerException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls to servers of the running JDK, whose classes are not those of the publication. */
class RelayBridgeTest {
  private static final Duration SOON = Duration.ofMillis(300);

  private static final String SWING = "javax.swing.event.EventListenerList";
  private static final String JMX = "javax.management.JMRuntimeException";
  private static final String OF_JMX = "the class " + JMX;

  @TempDir private static Path directory;
  private static DeskJar jar;

  private BridgeBed bed;

  @BeforeAll
  static void compile() throws Exception {
    jar = new DeskJar(directory);
  }

  @BeforeEach
  void open() throws Exception {
    bed = new BridgeBed(jar);
  }

  @AfterEach
  void close() throws Exception {
    bed.close();
  }

  private CallFailure failure(String method, Object... arguments) {
    return failure(PATIENCE, method, arguments);
  }

  private CallFailure failure(Duration within, String method, Object... arguments) {
    CallFailure failure =
        catchThrowableOfType(CallFailure.class, () -> bed.call(within, method, arguments));
    assertThat(failure).isNotNull();
    return failure;
  }

  @Test
  void primitivesComeBackAsTheyWent() throws Exception {
    assertThat(bed.call("aBoolean", true)).isEqualTo(true);
    assertThat(bed.call("aByte", (byte) -7)).isEqualTo((byte) -7);
    assertThat(bed.call("aChar", 'ž')).isEqualTo('ž');
    assertThat(bed.call("aShort", (short) -300)).isEqualTo((short) -300);
    assertThat(bed.call("anInt", Integer.MIN_VALUE)).isEqualTo(Integer.MIN_VALUE);
    assertThat(bed.call("aLong", Long.MAX_VALUE)).isEqualTo(Long.MAX_VALUE);
    assertThat(bed.call("aFloat", 1.5f)).isEqualTo(1.5f);
    assertThat(bed.call("aDouble", Double.NaN)).isEqualTo(Double.NaN);
    assertThat(bed.call("nothing")).isNull();
    assertThat(bed.call("all", true, (byte) 1, 'c', (short) 2, 3, 4L, 5f, 6d))
        .isEqualTo("true 1 c 2 3 4 5.0 6.0");
  }

  @Test
  void valuesOfTheJdkComeBackEqual() throws Exception {
    List<Object> values =
        List.of(
            "text",
            "x".repeat(100_000),
            List.of(1, 2, 3),
            Set.of("a"),
            Map.of("k", 1L),
            new ArrayList<>(Arrays.asList(null, 1)),
            new TreeMap<>(Map.of("a", 1, "b", 2)),
            Collections.unmodifiableMap(new TreeMap<>(Map.of("a", 1))),
            Collections.emptyList(),
            Collections.singletonList(Instant.EPOCH),
            LocalDate.of(2026, 11, 21),
            ZonedDateTime.parse("2026-11-21T12:00:00+01:00[Europe/Ljubljana]"),
            UUID.randomUUID(),
            new java.math.BigDecimal("1.250"),
            java.sql.Timestamp.valueOf("2026-11-21 12:00:00.5"),
            java.util.concurrent.TimeUnit.DAYS,
            java.util.EnumSet.of(java.time.DayOfWeek.MONDAY),
            new java.util.GregorianCalendar(2026, 10, 21),
            java.util.Locale.ITALY);

    for (Object value : values) {
      assertThat(bed.call("any", value)).isEqualTo(value);
    }
    assertThat(bed.call("any", (Object) null)).isNull();
  }

  @Test
  void arraysVarargsBeansAndRecordsAreOfThePublicationsClasses() throws Exception {
    Object item = bed.type("desk.Desk$Item").getConstructor().newInstance();
    item.getClass().getField("name").set(item, "wheel");
    item.getClass().getField("date").set(item, LocalDate.EPOCH);
    Object red = bed.type("desk.Desk$Color").getEnumConstants()[0];
    item.getClass().getField("color").set(item, red);
    Constructor<?> order = bed.type("desk.Desk$Order").getConstructors()[0];

    assertThat((int[]) bed.call("ints", (Object) new int[] {1, 2, 3})).containsExactly(1, 2, 3);
    assertThat((int[]) bed.call("ints", (Object) new int[0])).isEmpty();
    assertThat(bed.call("bytes", (Object) null)).isNull();
    Object returned = bed.call("item", item);
    assertThat(returned).isInstanceOf(item.getClass()).isNotSameAs(item);
    assertThat(returned.getClass().getField("color").get(returned)).isSameAs(red);
    assertThat(returned.getClass().getField("name").get(returned)).isEqualTo("wheel");
    assertThat(bed.call("order", order.newInstance(41, null)))
        .isEqualTo(order.newInstance(42, null));
  }

  @Test
  void largeArgumentsAndResultsPass() throws Exception {
    byte[] large = new byte[5 << 20];
    IntStream.range(0, large.length).forEach(i -> large[i] = (byte) (i * 31));

    assertThat((byte[]) bed.call("bytes", (Object) large)).isEqualTo(large);
  }

  @Test
  void classOfTheJarsThatNoMethodDeclaresIsRefused() {
    CallFailure refused = failure("library");

    assertThat(refused.kind()).isEqualTo(CallFailure.Kind.ANSWER_REFUSED);
    assertThat(refused).hasMessageContaining("desk.Library");
  }

  @Test
  void subclassOfADeclaredClassIsLetIn() throws Exception {
    assertThat(bed.call("special")).isInstanceOf(bed.type("desk.Special"));
  }

  @Test
  void referencesBeyondTheBoundAreRefusedAndNotAcknowledged() {
    CallFailure refused = failure("counters", 10_001);

    assertThat(refused.kind()).isEqualTo(CallFailure.Kind.ANSWER_REFUSED);
    assertThat(bed.referencesHeld).hasValue(0);
    assertThat(bed.acknowledged).hasValueLessThan(2);
  }

  @Test
  void whatARegistryHasNamedIsForbiddenWithTheRegistry() throws Exception {
    try (BridgeVisit visit = bed.visit()) {
      Object counter = bed.call(visit.named(bed.name()), "desk.Desk", "counter");
      try (HeldReference kept = visit.keep(counter)) {
        RemoteObject behind = visit.referenced(kept);
        bed.call(behind, "desk.Desk$Counter", "add", 1);
        bed.allow("elsewhere:*");
        assertThatThrownBy(() -> bed.call(behind, "desk.Desk$Counter", "add", 1))
            .isInstanceOfSatisfying(
                CallFailure.class,
                e -> assertThat(e.kind()).isEqualTo(CallFailure.Kind.NOT_PERMITTED));
        bed.allow("127.0.0.1:*", "localhost:*");
        assertThat(bed.call(behind, "desk.Desk$Counter", "add", 1)).isEqualTo(2);
      }
    }
  }

  @Test
  void answersOfAllVisitsTogetherAreBounded() throws Exception {
    bed.close();
    bed = new BridgeBed(jar, 3 << 20);
    byte[] large = new byte[1 << 20];
    try (BridgeVisit visit = bed.visit()) {
      bed.call(visit.named(bed.name()), "desk.Desk", "bytes", (Object) large);

      assertThat(failure("bytes", (Object) large).kind())
          .isEqualTo(CallFailure.Kind.ANSWER_REFUSED);
      assertThat(bed.call("bytes", (Object) new byte[100])).isNotNull();
    }
    assertThat(bed.call("bytes", (Object) large)).isEqualTo(large);
  }

  @Test
  void exceptionsComeAsTheServerHasThrownThem() throws Exception {
    CallFailure declared = failure("fail", "declared");
    assertThat(declared.kind()).isEqualTo(CallFailure.Kind.THROWN);
    assertThat(declared.getCause()).isInstanceOf(bed.type("desk.Desk$NoStock"));
    assertThat(declared.getCause().getClass().getMethod("getLeft").invoke(declared.getCause()))
        .isEqualTo(3);
    assertThat(failure("fail", "runtime").getCause())
        .isInstanceOf(IllegalStateException.class)
        .hasCauseInstanceOf(bed.type("desk.Desk$NoStock").asSubclass(Throwable.class));
    assertThat(failure("fail", "error").getCause()).isInstanceOf(ServerError.class);
    assertThat(failure("fail", "remote").getCause()).isInstanceOf(ServerException.class);
    CallFailure ofTheMethod = failure("fail", "noSuchObject");
    assertThat(ofTheMethod.kind()).isEqualTo(CallFailure.Kind.THROWN);
    assertThat(bed.outcomes).containsExactly(Map.entry("thrown", 5));
  }

  @Test
  void exceptionThatIsNotLetInIsAnException() {
    CallFailure refused = failure("fail", "refused");

    assertThat(refused.kind()).isEqualTo(CallFailure.Kind.THROWN);
    assertThat(refused.getCause()).isExactlyInstanceOf(RemoteException.class);
    assertThat(refused).hasMessageContaining(JMX);
  }

  @Test
  void classThatIsNotListedIsRefusedAndTheNextCallGoesWell() throws Exception {
    CallFailure refused = failure("of", SWING);

    assertThat(refused.kind()).isEqualTo(CallFailure.Kind.ANSWER_REFUSED);
    assertThat(refused).hasMessageContaining(SWING);
    assertThat(bed.call("anInt", 5)).isEqualTo(5);
  }

  @Test
  void argumentThatCannotBeSerializedIsNotSent() throws Exception {
    CallFailure failure = failure("any", new Object());

    assertThat(failure.kind()).isEqualTo(CallFailure.Kind.NOT_SENDABLE);
    assertThat(bed.outcomes).containsEntry("not_sendable", 1);
    assertThat(bed.call("anInt", 5)).isEqualTo(5);
    assertThat(bed.lookups).hasValue(1);
  }

  @Test
  void nameIsLookedUpOnce() throws Exception {
    for (int i = 0; i < 10; i++) {
      bed.call("nothing");
    }

    assertThat(bed.lookups).hasValue(1);
    assertThat(bed.counted("calls")).isEqualTo(10);
    assertThat(bed.outcomes).containsExactly(Map.entry("returned", 10));
  }

  @Test
  void reboundNameIsSeenWhenItsBindingIsOld() throws Exception {
    bed.call("nothing");
    bed.endServantLater();
    bed.bind();

    bed.poll(Duration.ZERO);
    bed.call("nothing");

    assertThat(bed.counted("calls")).isEqualTo(1);
  }

  @Test
  void restartedServerIsFoundAgainAndNothingIsExecutedTwice() throws Exception {
    bed.call("nothing");
    bed.endServant();
    bed.bind();

    bed.call("nothing");

    assertThat(bed.counted("calls")).isEqualTo(1);
    assertThat(bed.lookups).hasValue(2);
  }

  @Test
  void registryThatIsAwayLeavesItsBindingsInForce() throws Exception {
    bed.call("nothing");
    bed.poll(Duration.ZERO);
    bed.stopRegistry();

    bed.call("nothing");

    assertThat(bed.counted("calls")).isEqualTo(2);
  }

  @Test
  void objectThatIsGoneAndBoundNowhereIsUnreachable() throws Exception {
    bed.call("nothing");
    bed.endServant();
    bed.unbind();

    assertThat(failure("nothing").kind()).isEqualTo(CallFailure.Kind.UNREACHABLE);
    assertThat(failure("nothing").kind()).isEqualTo(CallFailure.Kind.UNREACHABLE);
  }

  @Test
  void hangingCallEndsAtItsDeadlineAndIsNotRepeated() throws Exception {
    bed.call("nothing");

    CallFailure late = failure(SOON, "hang");

    assertThat(late.kind()).isEqualTo(CallFailure.Kind.TIMED_OUT);
    assertThat(bed.counted("calls")).isEqualTo(2);
    bed.release();
  }

  @Test
  void policyDecidesWhoReachesWhat() throws Exception {
    try (BridgeVisit visit = bed.bridge.visit(bed.publication, BridgeBed.BOB, PATIENCE)) {
      RemoteObject desk = visit.named(bed.name());
      assertThatThrownBy(() -> bed.call(desk, "desk.Desk", "nothing"))
          .isInstanceOfSatisfying(
              CallFailure.class,
              e -> assertThat(e.kind()).isEqualTo(CallFailure.Kind.NOT_PERMITTED));
    }
    bed.call("nothing");
    bed.allow("elsewhere:*");
    assertThat(failure("nothing").kind()).isEqualTo(CallFailure.Kind.NOT_PERMITTED);
    assertThat(bed.counted("calls")).isEqualTo(1);
  }

  private static void assertRefusal(
      CallFailure failure, String rule, String reason, String className, String endpoint) {
    CallRefusal refusal = CallRefusal.of(failure).orElseThrow();
    assertThat(refusal)
        .isEqualTo(new CallRefusal(rule, reason, className, endpoint, refusal.advice()));
    assertThat(refusal.advice().isEmpty()).isEqualTo(className.isEmpty() && endpoint.isEmpty());
  }

  @Test
  void aRefusalSaysItsRuleAndWhatItIsAbout() throws Exception {
    String registry = bed.name().registry().toString();
    assertRefusal(failure("library"), "class", "reply: the class desk.Library", "desk.Library", "");
    assertRefusal(
        failure("of", SWING),
        "class",
        "reply: the class " + SWING + ", which is not in the jars",
        SWING,
        "");
    assertRefusal(
        failure("counters", 10_001), "unreadable", "reply: more than 10000 stubs", "", "");
    assertRefusal(
        failure("any", new Object()), "bad-request", "the arguments cannot be marshalled", "", "");
    assertThat(CallRefusal.of(failure("fail", "declared"))).isEmpty();
    assertThat(CallRefusal.of(failure("fail", "remote"))).isEmpty();
    bed.allow("elsewhere:*");
    assertRefusal(
        failure("nothing"), "target", "no entry of targets names " + registry, "", registry);
  }

  @Test
  void anExceptionThatIsNotLetInIsARefusedReply() {
    assertRefusal(
        failure("fail", "refused"),
        "class",
        "reply: " + OF_JMX + ", which is not in the jars",
        JMX,
        "");
  }

  @ParameterizedTest
  @ValueSource(strings = {"io", "runtime", "missing", "nameless"})
  void whatAClassThatReadsItselfSaysIsNoReason(String how) throws Exception {
    assertRefusal(failure("noisy", how), "unreadable", "reply: unreadable", "", "");

    Object noisy = bed.type("desk.Desk$Noisy").getConstructor(String.class).newInstance(how);
    assertRefusal(
        failureOfLookup(Jrmp.NORMAL_RETURN, noisy), "unreadable", "lookup: unreadable", "", "");
    assertRefusal(
        failureOfLookup(Jrmp.EXCEPTIONAL_RETURN, noisy),
        "unreadable",
        "lookup: unreadable",
        "",
        "");
  }

  @Test
  void anExceptionOfARegistryThatIsNotLetInIsARefusedLookup() throws Exception {
    assertRefusal(
        failureOfLookup(
            Jrmp.EXCEPTIONAL_RETURN, new javax.management.JMRuntimeException("a secret")),
        "class",
        "lookup: " + OF_JMX + ", which is not in the jars",
        JMX,
        "");
    assertThat(
            CallRefusal.of(
                failureOfLookup(Jrmp.EXCEPTIONAL_RETURN, new NotBoundException("a secret"))))
        .isEmpty();
  }

  /** Of a call by a name of which its registry says that. */
  private CallFailure failureOfLookup(int kind, Object said) throws Exception {
    try (ScriptedRmiServer registry = new ScriptedRmiServer(FailurePolicy.NONE);
        BridgeVisit visit = bed.visit()) {
      registry.answer(reply(kind, said));
      EndpointId endpoint = new EndpointId("localhost", registry.port());
      RemoteObject named = visit.named(new RegistryName(endpoint, BridgeBed.NAME));
      CallFailure failure =
          catchThrowableOfType(CallFailure.class, () -> bed.call(named, "desk.Desk", "nothing"));
      assertThat(failure.kind()).isEqualTo(CallFailure.Kind.UNREACHABLE);
      return failure;
    }
  }

  private static byte[] reply(int kind, Object value) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.write(Jrmp.RETURN);
    try (ObjectOutputStream out =
        new ObjectOutputStream(bytes) {
          @Override
          protected void annotateClass(Class<?> type) throws IOException {
            writeObject(null);
          }
        }) {
      out.writeByte(kind);
      out.write(new byte[Jrmp.UID_BYTES]);
      out.writeObject(value);
    }
    return bytes.toByteArray();
  }

  @Test
  void callsAreWithinTheLimitsOfThePolicyInForce() {
    assertThat(share().refusedBy()).isEmpty();
    bed.limitInProgress(1);
    CallShare first = share();
    assertThat(first.refusedBy()).isEmpty();
    assertThat(share().refusedBy()).contains("limit-in-progress");
    first.close();
    assertThat(share().refusedBy()).isEmpty();
  }

  private CallShare share() {
    return bed.bridge.share(BridgeBed.ANN, "10.0.0.1:4711", bed.name().registry());
  }

  @Test
  void loginThatHasExpiredCallsNothing() throws Exception {
    Principal past =
        new Principal("ann", Principal.Scheme.BEARER, Optional.of(Instant.now().minusSeconds(1)));
    try (BridgeVisit visit = bed.bridge.visit(bed.publication, past, PATIENCE)) {
      RemoteObject desk = visit.named(bed.name());
      assertThatThrownBy(() -> bed.call(desk, "desk.Desk", "nothing"))
          .isInstanceOf(CallFailure.class);
    }
    assertThat(bed.counted("calls")).isZero();
  }

  /** The bridge keeps ways and references for each principal: not for one who has lost a group. */
  @Test
  void whatAGroupMayIsNotForTheSamePrincipalWithoutIt() throws Exception {
    Principal member = Principal.listed("group:desks");
    bed.allowTo("group:desks", "127.0.0.1:*", "localhost:*");
    try (BridgeVisit visit = bed.bridge.visit(bed.publication, member, PATIENCE)) {
      bed.call(visit.named(bed.name()), "desk.Desk", "nothing");
    }
    Principal other = new Principal(member.name(), member.scheme());
    try (BridgeVisit visit = bed.bridge.visit(bed.publication, other, PATIENCE)) {
      RemoteObject desk = visit.named(bed.name());
      assertThatThrownBy(() -> bed.call(desk, "desk.Desk", "nothing"))
          .isInstanceOfSatisfying(
              CallFailure.class,
              e -> assertThat(e.kind()).isEqualTo(CallFailure.Kind.NOT_PERMITTED));
    }
  }

  @Test
  void unknownRegistryIsUnreachable() throws Exception {
    try (BridgeVisit visit = bed.visit()) {
      RemoteObject nowhere =
          visit.named(new RegistryName(new EndpointId("localhost", 1), BridgeBed.NAME));
      assertThatThrownBy(() -> bed.call(nowhere, "desk.Desk", "nothing"))
          .isInstanceOfSatisfying(
              CallFailure.class, e -> assertThat(e.kind()).isEqualTo(CallFailure.Kind.UNREACHABLE));
    }
  }

  @Test
  void referenceCanBeCalledAndPassedBackAsTheStubItWas() throws Exception {
    try (BridgeVisit visit = bed.visit()) {
      RemoteObject desk = visit.named(bed.name());
      Object counter = bed.call(desk, "desk.Desk", "counter");
      try (HeldReference kept = visit.keep(counter)) {
        assertThat(kept.interfaces()).contains("desk.Desk$Counter");

        RemoteObject behind = visit.referenced(kept);
        assertThat(bed.call(behind, "desk.Desk$Counter", "add", 2)).isEqualTo(2);
        assertThat(bed.call(desk, "desk.Desk", "add", counter, 3)).isEqualTo(5);
        assertThat(bed.call(desk, "desk.Desk", "isOwn", counter)).isEqualTo(true);
        Object argument = visit.argument(kept, bed.type("desk.Desk$Counter")).orElseThrow();
        assertThat(bed.call(desk, "desk.Desk", "isOwn", argument)).isEqualTo(true);
        assertThat(argument).isEqualTo(counter).hasSameHashCodeAs(counter);
        assertThat(visit.argument(kept, bed.type("desk.Desk"))).isEmpty();
        assertThat(bed.call(desk, "desk.Desk", "any", counter)).isEqualTo(counter);
      }
    }
  }

  @Test
  void referencesThatNobodyKeepsAreReleasedWithTheVisit() throws Exception {
    try (BridgeVisit visit = bed.visit()) {
      bed.call(visit.named(bed.name()), "desk.Desk", "counters", 5);
      assertThat(bed.referencesHeld).hasValue(5);
      await().until(() -> bed.leases.views().get(0).endpoints().get(0).held() == 5);
      await().until(() -> bed.acknowledged.get() == 2); // of the lookup, and of the call
    }

    assertThat(bed.referencesHeld).hasValue(0);
    await().until(() -> bed.counted("unreferenced") == 5);
  }

  @Test
  void keptReferenceOutlivesItsVisitUntilItsLastHoldIsClosed() throws Exception {
    HeldReference one;
    HeldReference another;
    try (BridgeVisit visit = bed.visit()) {
      @SuppressWarnings("unchecked")
      List<Object> counters =
          (List<Object>) bed.call(visit.named(bed.name()), "desk.Desk", "counters", 2);
      one = visit.keep(counters.get(0));
      another = visit.keep(counters.get(0));
    }
    await().until(() -> bed.counted("unreferenced") == 1);
    one.close();
    one.close();
    try (BridgeVisit visit = bed.visit()) {
      RemoteObject counter = visit.referenced(another);
      assertThat(bed.call(counter, "desk.Desk$Counter", "add", 7)).isEqualTo(7);
    }
    assertThat(bed.counted("unreferenced")).isEqualTo(1);

    another.close();

    await().until(() -> bed.counted("unreferenced") == 2);
    assertThat(bed.referencesHeld).hasValue(0);
  }

  @Test
  void referenceOfAnotherPrincipalIsNobodyElses() throws Exception {
    try (BridgeVisit visit = bed.visit();
        BridgeVisit other = bed.bridge.visit(bed.publication, BridgeBed.BOB, PATIENCE)) {
      Object counter = bed.call(visit.named(bed.name()), "desk.Desk", "counter");
      try (HeldReference kept = visit.keep(counter)) {
        assertThatThrownBy(() -> other.referenced(kept))
            .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> other.keep(counter)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> other.argument(kept, bed.type("desk.Desk$Counter")))
            .isInstanceOf(IllegalArgumentException.class);
      }
    }
  }

  @Test
  void endOfTheBridgeReleasesWhatIsHeldAndEndsCalls() throws Exception {
    BridgeVisit visit = bed.visit();
    visit.keep(bed.call(visit.named(bed.name()), "desk.Desk", "counter"));
    CompletableFuture<CallFailure> hanging =
        CompletableFuture.supplyAsync(
            () -> failure(PATIENCE, "hang"), task -> new Thread(task).start());
    await().until(() -> bed.counted("calls") == 1);

    bed.bridge.close();

    assertThat(hanging.get().kind()).isEqualTo(CallFailure.Kind.LOST);
    await().until(() -> bed.counted("unreferenced") == 1);
    assertThat(failure("nothing").kind()).isEqualTo(CallFailure.Kind.UNREACHABLE);
    bed.release();
  }
}
