package io.rmigate.gateway.policy.rule;

import io.rmigate.gateway.policy.remote.InterfaceJars;
import io.rmigate.gateway.policy.remote.JmxAccess;
import io.rmigate.gateway.policy.remote.JmxGrant;
import io.rmigate.gateway.policy.remote.JmxProfile;
import io.rmigate.gateway.policy.remote.RemoteMethods;
import io.rmigate.gateway.policy.rule.LearnedNotes.Note;
import io.rmigate.gateway.policy.type.MethodPattern;
import io.rmigate.gateway.policy.type.RemoteMethod;
import io.rmigate.gateway.scan.Arguments;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.message.CallHeader;
import io.rmigate.protocol.jrmp.message.RegistryOperation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which methods may be called. Only hashes travel, which are of a name, parameters and a result: a
 * method of that kind is the same in all interfaces. Immutable; any thread.
 */
public final class MethodRules implements CallRule {
  /** Methods that may be called; empty: all that the jars have. */
  public static final RuleKey<List<MethodPattern>> KEY =
      RuleKey.list("methods", MethodPattern::parse).idleWhereOff(patterns -> !patterns.isEmpty());

  /** The access to JMX that a target permits. */
  public static final RuleKey<JmxAccess> JMX =
      RuleKey.of("jmx", JmxAccess.NONE, words -> JmxAccess.of(words.get(0)))
          .idleWhereOff(access -> access == JmxAccess.READ);

  /** Grants of a target for operations of JMX beyond {@link JmxAccess#FULL}. */
  public static final RuleKey<Set<JmxGrant>> GRANTS =
      RuleKey.of("jmx-grants", Set.of(), MethodRules::grants);

  public static final RuleType TYPE =
      new SimpleRuleType(
          List.of(KEY, JMX, GRANTS),
          MethodRules::new,
          note -> note.rule() == Objection.Rule.METHOD,
          Lines::new);

  /** Advice where an item with {@code !} takes the method away: another line would not help. */
  private static final String ADVICE =
      "to allow it take out what takes it away, with ! in front, in methods of a targets entry";

  /** The beginning of the advised line, where other methods are listed. */
  private static final String METHODS = "methods: ['";

  private static final int NO_OPERATION = -1;

  /**
   * Hash of a method that no object has: servers say so before they read an argument. The client's
   * doctor asks by it whether an object is there.
   */
  private static final long NO_METHOD = 0;

  private static final Pattern HASH = Pattern.compile("(\\p{XDigit}{16})(?: .*)?");

  private final InterfaceJars jars;

  /**
   * Hashes; empty: all in the jars, and those of JMX that {@link #jmx} permits; where there are no
   * jars, any.
   */
  private final Optional<Set<Long>> permitted;

  /** Hashes of what an entry takes away, whether another one permits it or not. */
  private final Set<Long> takenAway;

  private final JmxAccess jmx;
  private final Set<JmxGrant> grants;

  private MethodRules(Combination entries) {
    this.jars = entries.jars();
    this.jmx = jmx(entries);
    this.grants = grants(entries);
    this.permitted = permitted(entries).map(Set::copyOf);
    Set<Long> taken = new HashSet<>();
    for (EntryRules entry : entries.entries()) {
      taken.addAll(takenAway(entry.get(KEY), jars.allMethods()));
    }
    this.takenAway = Set.copyOf(taken);
  }

  private static Set<JmxGrant> grants(List<String> words) {
    return words.stream()
        .flatMap(word -> JmxGrant.of(word).stream())
        .collect(Collectors.toUnmodifiableSet());
  }

  /** The most access to JMX that entries permit; the least of entries that may not hold. */
  static JmxAccess jmx(Combination entries) {
    Stream<JmxAccess> all = entries.entries().stream().map(entry -> entry.get(JMX));
    Comparator<JmxAccess> laxer = Comparator.naturalOrder();
    return (entries.isStrictest() ? all.min(laxer) : all.max(laxer)).orElse(JmxAccess.NONE);
  }

  private static Set<JmxGrant> grants(Combination entries) {
    Set<JmxGrant> grants =
        entries.isStrictest() ? EnumSet.allOf(JmxGrant.class) : EnumSet.noneOf(JmxGrant.class);
    for (EntryRules entry : entries.entries()) {
      if (entries.isStrictest()) {
        grants.retainAll(entry.get(GRANTS));
      } else {
        grants.addAll(entry.get(GRANTS));
      }
    }
    return Set.copyOf(grants);
  }

