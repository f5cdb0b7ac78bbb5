package io.rmigate.gateway.policy;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * What one entry of {@code targets} says about calls to them.
 *
 * @param mode empty: that of all
 * @param classes beside those of all, and before them
 * @param opaque names of classes whose data are not looked into
 * @param references endpoints {@code host:port} that arguments may refer to, beside the session's
 *     own and those that it has received
 * @param names of registries, with * for any characters, that may be used; empty: all
 * @param methods that may be called; empty: all that the jars have
 * @param callLimit bytes of one call; empty: that of all
 * @param stream longer calls pass without being looked into
 * @param jmx the target speaks JMX
 * @param jmxGrants what may be done there beyond what JMX may do anywhere
 * @param receivedObjects only objects that the session was given may be called
 */
public record EntryRules(
    Optional<ClassMode> mode,
    List<ClassPattern> classes,
    List<String> opaque,
    List<String> references,
    List<String> names,
    List<MethodPattern> methods,
    OptionalInt callLimit,
    boolean stream,
    boolean jmx,
    Set<JmxGrant> jmxGrants,
    boolean receivedObjects) {

  /** Of an entry that says nothing about it. */
  public static final EntryRules NONE =
      new EntryRules(
          Optional.empty(),
          List.of(),
          List.of(),
          List.of(),
          List.of(),
          List.of(),
          OptionalInt.empty(),
          false,
          false,
          Set.of(),
          false);

  /** Its own lists. */
  public EntryRules {
    classes = List.copyOf(classes);
    opaque = List.copyOf(opaque);
    references = List.copyOf(references);
    names = List.copyOf(names);
    methods = List.copyOf(methods);
    jmxGrants = Set.copyOf(jmxGrants);
  }
}
