package io.rmigate.gateway.policy.rule;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** What one entry of {@code targets} says about calls, by the keys of the rules. Immutable. */
public final class EntryRules {
  /** What is done with calls; empty where it is what the section {@code classes} says. */
  public static final RuleKey<Optional<ClassMode>> MODE =
      RuleKey.of(
          "class-mode",
          Optional.empty(),
          words -> words.stream().findFirst().map(EntryRules::mode));

  /** The rules of an entry without keys for calls. */
  public static final EntryRules NONE = new EntryRules(Map.of());

  /** Never what a key means where it is left out. */
  private final Map<RuleKey<?>, Object> values;

  private final int hash;

  private EntryRules(Map<RuleKey<?>, Object> values) {
    this.values = values;
    this.hash = values.hashCode();
  }

  /** The mode of that word. */
  public static ClassMode mode(String word) {
    return ClassMode.valueOf(word.toUpperCase(Locale.ROOT));
  }

  /** What the entry says under that key. */
  public <T> T get(RuleKey<T> key) {
    return get(key, key.unset());
  }

  /** What stands under that key, or this where nothing does. */
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
