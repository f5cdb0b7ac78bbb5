package io.rmigate.gateway.policy.rule;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** All rules of calls. */
public final class RuleTypes {
  /** Rule types with keys in the section {@code classes}, in the order of its lines. */
  static final List<RuleType> FOR_ALL =
      Stream.of(
              List.of(Codebases.TYPE),
              List.of(MessageBound.values()),
              List.of(LengthRule.TYPE, KeyLimit.TYPE, ClassRule.TYPE, OpaqueRule.TYPE))
          .<RuleType>flatMap(Collection::stream)
          .toList();

  /** Rule types with keys in entries of {@code targets}, in the order of the lines of an entry. */
  static final List<RuleType> OF_ENTRIES =
      List.of(
          NameRule.TYPE,
          NewPortsRule.TYPE,
          MethodRules.TYPE,
          ClassRule.TYPE,
          OpaqueRule.TYPE,
          ReferenceRule.TYPE,
          ObjectRule.TYPE,
          LengthRule.TYPE,
          KeyLimit.TYPE);

  /** All, each once. */
  public static final List<RuleType> ALL =
      Stream.of(FOR_ALL, OF_ENTRIES).flatMap(List::stream).distinct().toList();

  private static final List<RuleKey<?>> KEYS = keys();

  private static List<RuleKey<?>> keys() {
    List<RuleKey<?>> keys = new ArrayList<>();
    keys.add(EntryRules.MODE);
    ALL.forEach(type -> keys.addAll(type.keys()));
    return List.copyOf(keys);
  }

  private RuleTypes() {}

  /** The keys of entries of {@code targets}. */
  public static List<RuleKey<?>> keysOfEntries() {
    return KEYS.stream().filter(key -> !key.inEntries().isEmpty()).toList();
  }

  /** The keys of the section {@code classes}. */
  public static List<RuleKey<?>> keysForAll() {
    return KEYS.stream().filter(key -> !key.inClasses().isEmpty()).toList();
  }

  /** Whether a line is one of the section {@code classes}, and never one of an entry. */
  static boolean isForAllOnly(String line) {
    int colon = line.indexOf(": ");
    String name = colon < 0 ? "" : line.substring(0, colon);
    return KEYS.stream().anyMatch(key -> key.inEntries().isEmpty() && key.inClasses().equals(name));
  }

  /** The rule that a note is about; empty where it is about what no rule of calls judges. */
  public static Optional<RuleType> of(LearnedNotes.Note note) {
    for (RuleType type : ALL) {
      if (type.isAbout(note)) {
        return Optional.of(type);
      }
    }
    return Optional.empty();
  }
}