  /**
   * The hashes of what those entries name that name any method; empty where any may be called:
   * where one entry names none, or, of entries that may not hold, where none names any.
   */
  private static Optional<Set<Long>> permitted(Combination entries) {
    List<EntryRules> naming =
        entries.entries().stream().filter(entry -> !entry.get(KEY).isEmpty()).toList();
    if (naming.isEmpty() || (!entries.isStrictest() && naming.size() < entries.entries().size())) {
      return Optional.empty();
    }
    Set<Long> hashes = new HashSet<>();
    for (EntryRules entry : naming) {
      hashes.addAll(permitted(entry.get(KEY), entries.jars().allMethods()));
    }
    return Optional.of(hashes);
  }

  /** The hashes that these patterns leave: what one takes away is gone, wherever it stands. */
  static Set<Long> permitted(List<MethodPattern> patterns, RemoteMethods methods) {
    boolean named = patterns.stream().anyMatch(MethodPattern::allows);
    Set<Long> left = new HashSet<>();
    for (RemoteMethod method : methods.all()) {
      if (!named || patterns.stream().anyMatch(p -> p.allows() && p.matches(method))) {
        left.add(method.hash());
      }
    }
    left.removeAll(takenAway(patterns, methods));
    return left;
  }

  /** The hashes that these patterns take away. */
  static Set<Long> takenAway(List<MethodPattern> patterns, RemoteMethods methods) {
    Set<Long> taken = new HashSet<>();
    List<MethodPattern> without = patterns.stream().filter(p -> !p.allows()).toList();
    if (!without.isEmpty()) {
      for (RemoteMethod method : methods.all()) {
        if (without.stream().anyMatch(p -> p.matches(method))) {
          taken.add(method.hash());
        }
      }
    }
    return taken;
  }

  /** Whether a method was noted that only a jar can have told of. */
  static boolean isOfJar(Note note) {
    return note.rule() == Objection.Rule.METHOD
        && note.remedy().startsWith(METHODS)
        && hash(note.subject())
            .filter(hash -> RemoteMethods.ofJmx().named(hash).isEmpty())
            .isPresent();
  }

  @Override
  public Optional<String> advice(Objection objection) {
    return objection.rule() == Objection.Rule.METHOD
            && objection.remedy().startsWith(METHODS)
            && hash(objection.subject()).filter(takenAway::contains).isPresent()
        ? Optional.of(ADVICE)
        : Optional.empty();
  }

  /** Whether a call is of a method of JMX, whose arguments are looked into as a whole. */
  public boolean isOfJmx(CallHeader header) {
    return jmx.isSpoken() && JmxProfile.has(header.hash());
  }

  /** Whether a method is one of an interface in the jars. */
  public boolean isExplained(CallHeader header) {
    return header.operation() == NO_OPERATION && jars.hasMethod(header.hash());
  }

  /** The objection to the method of a call; empty when the method is permitted. */
  public Optional<Objection> objection(CallHeader header) {
    if (jmx.isSpoken()
        && JmxProfile.creates(header.hash())
        && !grants.contains(JmxGrant.CREATE_MBEANS)) {
      return Optional.of(missing(JmxGrant.CREATE_MBEANS));
    }
    if (isBeyondReading(header.hash())) {
      return Optional.of(wantsJmx(header.hash(), JmxAccess.FULL));
    }
    ObjIdentifier object = header.object();
    if (object.equals(ObjIdentifier.DGC)) {
      return Optional.empty(); // judged by itself
    }
    if (object.equals(ObjIdentifier.REGISTRY)) {
      return objectionAtRegistry(header.operation(), header.hash());
    }
    return objection(header.operation(), header.hash());
  }

  /** Everybody knows the methods of a registry; another one must be in a jar. */
  private Optional<Objection> objectionAtRegistry(int operation, long hash) {
    boolean byHash = operation == NO_OPERATION;
    return RegistryOperation.of(operation, hash).isPresent()
            || (byHash && jars.hasMethod(hash) && mayBeCalled(hash))
        ? Optional.empty()
        : Optional.of(unknown(operation, hash));
  }

  private static Objection unknown(int operation, long hash) {
    return new Objection(
        Objection.Rule.METHOD,
        operation == NO_OPERATION ? number(hash) : "operation " + operation,
        Objection.JAR_OF_METHOD);
  }

