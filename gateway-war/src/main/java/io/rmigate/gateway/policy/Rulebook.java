package io.rmigate.gateway.policy;

import io.rmigate.gateway.policy.remote.InterfaceJars;
import io.rmigate.gateway.policy.remote.JmxProfile;
import io.rmigate.gateway.policy.rule.ClassMode;
import io.rmigate.gateway.policy.rule.ClassRule;
import io.rmigate.gateway.policy.rule.ClassSettings;
import io.rmigate.gateway.policy.rule.Codebases;
import io.rmigate.gateway.policy.rule.Combination;
import io.rmigate.gateway.policy.rule.EntryRules;
import io.rmigate.gateway.policy.rule.LearnedNotes;
import io.rmigate.gateway.policy.rule.LearnedPolicy;
import io.rmigate.gateway.policy.rule.LearnedRules;
import io.rmigate.gateway.policy.rule.LearningLog;
import io.rmigate.gateway.policy.rule.MessageBound;
import io.rmigate.gateway.policy.rule.NewPortsRule;
import io.rmigate.gateway.policy.rule.ObjectRule;
import io.rmigate.gateway.policy.type.RemoteMethod;
import io.rmigate.gateway.scan.ScanLimits;
import io.rmigate.gateway.scan.StreamScanner;
import io.rmigate.gateway.scan.shape.Shape;
import io.rmigate.gateway.scan.shape.Shapes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What holds for all targets, from which the {@link CallRules} of each are made. Immutable: a
 * reload makes another one.
 */
public final class Rulebook {
  /** A rulebook by which calls are not inspected, unless an entry of {@code targets} says so. */
  public static final Rulebook OFF =
      new Rulebook(
          new ClassSettings(
              ClassMode.OFF, List.of(), List.of(), Optional.empty(), ClassSettings.CALL_LIMIT),
          InterfaceJars.NONE,
          LearningLog.NOTHING);

  private static final Set<String> OF_JDK =
      Shapes.ofJdk().all().stream().map(Shape::name).collect(Collectors.toUnmodifiableSet());

  private final ClassSettings settings;
  private final InterfaceJars jars;
  private final StreamScanner scanner;

  /** Reads as deep as may be configured, to note how deep a message is. */
  private final StreamScanner learningScanner;

  private final LearningLog learned;

  /** The methods with names for people, by hash. */
  private final Map<Long, List<RemoteMethod>> named;

  private Rulebook(ClassSettings settings, InterfaceJars jars, LearningLog learned) {
    this.settings = settings;
    this.jars = jars;
    this.learned = learned;
    this.named =
        jars.allMethods().all().stream()
            .filter(method -> jars.hasMethod(method.hash()) || JmxProfile.isOnlyIts(method.hash()))
            .sorted(Comparator.comparing(RemoteMethod::toString))
            .collect(Collectors.groupingBy(RemoteMethod::hash));
    Shapes shapes = Shapes.ofJdk().with(jars.shapes());
    boolean drops = settings.get(Codebases.KEY) == Codebases.DROP;
    this.scanner =
        new StreamScanner(
            shapes, limits(settings.bound(MessageBound.DEPTH), false), drops, this::asks);
    this.learningScanner =
        new StreamScanner(shapes, limits(MessageBound.DEPTH.most(), true), drops, this::asks);
  }

  private boolean asks(String className) {
    return !OF_JDK.contains(className) && jars.asks(className);
  }

  private ScanLimits limits(int depth, boolean goesOn) {
    return ScanLimits.DEFAULT.with(
        depth,
        settings.bound(MessageBound.OBJECTS),
        settings.bound(MessageBound.CLASSES),
        settings.bound(MessageBound.REFERENCES),
        settings.bound(MessageBound.PROXIES),
        settings.bound(MessageBound.HASHING),
        goesOn);
  }

  /**
   * With the jars read.
   *
   * @param learned where objections are noted in mode {@code learn}
   * @throws IOException one of them cannot be read
   */
  public static Rulebook of(ClassSettings settings, LearningLog learned) throws IOException {
    return of(settings, learned, Optional.empty());
  }

  /**
   * A rulebook with the jars read, and with what is known of them.
   *
   * @param state directory in which it is kept which classes of the jars are proven harmless
   */
  public static Rulebook of(ClassSettings settings, LearningLog learned, Optional<Path> state)
      throws IOException {
    InterfaceJars jars =
        settings.interfaces().isPresent()
            ? InterfaceJars.of(settings.interfaces().get(), state)
            : InterfaceJars.NONE;
    if (settings.mode() != ClassMode.OFF) {
      jars.proveIfNeededBefore(ClassRule.withoutJar(settings, jars));
    }
    return new Rulebook(settings, jars, learned);
  }

  /**
   * The rules where these entries hold together. Patterns count in the order of the entries, then
   * come those of all; of mode and limits the first entry that says so decides. Only objects may be
   * called that the session was given, unless an entry says that any may, and none the contrary.
   */
  public CallRules rules(List<EntryRules> entries) {
    return rules(Combination.together(entries, settings, jars));
  }

  /**
   * The rules where it is not known which of these entries holds: their lists count together, the
   * strictest mode holds, where one names methods only what is named may be called, and only what
   * all of them say streams, speaks JMX, has new ports or is granted there. Any object may be
   * called if all entries of the strictest mode say so.
   */
  public CallRules strictestRules(List<EntryRules> entries) {
    return rules(Combination.strictest(entries, settings, jars));
  }

  private CallRules rules(Combination entries) {
    return new CallRules(entries, entries.learns() ? learningScanner : scanner, learned);
  }

  /** The mode of an entry. */
  public ClassMode mode(EntryRules entry) {
    return entry.get(EntryRules.MODE).orElseGet(settings::mode);
  }

  /** Whether an entry says itself that only objects may be called that the session was given. */
  public boolean saysThatObjectsAreLimited(EntryRules entry) {
    return ObjectRule.isSet(entry) && mode(entry) != ClassMode.OFF;
  }

  /** Whether an entry permits ports that no registry has named. */
  public static boolean hasNewPorts(EntryRules entry) {
    return entry.get(NewPortsRule.KEY);
  }

  /**
   * Whether notes were taken with jars of interfaces, of whose classes there are none; not so here.
   */
  public boolean lacksJars(Collection<LearnedNotes.Note> notes) {
    return LearnedRules.lacksJars(notes, jars);
  }

  /** The rules from these notes, as sections of a configuration that permit nothing else. */
  public String learnedRules(List<LearnedNotes.Note> notes) {
    return LearnedRules.yaml(notes, settings, jars);
  }

  /** The policy from these notes, with its further requirements and its gaps. */
  public LearnedPolicy learnt(List<LearnedNotes.Note> notes) {
    return LearnedRules.learnt(notes, settings, jars);
  }

  /**
   * The name of a method, for people; empty if it is not known.
   *
   * @param interfaces of its object, as far as they are known, with commas between them: they
   *     decide if several interfaces have that method
   */
  public String methodName(long hash, String interfaces) {
    List<RemoteMethod> methods = named.getOrDefault(hash, List.of());
    if (methods.size() < 2) {
      return methods.isEmpty() ? "" : methods.get(0).toString();
    }
    List<String> types = Arrays.asList(interfaces.split(", "));
    return methods.stream()
        .filter(method -> types.contains(method.type()))
        .findFirst()
        .map(RemoteMethod::toString)
        .orElseGet(() -> methods.get(0).signature());
  }

  /** The mode for entries of {@code targets} without a mode of their own. */
  public ClassMode mode() {
    return settings.mode();
  }
}
