package io.rmigate.gateway.policy.rule;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * A key of the configuration with which a rule of calls is set: in an entry of {@code targets}, in
 * the section {@code classes}, or in both. The allowed texts are those of the key of that name in
 * {@code config.ConfigKey}. Immutable; a key equals itself only.
 *
 * @param <T> the type of the values
 */
public final class RuleKey<T> {
  private final String inEntries;
  private final String inClasses;
  private final T unset;
  private final T usual;
  private final Function<List<String>, T> reader;
  private final Predicate<T> idleWhereOff;

  private RuleKey(
      String inEntries, String inClasses, T unset, T usual, Function<List<String>, T> reader) {
    this(inEntries, inClasses, unset, usual, reader, value -> false);
  }

  private RuleKey(
      String inEntries,
      String inClasses,
      T unset,
      T usual,
      Function<List<String>, T> reader,
      Predicate<T> idleWhereOff) {
    this.inEntries = inEntries;
    this.inClasses = inClasses;
    this.unset = unset;
    this.usual = usual;
    this.reader = reader;
    this.idleWhereOff = idleWhereOff;
  }

  /**
   * A key of entries.
   *
   * @param unset the value where an entry does not have the key
   * @param reader makes a value of the words that stand there
   */
  static <T> RuleKey<T> of(String name, T unset, Function<List<String>, T> reader) {
    return new RuleKey<>(name, "", unset, unset, reader);
  }

  /** A key of entries whose value is true or false; false where it is left out. */
  static RuleKey<Boolean> flag(String name) {
    return of(name, false, words -> words.contains("true"));
  }

  /** A key of entries with a list of words. */
  static RuleKey<List<String>> words(String name) {
    return of(name, List.of(), List::copyOf);
  }

  /** A key of entries with a list of words, each of which the parser makes a value of. */
  static <T> RuleKey<List<T>> list(String name, Function<String, Optional<T>> parser) {
    return of(
        name,
        List.of(),
        words -> words.stream().flatMap(word -> parser.apply(word).stream()).toList());
  }

  /** A key of entries with a number of bytes, or of other things. */
  static RuleKey<OptionalInt> number(String name) {
    return of(name, OptionalInt.empty(), RuleKey::number);
  }

  private static OptionalInt number(List<String> words) {
    return words.stream().mapToInt(Integer::parseInt).findFirst();
  }

  /** A key of the section {@code classes} alone, with a number. */
  static RuleKey<OptionalInt> numberForAll(String name, int usual) {
    return new RuleKey<>("", name, OptionalInt.empty(), OptionalInt.of(usual), RuleKey::number);
  }

  /** A key of the section {@code classes} alone. */
  static <T> RuleKey<T> forAll(String name, T usual, Function<List<String>, T> reader) {
    return new RuleKey<>("", name, usual, usual, reader);
  }

  /** This key, which the section {@code classes} has, too, under that name. */
  RuleKey<T> andForAll(String name, T itsUsual) {
    return new RuleKey<>(inEntries, name, unset, itsUsual, reader, idleWhereOff);
  }

  /** This key, whose values mean nothing where calls are not looked into. */
  RuleKey<T> idleWhereOff(Predicate<T> which) {
    return new RuleKey<>(inEntries, inClasses, unset, usual, reader, which);
  }

  /** The name of the key in entries of {@code targets}; empty where these do not have it. */
  public String inEntries() {
    return inEntries;
  }

  /** The name of the key in the section {@code classes}; empty where that does not have it. */
  public String inClasses() {
    return inClasses;
  }

  /** The value where an entry does not have the key. */
  T unset() {
    return unset;
  }

  /** The value where the section {@code classes} does not have the key. */
  T usual() {
    return usual;
  }

  /** The value that these words mean; they are among the allowed ones. */
  public T read(List<String> words) {
    return reader.apply(words);
  }

  /** Whether this value means nothing where calls are not looked into. */
  public boolean isIdleWhereOff(T value) {
    return idleWhereOff.test(value);
  }

  @Override
  public String toString() {
    return inEntries.isEmpty() ? inClasses : inEntries;
  }
}
