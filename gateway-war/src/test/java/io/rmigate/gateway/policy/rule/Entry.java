package io.rmigate.gateway.policy.rule;

import io.rmigate.gateway.policy.remote.JmxAccess;
import io.rmigate.gateway.policy.remote.JmxGrant;
import io.rmigate.gateway.policy.type.ClassPattern;
import io.rmigate.gateway.policy.type.MethodPattern;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;

/**
 * An entry of {@code targets} as tests want it; what they do not say, it does not say, but that any
 * object may be called: most tests call objects without having been given them.
 */
public final class Entry {
  /** One that says only that. */
  public static final EntryRules ANY_OBJECT = of(Optional.empty()).rules();

  private final Optional<ClassMode> mode;
  private List<ClassPattern> classes = List.of();
  private List<String> opaque = List.of();
  private List<String> references = List.of();
  private List<String> names = List.of();
  private boolean listAll;
  private List<MethodPattern> methods = List.of();
  private Set<JmxGrant> jmxGrants = Set.of();
  private OptionalInt callLimit = OptionalInt.empty();
  private OptionalInt keyLimit = OptionalInt.empty();
  private boolean stream;
  private JmxAccess jmx = JmxAccess.NONE;
  private boolean newPorts;
  private Optional<Boolean> receivedObjects = Optional.of(false);

  private Entry(Optional<ClassMode> mode) {
    this.mode = mode;
  }

  public static Entry of(ClassMode mode) {
    return new Entry(Optional.of(mode));
  }

  public static Entry of(Optional<ClassMode> mode) {
    return new Entry(mode);
  }

  public static Entry enforced() {
    return of(ClassMode.ENFORCE);
  }

  public Entry classes(String... patterns) {
    return classes(Arrays.asList(patterns));
  }

  public Entry classes(Collection<String> patterns) {
    classes = patterns.stream().map(text -> ClassPattern.parse(text).orElseThrow()).toList();
    return this;
  }

  public Entry opaque(Collection<String> types) {
    opaque = List.copyOf(types);
    return this;
  }

  public Entry references(String... endpoints) {
    references = List.of(endpoints);
    return this;
  }

  public Entry names(String... patterns) {
    names = List.of(patterns);
    return this;
  }

  public Entry listAll(boolean whether) {
    listAll = whether;
    return this;
  }

  public Entry methods(String... patterns) {
    methods = Stream.of(patterns).map(text -> MethodPattern.parse(text).orElseThrow()).toList();
    return this;
  }

  public Entry jmxGrants(JmxGrant... grants) {
    jmxGrants = Set.of(grants);
    return this;
  }

  public Entry callLimit(int bytes) {
    callLimit = OptionalInt.of(bytes);
    return this;
  }

  public Entry keyLimit(int keys) {
    keyLimit = OptionalInt.of(keys);
    return this;
  }

  public Entry stream(boolean whether) {
    stream = whether;
    return this;
  }

  public Entry jmx(boolean whether) {
    return jmx(whether ? JmxAccess.FULL : JmxAccess.NONE);
  }

  public Entry jmx(JmxAccess access) {
    jmx = access;
    return this;
  }

  public Entry newPorts(boolean whether) {
    newPorts = whether;
    return this;
  }

  public Entry receivedObjects(boolean whether) {
    receivedObjects = Optional.of(whether);
    return this;
  }

  /** As shipped: it says nothing about objects. */
  public Entry withoutSayingWhichObjects() {
    receivedObjects = Optional.empty();
    return this;
  }

  /** What it says. */
  public EntryRules rules() {
    return EntryRules.NONE
        .with(EntryRules.MODE, mode)
        .with(ClassRule.KEY, classes)
        .with(OpaqueRule.KEY, opaque)
        .with(ReferenceRule.KEY, references)
        .with(NameRule.KEY, names)
        .with(NameRule.LIST_ALL, listAll)
        .with(MethodRules.KEY, methods)
        .with(LengthRule.KEY, callLimit)
        .with(KeyLimit.KEY, keyLimit)
        .with(LengthRule.STREAMS, stream)
        .with(MethodRules.JMX, jmx)
        .with(MethodRules.GRANTS, jmxGrants)
        .with(ObjectRule.KEY, receivedObjects)
        .with(NewPortsRule.KEY, newPorts);
  }

  /** The names of registries that an entry lists. */
  public static List<String> names(EntryRules entry) {
    return entry.get(NameRule.KEY);
  }
}
