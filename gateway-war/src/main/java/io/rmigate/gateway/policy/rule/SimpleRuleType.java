package io.rmigate.gateway.policy.rule;

import io.rmigate.gateway.policy.rule.LearnedNotes.Note;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * A {@link RuleType} that is put together from one function for each of its methods.
 *
 * @param maker answers {@link #rule}
 * @param about answers {@link #isAbout}
 * @param linesOf answers {@link #lines}
 * @param section writes lines of the section {@code classes}
 */
record SimpleRuleType(
    List<RuleKey<?>> keys,
    Function<Combination, CallRule> maker,
    Predicate<Note> about,
    Function<LearnedEntry, LearnedLines> linesOf,
    Consumer<LearnedSection> section)
    implements RuleType {

  /** A type without a key in the section {@code classes}. */
  SimpleRuleType(
      List<RuleKey<?>> keys,
      Function<Combination, CallRule> maker,
      Predicate<Note> about,
      Function<LearnedEntry, LearnedLines> linesOf) {
    this(keys, maker, about, linesOf, section -> {});
  }

  @Override
  public CallRule rule(Combination entries) {
    return maker.apply(entries);
  }

  @Override
  public boolean isAbout(Note note) {
    return about.test(note);
  }

  @Override
  public LearnedLines lines(LearnedEntry entry) {
    return linesOf.apply(entry);
  }

  @Override
  public void write(LearnedSection its) {
    section.accept(its);
  }
}
