package io.rmigate.gateway.policy.rule;

import io.rmigate.gateway.policy.remote.InterfaceJars;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;

/**
 * The entries of {@code targets} of which the rules of calls are made, with the section {@code
 * classes}: either all of them hold together, or it is not known which one of them holds.
 * Immutable.
 */
public final class Combination {
  private final List<EntryRules> entries;
  private final boolean strictest;
  private final ClassSettings settings;
  private final InterfaceJars jars;
  private final ClassMode mode;

  private Combination(
      List<EntryRules> entries, boolean strictest, ClassSettings settings, InterfaceJars jars) {
    this.entries = entries;
    this.strictest = strictest;
    this.settings = settings;
    this.jars = jars;
    this.mode =
        strictest
            ? entries.stream()
                .map(this::mode)
                .max(Comparator.naturalOrder())
                .orElseGet(settings::mode)
            : entries.stream()
                .flatMap(entry -> entry.get(EntryRules.MODE).stream())
                .findFirst()
                .orElseGet(settings::mode);
  }

  /** These entries hold together: of the mode the first entry that has one decides. */
  public static Combination together(
      List<EntryRules> entries, ClassSettings settings, InterfaceJars jars) {
    return new Combination(entries, false, settings, jars);
  }

  /** One of these entries holds: the strictest mode of all. */
  public static Combination strictest(
      List<EntryRules> entries, ClassSettings settings, InterfaceJars jars) {
    return new Combination(entries, true, settings, jars);
  }

  List<EntryRules> entries() {
    return entries;
  }

  /** Whether it is not known which one of the entries holds. */
  boolean isStrictest() {
    return strictest;
  }

  public ClassSettings settings() {
    return settings;
  }

  InterfaceJars jars() {
    return jars;
  }

  public ClassMode mode() {
    return mode;
  }

  /** The mode of an entry. */
  ClassMode mode(EntryRules entry) {
    return entry.get(EntryRules.MODE).orElseGet(settings::mode);
  }

  /** Whether what entries allow is noted again, for entries to be written that allow that alone. */
  public boolean learns() {
    return mode == ClassMode.LEARN;
  }

  /** Whether any of the entries permits something; of entries that may not hold, whether all do. */
  boolean permits(RuleKey<Boolean> key) {
    return strictest
        ? !entries.isEmpty() && entries.stream().allMatch(entry -> entry.get(key))
        : entries.stream().anyMatch(entry -> entry.get(key));
  }

  /** The number of the first entry that has one, or that of the section {@code classes}. */
  int number(RuleKey<OptionalInt> key) {
    return entries.stream()
        .map(entry -> entry.get(key))
        .filter(OptionalInt::isPresent)
        .findFirst()
        .orElseGet(() -> settings.get(key))
        .getAsInt();
  }

  /**
   * What all entries list, in their order, and then what the section {@code classes} lists; only
   * the latter where rules are learnt.
   */
  <T> List<T> list(RuleKey<List<T>> key) {
    List<T> all = new ArrayList<>();
    if (!learns()) {
      entries.forEach(entry -> all.addAll(entry.get(key)));
    }
    all.addAll(settings.get(key));
    return all;
  }
}
