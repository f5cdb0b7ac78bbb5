package io.rmigate.gateway.policy;

import io.rmigate.gateway.policy.type.MethodPattern;
import io.rmigate.gateway.policy.type.RemoteMethod;
import io.rmigate.gateway.scan.Arguments;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.message.CallHeader;
import io.rmigate.protocol.jrmp.message.RegistryOperation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which methods may be called. Only hashes travel, which are of a name, parameters and a result: a
 * method of that kind is the same in all interfaces. Immutable; any thread.
 */
final class MethodRules {
  /** What is advised where others are listed begins so. */
  private static final String METHODS = "methods: ['";

  private static final int NO_OPERATION = -1;

  /**
   * Of a method that no object has: servers say so, before they read an argument. The client's
   * doctor asks by it whether an object is there.
   */
  private static final long NO_METHOD = 0;

  private static final Pattern HASH = Pattern.compile("(\\p{XDigit}{16})(?: .*)?");

  private final InterfaceJars jars;
  private final Optional<Set<Long>> permitted;
  private final Set<Long> takenAway;
  private final JmxAccess jmx;
  private final Set<JmxGrant> grants;

  /**
   * @param permitted their hashes; empty: all in the jars, and those of JMX that {@code jmx}
   *     permits; where there are no jars, any
   * @param takenAway hashes of what an entry takes away, whether another one permits it or not
   * @param grants what is permitted of JMX beyond the usual
   */
  MethodRules(
      InterfaceJars jars,
      Optional<Set<Long>> permitted,
      Set<Long> takenAway,
      JmxAccess jmx,
      Set<JmxGrant> grants) {
    this.jars = jars;
    this.permitted = permitted.map(Set::copyOf);
    this.takenAway = Set.copyOf(takenAway);
    this.jmx = jmx;
    this.grants = Set.copyOf(grants);
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
  static boolean isOfJar(LearnedNotes.Note note) {
    return note.rule() == Objection.Rule.METHOD
        && note.remedy().startsWith(METHODS)
        && hash(note.subject())
            .filter(hash -> RemoteMethods.ofJmx().named(hash).isEmpty())
            .isPresent();
  }

  /** Whether an objection is to a method that an entry takes away. */
  boolean takesAway(Objection objection) {
    return objection.remedy().startsWith(METHODS)
        && hash(objection.subject()).filter(takenAway::contains).isPresent();
  }

  /** Whether a method is one of an interface in the jars. */
  boolean isExplained(CallHeader header) {
    return header.operation() == NO_OPERATION && jars.hasMethod(header.hash());
  }

  /** What speaks against a method. */
  Optional<Objection> objection(CallHeader header) {
    if (jmx.isSpoken()
        && JmxProfile.creates(header.hash())
        && !grants.contains(JmxGrant.CREATE_MBEANS)) {
      return Optional.of(JmxGrant.CREATE_MBEANS.objection());
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

  /** What speaks against a method of any object but a registry. */
  Optional<Objection> objection(int operation, long hash) {
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

  /** Whatever a jar has: these are methods of JMX alone. */
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
  List<Integer> objectParameters(CallHeader header) {
    List<RemoteMethod> known =
        header.operation() == NO_OPERATION
            ? jars.allMethods().named(header.hash())
            : List.<RemoteMethod>of();
    return known.isEmpty() ? List.of() : known.get(0).objectParameters();
  }

  /**
   * What a method of the jars takes; empty for one of JMX or of a registry, and where none has it.
   */
  Optional<Arguments> declared(int operation, long hash) {
    return operation == NO_OPERATION
            && jars.hasMethod(hash)
            && !JmxProfile.has(hash)
            && RegistryOperation.of(operation, hash).isEmpty()
        ? jars.allMethods().named(hash).stream().findFirst().map(RemoteMethod::arguments)
        : Optional.empty();
  }

  /** What speaks against the arguments of a call. */
  Optional<Objection> arguments(CallHeader header, byte[] call) {
    return jmx.isSpoken() || JmxProfile.isOnlyIts(header.hash())
        ? JmxProfile.objection(header, call, grants)
        : Optional.empty();
  }

  /** What has to be said of a call's method where nothing is said yet. */
  List<Objection> needs(CallHeader header, byte[] call) {
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
      JmxProfile.objection(header, call, Set.of()).ifPresent(needs::add);
      if (JmxProfile.creates(hash)) {
        needs.add(JmxGrant.CREATE_MBEANS.objection());
      }
    }
    return needs;
  }

  /** The hash of a method, by what was noted of it. */
  static Optional<Long> hash(String subject) {
    Matcher noted = HASH.matcher(subject);
    return noted.matches()
        ? Optional.of(Long.parseUnsignedLong(noted.group(1), 16))
        : Optional.empty();
  }

  /** Whether a method is refused, by what was noted of it. */
  boolean refuses(String subject) {
    Optional<Long> hash = hash(subject);
    if (hash.isEmpty()) {
      Optional<JmxGrant> grant =
          Stream.of(JmxGrant.values()).filter(one -> one.subject().equals(subject)).findFirst();
      if (grant.isPresent()) {
        return !jmx.isSpoken() || !grants.contains(grant.get());
      }
      return permitted.isPresent() || !jars.isEmpty();
    }
    return objection(NO_OPERATION, hash.get()).isPresent();
  }
}
