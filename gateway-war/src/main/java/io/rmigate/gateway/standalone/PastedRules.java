package io.rmigate.gateway.standalone;

import io.rmigate.gateway.config.GatewayConfig;
import io.rmigate.gateway.login.Principal;
import io.rmigate.gateway.policy.NotedTargets;
import io.rmigate.gateway.policy.Rulebook;
import io.rmigate.gateway.policy.rule.LearnedNotes.Note;
import io.rmigate.gateway.policy.rule.LearnedPolicy;
import io.rmigate.gateway.policy.rule.LearningLog;
import io.rmigate.gateway.policy.rule.Objection;
import io.rmigate.gateway.problem.ConfigException;
import io.rmigate.gateway.route.EndpointMapping;
import io.rmigate.gateway.route.TargetPolicy;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Learned rules as the gateway reads them once they are pasted: whether they permit what they were
 * learned from. One use, one thread.
 */
final class PastedRules {
  private static final String NAME = "learned rules";

  private final LearnedPolicy learnt;
  private final String yaml;
  private final Optional<GatewayConfig> around;

  /**
   * @param around the configuration that they are pasted into, if it is known
   */
  PastedRules(LearnedPolicy learnt, String yaml, Optional<GatewayConfig> around) {
    this.learnt = learnt;
    this.yaml = yaml;
    this.around = around;
  }

  /** Notes that the rules refuse and that are no known gap; a line each. */
  List<String> refusals() throws IOException {
    List<String> refusals = new ArrayList<>();
    if (!yaml.contains("\ntargets:")) {
      return refusals; // there is nothing that they could permit
    }
    GatewayConfig pasted;
    try {
      pasted =
          GatewayConfig.text(
              NAME, "logins:\n  anonymous: true\n" + yaml, Path.of("").toAbsolutePath());
    } catch (ConfigException wrong) {
      wrong.problems().forEach(problem -> refusals.add(problem.toString()));
      return refusals;
    }
    TargetPolicy policy =
        new TargetPolicy(
            pasted.policy().targets(),
            List.of(),
            around.map(config -> config.policy().mapping()).orElse(EndpointMapping.DEFAULT),
            Rulebook.of(pasted.policy().classes(), LearningLog.NOTHING));
    NotedTargets targets =
        new NotedTargets(
            learnt.notes(),
            (who, target, registries) -> policy.rules(principal(who), target, registries));
    for (Note note : learnt.notes()) {
      if (!isKnown(note)
          && !hasEntry(policy, note)
          && policy.refuses(principal(note.principal()), note, () -> targets.rules(note))) {
        refusals.add(
            "%s %s (%s at %s): these rules refuse it"
                .formatted(
                    note.rule(),
                    Objection.printable(note.subject()),
                    Objection.printable(note.principal()),
                    Objection.printable(note.target())));
      }
    }
    return refusals;
  }

  /** Whether it says by whom a target was named that has an entry of its own. */
  private static boolean hasEntry(TargetPolicy policy, Note note) {
    String target = note.target();
    int colon = target.lastIndexOf(':');
    return note.rule() == Objection.Rule.TARGET
        && colon > 0
        && policy
            .permission(
                principal(note.principal()),
                target.substring(0, colon),
                Integer.parseInt(target.substring(colon + 1)))
            .isPresent();
  }

  private static Principal principal(String name) {
    return new Principal(name, Principal.Scheme.CONTAINER);
  }

  /** Whether a gap is about it, or about the whole of its target. */
  private boolean isKnown(Note note) {
    return learnt.lacks(note)
        || learnt.lacks(
            Objection.Rule.TARGET, note.principal(), note.target().toLowerCase(Locale.ROOT));
  }
}
