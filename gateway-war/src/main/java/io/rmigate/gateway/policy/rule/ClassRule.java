package io.rmigate.gateway.policy.rule;

import io.rmigate.gateway.policy.remote.InterfaceJars;
import io.rmigate.gateway.policy.remote.JmxAccess;
import io.rmigate.gateway.policy.remote.JmxProfile;
import io.rmigate.gateway.policy.rule.LearnedNotes.Note;
import io.rmigate.gateway.policy.type.ClassPattern;
import io.rmigate.gateway.policy.type.JavaNames;
import io.rmigate.gateway.policy.type.ValueTypes;
import io.rmigate.gateway.scan.ScanResult;
import io.rmigate.gateway.scan.SeenClass;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The rule about the classes that messages may name. */
public final class ClassRule implements CallRule {
  /** Patterns: the first that matches decides. */
  public static final RuleKey<List<ClassPattern>> KEY =
      RuleKey.list("classes", ClassPattern::parse).andForAll("allow", List.of());

  static final RuleType TYPE =
      new SimpleRuleType(
          List.of(KEY),
          ClassRule::new,
          note -> note.rule() == Objection.Rule.CLASS,
          Lines::new,
          ClassRule::write);

  /** Advice for an operator whose new gateway refuses the first calls of an application. */
  static final String ADVICE_WITHOUT_JARS =
      "; classes.interfaces (--interfaces DIR), a directory with the jars of the remote interfaces,"
          + " allows all that they need; classes.mode: learn (--learn) lets everything pass and"
          + " notes what is needed, for `policy learned` to print";

  private final List<ClassPattern> patterns;
  private final Set<String> opaque;
  private final boolean jmx;
  private final InterfaceJars jars;

  /** Names and patterns of permitted classes that are in none of the jars. */
  private final Set<String> withoutJar;

  private ClassRule(Combination entries) {
    this.patterns = List.copyOf(entries.list(KEY));
    this.opaque = Set.copyOf(entries.list(OpaqueRule.KEY));
    this.jmx = MethodRules.jmx(entries).isSpoken();
    this.jars = entries.jars();
    this.withoutJar = withoutJar(patterns, opaque, jars);
  }

  /** Names and patterns of permitted classes that are in none of the jars. */
  public static Set<String> withoutJar(ClassSettings settings, InterfaceJars jars) {
    return withoutJar(settings.get(KEY), Set.copyOf(settings.get(OpaqueRule.KEY)), jars);
  }

  private static Set<String> withoutJar(
      List<ClassPattern> patterns, Set<String> opaque, InterfaceJars jars) {
    return Stream.of(
            opaque.stream(),
            jars.mentioned().stream(),
            patterns.stream().filter(ClassPattern::allows).map(ClassPattern::toString))
        .flatMap(Function.identity())
        .filter(name -> !jars.has(name) && !ValueTypes.NAMES.contains(name))
        .filter(name -> !name.startsWith("java.") && !name.startsWith("javax."))
        .collect(Collectors.toUnmodifiableSet());
  }

  /**
   * What speaks against the classes of a message.
   *
   * @param toClient a client reads it, and no server
   * @param most objections after which no more are of interest
   */
  void judge(ScanResult seen, boolean toClient, int most, List<Objection> objections) {
    List<SeenClass> types = seen.classes();
    for (int i = 0; i < types.size(); i++) { // each call: no iterator
      SeenClass type = types.get(i);
      if (objections.size() >= most) {
        return;
      }
      if (!allows(type.name()) && !(toClient && allowsToClients(type.name()))) {
        String name = Objection.printable(type.name());
        objections.add(new Objection(Objection.Rule.CLASS, name, remedy(name)));
      }
    }
  }

  private String remedy(String name) {
    boolean wantsJmx = !jmx && JmxProfile.owns(name) && !isTakenAway(name);
    return wantsJmx ? JmxAccess.FULL.line() : "classes: ['" + name + "']";
  }

  private boolean isTakenAway(String name) {
    return firstPattern(name).filter(pattern -> !pattern.allows()).isPresent();
  }

  private Optional<ClassPattern> firstPattern(String name) {
    for (ClassPattern pattern : patterns) {
      if (pattern.matches(name)) {
        return Optional.of(pattern);
      }
    }
    return Optional.empty();
  }

  private boolean allowsToClients(String name) {
    return ValueTypes.FOR_CLIENTS.contains(name) && !isTakenAway(name);
  }

  /** Whether messages may name this class; not one of an array. */
  boolean allows(String name) {
    Optional<ClassPattern> pattern = firstPattern(name);
    if (pattern.isPresent()) {
      return pattern.get().allows();
    }
    return ValueTypes.NAMES.contains(name)
        || opaque.contains(name)
        || jars.mentions(name)
        || (jmx && JmxProfile.allows(name))
        || jars.isHarmless(name, withoutJar);
  }

  @Override
  public Optional<String> advice(Objection objection) {
    return objection.rule() == Objection.Rule.CLASS
            && jars.isEmpty()
            && !JavaNames.isOfJdk(objection.subject())
            && !objection.wantsJmx()
        ? Optional.of(objection.advice() + ADVICE_WITHOUT_JARS)
        : Optional.empty();
  }

  @Override
  public boolean refuses(Note note) {
    return !allows(note.subject());
  }

  /** The lines of the section {@code classes}. */
  private static void write(LearnedSection section) {
    section.list(KEY, section.settings().get(KEY).stream().map(ClassPattern::toString).toList());
  }

  private static final class Lines implements LearnedLines {
    private final LearnedEntry entry;
    private final Set<String> classes = new TreeSet<>();

    Lines(LearnedEntry entry) {
      this.entry = entry;
    }

    @Override
    public void add(Note note) {
      if (!entry.jars().mentions(note.subject())) {
        entry.addClass(note, classes);
      }
    }

    @Override
    public void write(StringBuilder yaml) {
      if (entry.speaksJmx()) {
        classes.removeIf(JmxProfile::allows);
      }
      LearnedEntry.list(yaml, KEY.inEntries(), classes);
    }
  }
}
