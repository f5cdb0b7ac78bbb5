package io.rmigate.gateway.policy.rule;

import io.rmigate.gateway.policy.rule.LearnedNotes.Note;
import io.rmigate.gateway.scan.ScanResult;
import io.rmigate.gateway.scan.SeenReference;
import io.rmigate.protocol.DestinationPatterns;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/** References to remote objects that arguments may hold, beside the references received. */
final class ReferenceRule implements CallRule {
  static final RuleKey<List<String>> KEY = RuleKey.words("references");
  static final RuleType TYPE =
      new SimpleRuleType(
          List.of(KEY),
          ReferenceRule::new,
          note -> note.rule() == Objection.Rule.REFERENCE,
          Lines::new);

  /** For who has a client that is to be called back. */
  private static final String ADVICE_OF_CALLBACKS =
      "if it is an object of the client's own JVM, permit its principal callbacks (section"
          + " callbacks), because its port changes; if it is an object of a server, ";

  /** For who finds an endpoint refused that may be called. */
  private static final String ADVICE_OF_REFERENCES =
      "; the object is not one of the client, and the session did not receive it at that endpoint:"
          + " look it up again";

  private final DestinationPatterns endpoints;

  private ReferenceRule(Combination entries) {
    this.endpoints = DestinationPatterns.of(entries.list(KEY));
  }

  /**
   * What speaks against the references of a message. The class of a socket factory that one brings
   * is judged as any other class is.
   *
   * @param received whether the session has that reference, or has received it
   * @param most objections after which no more are of interest
   */
  void judge(
      ScanResult seen, Predicate<SeenReference> received, int most, List<Objection> objections) {
    List<SeenReference> references = seen.references();
    for (int i = 0; i < references.size(); i++) { // each call: no iterator
      SeenReference reference = references.get(i);
      if (objections.size() >= most) {
        return;
      }
      String host = reference.reference().host();
      int port = reference.reference().port();
      if (!received.test(reference) && !endpoints.matches(host, port)) {
        String endpoint = host + ":" + port;
        objections.add(
            new Objection(
                Objection.Rule.REFERENCE,
                endpoint,
                KEY.inEntries() + ": ['" + Objection.printable(endpoint) + "']"));
      }
    }
  }

  @Override
  public Optional<String> advice(Objection objection) {
    if (objection.rule() != Objection.Rule.REFERENCE) {
      return Optional.empty();
    }
    return Optional.of(
        mayBeOfClient(objection.subject())
            ? ADVICE_OF_CALLBACKS + objection.advice()
            : objection.advice() + ADVICE_OF_REFERENCES);
  }

  /** Whether an endpoint looks like that of an object which the client's JVM exports. */
  private static boolean mayBeOfClient(String endpoint) {
    if (!LearnedRules.isEndpoint(endpoint)) {
      return false;
    }
    int colon = endpoint.lastIndexOf(':');
    String host = endpoint.substring(0, colon);
    return LearnedPolicy.ephemeralPort(endpoint).isPresent()
        || host.equalsIgnoreCase("localhost")
        || host.startsWith("127.");
  }

  private static boolean isOfCallbacks(String subject) {
    return subject.equals(RequiredPermissions.CALLBACKS)
        || subject.startsWith(RequiredPermissions.PORT);
  }

  @Override
  public boolean refuses(Note note) {
    String subject = note.subject();
    if (isOfCallbacks(subject)) {
      return false;
    }
    int colon = subject.lastIndexOf(':');
    return !LearnedRules.isEndpoint(subject)
        || !endpoints.matches(
            subject.substring(0, colon), Integer.parseInt(subject.substring(colon + 1)));
  }

  private static final class Lines implements LearnedLines {
    private final LearnedEntry entry;
    private final Set<String> references = new TreeSet<>();

    Lines(LearnedEntry entry) {
      this.entry = entry;
    }

    @Override
    public void add(Note note) {
      Optional<String> endpoint = LearnedRules.endpoint(note.subject());
      if (endpoint.isPresent()) {
        references.add(endpoint.get());
      } else if (!isOfCallbacks(note.subject())) {
        entry.addGap(note, "that is no host with a port");
      }
    }

    @Override
    public void write(StringBuilder yaml) {
      LearnedEntry.list(yaml, KEY.inEntries(), references);
    }
  }
}