  /** The objection to a method of an object that is no registry. */
  public Optional<Objection> objection(int operation, long hash) {
    if (operation < NO_OPERATION) { // no stub writes it, and servers take the hash as with −1
      return Optional.of(new Objection(Objection.Rule.METHOD, "operation " + operation, ""));
    }
    boolean byHash = operation == NO_OPERATION;
    if (isBeyondReading(hash)
        || (byHash && !jmx.isSpoken() && JmxProfile.isOnlyIts(hash) && !jars.hasMethod(hash))) {
      return Optional.of(wantsJmx(hash, JmxAccess.FULL));
    }
    if (byHash && mayBeCalled(hash)) {
      return Optional.empty();
    }
    if (permitted.isEmpty() && (jars.isEmpty() || (jmx.isSpoken() && JmxProfile.has(hash)))) {
      return Optional.empty();
    }
    List<RemoteMethod> known = byHash ? jars.allMethods().named(hash) : List.of();
    return Optional.of(
        known.isEmpty()
            ? unknown(operation, hash)
            : new Objection(
                Objection.Rule.METHOD, named(hash, known), METHODS + known.get(0) + "']"));
  }

  /** Jars change nothing, because these are methods of JMX alone. */
  private boolean isBeyondReading(long hash) {
    return jmx == JmxAccess.READ && JmxProfile.changes(hash);
  }

  private Objection wantsJmx(long hash, JmxAccess wanted) {
    return new Objection(
        Objection.Rule.METHOD, named(hash, jars.allMethods().named(hash)), wanted.line());
  }

  private static String named(long hash, List<RemoteMethod> known) {
    return known.stream()
        .map(RemoteMethod::toString)
        .sorted()
        .collect(Collectors.joining(" ", number(hash) + " ", ""));
  }

  static String number(long hash) {
    return String.format("%016x", hash);
  }

  private boolean mayBeCalled(long hash) {
    if (hash == NO_METHOD) {
      return true;
    }
    return permitted.isPresent()
        ? permitted.get().contains(hash)
            && (jmx.isSpoken() || jars.hasMethod(hash) || !JmxProfile.has(hash))
        : jars.isEmpty() || (jmx.isSpoken() && JmxProfile.has(hash)) || jars.hasMethod(hash);
  }

  /** Numbers, from 1, of the parameters that are objects; empty where no jar has the method. */
  public List<Integer> objectParameters(CallHeader header) {
    List<RemoteMethod> known =
        header.operation() == NO_OPERATION
            ? jars.allMethods().named(header.hash())
            : List.<RemoteMethod>of();
    return known.isEmpty() ? List.of() : known.get(0).objectParameters();
  }

  /**
   * What a method of the jars takes; empty for one of JMX or of a registry, and where none has it.
   */
  public Optional<Arguments> declared(int operation, long hash) {
    return operation == NO_OPERATION
            && jars.hasMethod(hash)
            && !JmxProfile.has(hash)
            && RegistryOperation.of(operation, hash).isEmpty()
        ? jars.allMethods().named(hash).stream().findFirst().map(RemoteMethod::arguments)
        : Optional.empty();
  }

  /** The objection to a call for want of this grant. */
  static Objection missing(JmxGrant grant) {
    return new Objection(Objection.Rule.METHOD, grant.subject(), grant.remedy());
  }

  /** The objection to the arguments of a call; empty when they are permitted. */
  public Optional<Objection> arguments(CallHeader header, byte[] call) {
    return jmx.isSpoken() || JmxProfile.isOnlyIts(header.hash())
        ? JmxProfile.missingGrant(header, call, grants).map(MethodRules::missing)
        : Optional.empty();
  }

  /** Rules that the method of a call needs where the configuration has none yet. */
  public List<Objection> needs(CallHeader header, byte[] call) {
    long hash = header.hash();
    if (header.operation() != NO_OPERATION || hash == NO_METHOD) {
      return List.of();
    }
    List<RemoteMethod> known = jars.allMethods().named(hash);
    List<Objection> needs = new ArrayList<>(3);
    if (!known.isEmpty()) {
      needs.add(
          new Objection(Objection.Rule.METHOD, named(hash, known), METHODS + known.get(0) + "']"));
    } else if (jars.isEmpty()) {
      needs.add(new Objection(Objection.Rule.METHOD, number(hash), "")); // jars may come later
    }
    if (JmxProfile.isOnlyIts(hash) && !jars.hasMethod(hash)) {
      needs.add(wantsJmx(hash, JmxProfile.changes(hash) ? JmxAccess.FULL : JmxAccess.READ));
      JmxProfile.missingGrant(header, call, Set.of())
          .map(MethodRules::missing)
          .ifPresent(needs::add);
      if (JmxProfile.creates(hash)) {
        needs.add(missing(JmxGrant.CREATE_MBEANS));
      }
    }
    return needs;
  }

