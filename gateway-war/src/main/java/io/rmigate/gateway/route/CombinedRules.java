package io.rmigate.gateway.route;

import io.rmigate.gateway.policy.CallRules;
import io.rmigate.gateway.policy.Rulebook;
import io.rmigate.gateway.policy.rule.EntryRules;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** The rules of combinations of entries, each made once. Thread-safe. */
final class CombinedRules {
  /** Combinations that are kept; the rules of others are made for each request. */
  private static final int MAX_COMBINATIONS = 1024;

  private final Rulebook rulebook;
  private final Map<List<EntryRules>, CallRules> together = new ConcurrentHashMap<>();
  private final Map<List<EntryRules>, CallRules> strictest = new ConcurrentHashMap<>();

  CombinedRules(Rulebook rulebook) {
    this.rulebook = rulebook;
  }

  /** The rules where all entries hold; see {@link Rulebook#rules}. */
  CallRules together(List<EntryRules> entries) {
    return rules(entries, together, rulebook::rules);
  }

  /** The rules where one of the entries holds; see {@link Rulebook#strictestRules}. */
  CallRules strictest(List<EntryRules> entries) {
    return rules(entries, strictest, rulebook::strictestRules);
  }

  private static CallRules rules(
      List<EntryRules> entries,
      Map<List<EntryRules>, CallRules> kept,
      Function<List<EntryRules>, CallRules> maker) {
    CallRules rules = kept.get(entries);
    if (rules == null) {
      rules = maker.apply(entries);
      if (kept.size() < MAX_COMBINATIONS) {
        kept.put(List.copyOf(entries), rules);
      }
    }
    return rules;
  }
}
