package io.rmigate.gateway.policy.rule;

import io.rmigate.gateway.policy.rule.LearnedNotes.Note;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Whether only objects may be called that a server has given to the session. */
public final class ObjectRule implements CallRule {
  /** Empty: so, if no other entry says the contrary. */
  public static final RuleKey<Optional<Boolean>> KEY =
      RuleKey.of(
          "received-objects",
          Optional.empty(),
          words -> words.stream().findFirst().map(Boolean::valueOf));

  public static final RuleType TYPE =
      new SimpleRuleType(
          List.of(KEY),
          ObjectRule::new,
          note -> note.rule() == Objection.Rule.OBJECT,
          entry -> new Lines());

  /** The advised line for calls to an object that the session was not given. */
  static final String ANY_OBJECTS = KEY.inEntries() + ": false";

  /** Advice where an object is refused although the client believes that it was given. */
  private static final String ADVICE =
      "; the session neither looked it up nor received it from a server. The stub may have come"
          + " past this gateway, or from before a restart with other grant keys, or from an earlier"
          + " session of a client without an agent: look it up again";

  private final boolean receivedOnly;
  private final boolean enforced;

  private ObjectRule(Combination entries) {
    this.receivedOnly =
        switch (entries.mode()) {
          case OFF -> false;
          case LEARN -> true; // it is noted again, too
          case ENFORCE -> entries.isStrictest() ? isStrictest(entries) : isTogether(entries);
        };
    this.enforced = entries.mode() == ClassMode.ENFORCE;
  }

  /** Unless an entry says that any may be called, and none the contrary. */
  private static boolean isTogether(Combination entries) {
    return entries.entries().stream().anyMatch(ObjectRule::isSet)
        || entries.entries().stream().allMatch(entry -> entry.get(KEY).isEmpty());
  }

  /** Unless all entries of the strictest mode say that any may be called. */
  private static boolean isStrictest(Combination entries) {
    return entries.entries().isEmpty()
        || entries.entries().stream()
            .filter(entry -> entries.mode(entry) == entries.mode())
            .anyMatch(entry -> entry.get(KEY).orElse(true));
  }

  /** Whether an entry says so itself. */
  public static boolean isSet(EntryRules entry) {
    return entry.get(KEY).orElse(false);
  }

  /** Whether only objects may be called that the session was given. */
  public boolean limitsObjects() {
    return receivedOnly;
  }

  /**
   * What speaks against calling an object.
   *
   * @param received whether a server has given it to the session
   */
  public List<Objection> judge(ObjIdentifier object, Predicate<ObjIdentifier> received) {
    if (!receivedOnly || received.test(object)) {
      return List.of();
    }
    return List.of(
        enforced
            ? new Objection(Objection.Rule.OBJECT, object.toString(), ANY_OBJECTS)
            : RequiredPermissions.anyObjects()); // of all there is one note
  }

  @Override
  public Optional<String> advice(Objection objection) {
    return objection.rule() == Objection.Rule.OBJECT
        ? Optional.of(objection.advice() + ADVICE)
        : Optional.empty();
  }

  @Override
  public boolean refuses(Note note) {
    return receivedOnly;
  }

  private static final class Lines implements LearnedLines {
    private boolean anyObjects;

    @Override
    public void add(Note note) {
      anyObjects = true;
    }

    @Override
    public void write(StringBuilder yaml) {
      if (anyObjects) {
        yaml.append(
            "    %s # objects were called that no server had given this way%n"
                .formatted(ANY_OBJECTS));
      }
    }
  }
}