  /** The hash of a method, from the subject of a note. */
  static Optional<Long> hash(String subject) {
    Matcher noted = HASH.matcher(subject);
    return noted.matches()
        ? Optional.of(Long.parseUnsignedLong(noted.group(1), 16))
        : Optional.empty();
  }

  @Override
  public boolean refuses(Note note) {
    Optional<Long> hash = hash(note.subject());
    if (hash.isEmpty()) {
      Optional<JmxGrant> grant =
          Stream.of(JmxGrant.values())
              .filter(one -> one.subject().equals(note.subject()))
              .findFirst();
      if (grant.isPresent()) {
        return !jmx.isSpoken() || !grants.contains(grant.get());
      }
      return permitted.isPresent() || !jars.isEmpty();
    }
    return objection(NO_OPERATION, hash.get()).isPresent();
  }

  private static final class Lines implements LearnedLines {
    private final LearnedEntry entry;
    private final InterfaceJars jars;
    private final Set<Long> methods = new HashSet<>();
    private final Set<String> grants = new TreeSet<>();
    private JmxAccess jmx = JmxAccess.NONE;

    Lines(LearnedEntry entry) {
      this.entry = entry;
      this.jars = entry.jars();
    }

    @Override
    public void add(Note note) {
      Optional<JmxGrant> grant =
          Stream.of(JmxGrant.values()).filter(g -> g.remedy().equals(note.remedy())).findFirst();
      if (grant.isPresent()) {
        jmx = JmxAccess.FULL;
        grants.add(grant.get().word());
      } else {
        for (JmxAccess access : JmxAccess.values()) {
          if (note.remedy().equals(access.line()) && access.compareTo(jmx) > 0) {
            jmx = access;
          }
        }
        Optional<Long> hash = hash(note.subject());
        if (hash.isPresent()) {
          methods.add(hash.get());
        } else {
          entry.addGap(
              note, "no interface can name it: its stub is of before JDK 1.2, or made by hand");
        }
      }
      if (jmx.isSpoken()) {
        entry.onJmx();
      }
    }

    @Override
    public void write(StringBuilder yaml) {
      LearnedEntry.list(yaml, KEY.inEntries(), methodNames());
      if (jmx.isSpoken()) {
        yaml.append("    %s%n".formatted(jmx.line()));
      }
      if (!grants.isEmpty()) {
        yaml.append("    %s: [%s]%n".formatted(GRANTS.inEntries(), String.join(", ", grants)));
      }
    }

    /**
     * The lines of the list; none without jars, which alone name methods. An empty list would
     * permit all methods: a principal without a call is denied each interface.
     */
    private Set<String> methodNames() {
      Set<String> lines = new TreeSet<>();
      if (jars.isEmpty()) {
        return lines;
      }
      Set<String> certain = new HashSet<>();
      for (long hash : methods) {
        List<RemoteMethod> candidates = jars.allMethods().named(hash);
        if (candidates.size() == 1) {
          certain.add(candidates.get(0).type());
        }
      }
      for (long hash : methods) {
        jars.allMethods().named(hash).stream()
            .min(
                Comparator.<RemoteMethod, Boolean>comparing(m -> !certain.contains(m.type()))
                    .thenComparing(RemoteMethod::toString))
            .ifPresent(method -> lines.add(method.toString()));
      }
      if (lines.isEmpty()) {
        jars.remoteMethods().forEach(method -> lines.add("!" + method.type() + ".*"));
      }
      return lines;
    }

    @Override
    public void putGaps(Map<String, String> gaps) {
      if (!jars.isEmpty()) {
        methods.stream()
            .filter(hash -> jars.allMethods().named(hash).isEmpty())
            .forEach(
                hash ->
                    gaps.put(
                        Objection.Rule.METHOD + " " + number(hash),
                        "no interface in the jars has it: put the jar with its interface into"
                            + " classes.interfaces"));
      }
    }
  }
}
