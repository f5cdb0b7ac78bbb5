package io.rmigate.gateway.policy.rule;

import io.rmigate.gateway.policy.type.ClassPattern;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The section {@code classes}: what holds for all targets.
 *
 * @param mode where an entry of {@code targets} does not say so itself
 * @param interfaces a directory of jars with the remote interfaces and what they carry
 * @param longCalls section {@code long-calls}
 * @param rules what stands under the keys of rules, unless it is as shipped
 */
public record ClassSettings(
    ClassMode mode, Optional<Path> interfaces, LongCallSettings longCalls, EntryRules rules) {

  /** Keys of a message, unless something else is said: half a second of a receiver, as measured. */
  public static final int KEY_LIMIT = 11_000;

  /** Bytes of one call, unless something else is said. */
  public static final int CALL_LIMIT = 16 << 20;

  /** Without that section: the JDK's values may pass, and what entries of {@code targets} say. */
  public static final ClassSettings DEFAULT =
      new ClassSettings(
          ClassMode.ENFORCE, Optional.empty(), LongCallSettings.DEFAULT, EntryRules.NONE);

  /** Settings with the shipped bounds of messages and of long calls. */
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
        interfaces,
        LongCallSettings.DEFAULT,
        DEFAULT
            .with(ClassRule.KEY, List.copyOf(allow))
            .with(OpaqueRule.KEY, List.copyOf(opaque))
            .with(LengthRule.KEY, OptionalInt.of(callLimit))
            .with(KeyLimit.KEY, OptionalInt.of(keyLimit))
            .with(Codebases.KEY, codebases)
            .rules());
  }

  /** Settings with the shipped number of keys, and with codebases dropped. */
  public ClassSettings(
      ClassMode mode,
      List<ClassPattern> allow,
      List<String> opaque,
      Optional<Path> interfaces,
      int callLimit) {
    this(mode, allow, opaque, interfaces, callLimit, KEY_LIMIT, Codebases.DROP);
  }

  /** The value of a key; its usual value where the section does not set it. */
  public <T> T get(RuleKey<T> key) {
    return rules.get(key, key.usual());
  }

  /** The value of a bound of messages. */
  public int bound(MessageBound bound) {
    return get(bound.key()).getAsInt();
  }

  /** These settings with that value under that key. */
  public <T> ClassSettings with(RuleKey<T> key, T value) {
    return new ClassSettings(mode, interfaces, longCalls, rules.with(key, value, key.usual()));
  }

  /** These settings with the jars of another directory. */
  public ClassSettings withInterfaces(Path directory) {
    return new ClassSettings(mode, Optional.of(directory), longCalls, rules);
  }

  /** These settings with another treatment of codebases. */
  public ClassSettings withCodebases(Codebases other) {
    return with(Codebases.KEY, other);
  }

  /** These settings with other bounds of long calls. */
  public ClassSettings withLongCalls(LongCallSettings others) {
    return new ClassSettings(mode, interfaces, others, rules);
  }

  /** These settings with other bounds of messages. */
  public ClassSettings withBounds(Map<MessageBound, Integer> others) {
    ClassSettings settings = this;
    for (Map.Entry<MessageBound, Integer> other : others.entrySet()) {
      settings = settings.with(other.getKey().key(), OptionalInt.of(other.getValue()));
    }
    return settings;
  }
}
