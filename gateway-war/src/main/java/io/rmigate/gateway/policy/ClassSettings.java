package io.rmigate.gateway.policy;

import io.rmigate.gateway.policy.type.ClassPattern;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The section {@code classes}: what holds for all targets.
 *
 * @param mode where an entry of {@code targets} does not say so itself
 * @param allow behind those of the entries
 * @param opaque names of classes whose data are not looked into
 * @param interfaces a directory of jars with the remote interfaces and what they carry
 * @param callLimit bytes of one call
 * @param keyLimit keys of one message that a receiver may have to compare each with each
 * @param codebases what is done with those that class annotations name
 * @param longCalls section {@code long-calls}
 * @param bounds of messages; those that are left out are as shipped
 */
public record ClassSettings(
    ClassMode mode,
    List<ClassPattern> allow,
    List<String> opaque,
    Optional<Path> interfaces,
    int callLimit,
    int keyLimit,
    Codebases codebases,
    LongCallSettings longCalls,
    Map<MessageBound, Integer> bounds) {

  /** Keys of a message, unless something else is said: half a second of a receiver, as measured. */
  public static final int KEY_LIMIT = 11_000;

  /** Bytes of one call, unless something else is said. */
  public static final int CALL_LIMIT = 16 << 20;

  /** Without that section: the JDK's values may pass, and what entries of {@code targets} say. */
  public static final ClassSettings DEFAULT =
      new ClassSettings(ClassMode.ENFORCE, List.of(), List.of(), Optional.empty(), CALL_LIMIT);

  /** Its own lists. */
  public ClassSettings {
    allow = List.copyOf(allow);
    opaque = List.copyOf(opaque);
    bounds =
        bounds.entrySet().stream()
            .filter(bound -> bound.getValue() != bound.getKey().usual())
            .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  /** How much a message may have of what is bounded. */
  int bound(MessageBound bound) {
    return bounds.getOrDefault(bound, bound.usual());
  }

  /** With long calls and bounds as shipped. */
  public ClassSettings(
      ClassMode mode,
      List<ClassPattern> allow,
      List<String> opaque,
      Optional<Path> interfaces,
      int callLimit,
      int keyLimit,
      Codebases codebases) {
    this(
        mode,
        allow,
        opaque,
        interfaces,
        callLimit,
        keyLimit,
        codebases,
        LongCallSettings.DEFAULT,
        Map.of());
  }

  /** With as many keys as shipped, and codebases dropped. */
  public ClassSettings(
      ClassMode mode,
      List<ClassPattern> allow,
      List<String> opaque,
      Optional<Path> interfaces,
      int callLimit) {
    this(mode, allow, opaque, interfaces, callLimit, KEY_LIMIT, Codebases.DROP);
  }

  /** These settings with the jars of another directory. */
  public ClassSettings withInterfaces(Path directory) {
    return new ClassSettings(
        mode,
        allow,
        opaque,
        Optional.of(directory),
        callLimit,
        keyLimit,
        codebases,
        longCalls,
        bounds);
  }

  /** These settings with something else done with codebases. */
  public ClassSettings withCodebases(Codebases other) {
    return new ClassSettings(
        mode, allow, opaque, interfaces, callLimit, keyLimit, other, longCalls, bounds);
  }

  /** These settings with other bounds of long calls. */
  public ClassSettings withLongCalls(LongCallSettings others) {
    return new ClassSettings(
        mode, allow, opaque, interfaces, callLimit, keyLimit, codebases, others, bounds);
  }

  /** These settings with other bounds of messages. */
  public ClassSettings withBounds(Map<MessageBound, Integer> others) {
    return new ClassSettings(
        mode, allow, opaque, interfaces, callLimit, keyLimit, codebases, longCalls, others);
  }
}
