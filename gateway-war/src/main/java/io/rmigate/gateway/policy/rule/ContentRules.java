package io.rmigate.gateway.policy.rule;

import io.rmigate.gateway.scan.Finding;
import io.rmigate.gateway.scan.PlaceFinder;
import io.rmigate.gateway.scan.ScanResult;
import io.rmigate.gateway.scan.ScanResult.Figures;
import io.rmigate.gateway.scan.SeenReference;
import io.rmigate.protocol.jrmp.MessageEnd;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongPredicate;
import java.util.function.Predicate;

/**
 * The rules of what messages carry, in the order in which they are asked: figures, findings,
 * classes, references, the end, proxies. Immutable; any thread.
 */
public final class ContentRules {
  /** The first refuses a message; a message names thousands of classes in as many bytes. */
  private static final int ENOUGH_TO_REFUSE = 16;

  /** Objections after which no more are of interest. */
  private final int most;

  /** The rules that judge figures. */
  private final CallRule[] ofFigures;

  /** The rules that judge findings, by kind. */
  private final Map<Finding.Kind, CallRule> ofFindings = new EnumMap<>(Finding.Kind.class);

  private final ClassRule classes;
  private final OpaqueRule opaque;
  private final ReferenceRule references;
  private final KeyLimit keys;
  private final int proxyLimit;

  public ContentRules(Map<RuleType, CallRule> rules, Combination entries) {
    this.most = entries.mode() == ClassMode.ENFORCE ? ENOUGH_TO_REFUSE : Integer.MAX_VALUE;
    this.ofFigures = rules.values().stream().filter(CallRule::isOfFigures).toArray(CallRule[]::new);
    rules.values().forEach(rule -> rule.findings().forEach(kind -> ofFindings.put(kind, rule)));
    this.classes = (ClassRule) rules.get(ClassRule.TYPE);
    this.opaque = (OpaqueRule) rules.get(OpaqueRule.TYPE);
    this.references = (ReferenceRule) rules.get(ReferenceRule.TYPE);
    this.keys = (KeyLimit) rules.get(KeyLimit.TYPE);
    this.proxyLimit = entries.settings().bound(MessageBound.PROXIES);
  }

  /**
   * What speaks against a call that is there as a whole; added to what speaks against its method.
   *
   * @param received whether the session has that reference, or has received it
   * @param proxies whether the receiver may make one more class of a proxy for the caller, by the
   *     hash code of its interfaces; asked if there is nothing else
   */
  public void judge(
      ScanResult seen,
      Predicate<SeenReference> received,
      LongPredicate proxies,
      List<Objection> objections) {
    contents(seen, false, objections);
    references.judge(seen, received, most, objections);
    add(opaque.objection(seen.end()), objections);
    proxies(seen, proxies, objections);
  }

  /** Objections to the scanned part of a message to a server, or to the whole message. */
  public List<Objection> toServer(
      ScanResult seen, Predicate<SeenReference> received, LongPredicate proxies) {
    List<Objection> objections = parts(seen, false);
    references.judge(seen, received, most, objections);
    proxies(seen, proxies, objections);
    return objections;
  }

  /**
   * What speaks against what has been seen of a message, be it all or a part.
   *
   * @param toClient a client reads it, and no server
   */
  public List<Objection> parts(ScanResult seen, boolean toClient) {
    List<Objection> objections = new ArrayList<>(0);
    contents(seen, toClient, objections);
    add(opaque.objection(seen.end()), objections);
    if (seen.end() instanceof MessageEnd.Malformed malformed) {
      objections.add(new Objection(Objection.Rule.STREAM, malformed.reason(), ""));
    }
    return objections;
  }

  private void contents(ScanResult seen, boolean toClient, List<Objection> objections) {
    for (CallRule rule : ofFigures) {
      add(rule.objection(seen.figures()), objections);
    }
    List<Finding> findings = seen.findings();
    for (int i = 0; i < findings.size(); i++) { // each call: no iterator
      Finding finding = findings.get(i);
      if (objections.size() >= most) {
        return;
      }
      CallRule rule = ofFindings.get(finding.kind());
      if (rule != null) {
        add(rule.objection(finding), objections);
      } else {
        objections.add(
            new Objection(Objection.Rule.STREAM, finding.kind() + " " + finding.subject(), ""));
      }
    }
    classes.judge(seen, toClient, most, objections);
  }

  /** Adds an objection, if present; without a lambda, because each call would make an object. */
  private static void add(Optional<Objection> objection, List<Objection> objections) {
    if (objection.isPresent()) {
      objections.add(objection.get());
    }
  }

  private void proxies(ScanResult seen, LongPredicate proxies, List<Objection> objections) {
    if (objections.isEmpty()
        && !seen.proxyClasses().isEmpty()
        && !seen.proxyClasses().stream().allMatch(proxies::test)) {
      objections.add(
          new Objection(
              Objection.Rule.STREAM,
              Finding.Kind.TOO_MANY_PROXY_CLASSES
                  + " more than "
                  + proxyLimit
                  + " of this principal",
              MessageBound.PROXIES.remedyBeyond(proxyLimit)));
    }
  }

  /** Whether more speaks against a growing message than what its earlier figures did. */
  public boolean isWorse(Figures now, Figures earlier) {
    for (CallRule rule : ofFigures) {
      if (rule.isWorse(now, earlier)) {
        return true;
      }
    }
    return false;
  }

  /** How an objection is found again in the message that it is about. */
  public PlaceFinder.Sought sought(
      Objection objection, Predicate<ScanResult> isIn, List<Integer> parameters) {
    return KeyLimit.isRemedy(objection.remedy())
        ? new PlaceFinder.Sought(seen -> false, keys.limit(), parameters)
        : new PlaceFinder.Sought(isIn, Long.MAX_VALUE, parameters);
  }

  /** See {@link OpaqueRule#isNeeded}. */
  public boolean isOpaque(ScanResult seen) {
    return opaque.isNeeded(seen);
  }

  /** Whether messages may name this class; not one of an array. */
  public boolean allows(String name) {
    return classes.allows(name);
  }
}
