package io.rmigate.gateway.policy.rule;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Rules of one entry of {@code targets} about calls, by the keys of the rules. Immutable. */
public final class EntryRules {
  /** The mode for calls; empty where the mode of the section {@code classes} applies. */
  public static final RuleKey<Optional<ClassMode>> MODE =
      RuleKey.of(
          "class-mode",
          Optional.empty(),
          words -> words.stream().findFirst().map(EntryRules::mode));

  /** The rules of an entry without keys for calls. */
  public static final EntryRules NONE = new EntryRules(Map.of());

  /** Values by key, without those that equal the unset value of their key. */
  private final Map<RuleKey<?>, Object> values;

  private final int hash;

  private EntryRules(Map<RuleKey<?>, Object> values) {
    this.values = values;
    this.hash = values.hashCode();
  }

  /** The mode that a word names. */
  public static ClassMode mode(String word) {
    return ClassMode.valueOf(word.toUpperCase(Locale.ROOT));
  }

  /** The value of a key; its unset value where the entry does not have the key. */
  public <T> T get(RuleKey<T> key) {
    return get(key, key.unset());
  }

  /** The value of a key, or {@code otherwise} where the entry does not have the key. */
  @SuppressWarnings("unchecked") // with() puts nothing else there
  <T> T get(RuleKey<T> key, T otherwise) {
    return (T) values.getOrDefault(key, otherwise);
  }

  /** This entry with that value under that key. */
  public <T> EntryRules with(RuleKey<T> key, T value) {
    return with(key, value, key.unset());
  }

  /** These values with that one, which is left out if it is the usual one. */
  <T> EntryRules with(RuleKey<T> key, T value, T usual) {
    Map<RuleKey<?>, Object> others = new HashMap<>(values);
    others.remove(key);
    if (!value.equals(usual)) {
      others.put(key, value);
    }
    return new EntryRules(Map.copyOf(others));
  }

  @Override
  public boolean equals(Object other) {
    return this == other
        || (other instanceof EntryRules its && hash == its.hash && values.equals(its.values));
  }

  @Override
  public int hashCode() {
    return hash;
  }

  @Override
  public String toString() {
    List<String> lines =
        values.entrySet().stream().map(line -> line.getKey() + ": " + line.getValue()).toList();
    return lines.stream().sorted().toList().toString();
  }
}
