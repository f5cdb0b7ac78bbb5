package io.rmigate.gateway.policy;

import io.rmigate.gateway.policy.type.ClassPattern;
import io.rmigate.gateway.policy.type.MethodPattern;
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
 * @param listAll whether lists of registries show other names, too
 * @param methods that may be called; empty: all that the jars have
 * @param callLimit bytes of one call; empty: that of all
 * @param keyLimit keys of one message; empty: that of all
 * @param stream longer calls are judged as they pass, instead of being refused
 * @param jmx what the target permits of JMX
 * @param jmxGrants what may be done there beyond {@link JmxAccess#FULL}
 * @param receivedObjects whether only objects may be called that the session was given; empty: so,
 *     if no other entry says the contrary
 * @param newPorts what objects that its registry has named hand out on their own host counts as
 *     named by it, too
 */
public record EntryRules(
    Optional<ClassMode> mode,
    List<ClassPattern> classes,
    List<String> opaque,
    List<String> references,
    List<String> names,
    boolean listAll,
    List<MethodPattern> methods,
    OptionalInt callLimit,
    OptionalInt keyLimit,
    boolean stream,
    JmxAccess jmx,
    Set<JmxGrant> jmxGrants,
    Optional<Boolean> receivedObjects,
    boolean newPorts) {

  /** Of an entry that says nothing about it. */
  public static final EntryRules NONE =
      new EntryRules(
          Optional.empty(),
          List.of(),
          List.of(),
          List.of(),
          List.of(),
          false,
          List.of(),
          OptionalInt.empty(),
          OptionalInt.empty(),
          false,
          JmxAccess.NONE,
          Set.of(),
          Optional.empty(),
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
