package io.rmigate.gateway.policy;

import io.rmigate.gateway.scan.Finding;
import io.rmigate.gateway.scan.ScanResult;
import io.rmigate.gateway.scan.SeenClass;
import io.rmigate.gateway.scan.SeenReference;
import io.rmigate.gateway.scan.StreamScanner;
import io.rmigate.protocol.DestinationPatterns;
import io.rmigate.protocol.jrmp.CallHeader;
import io.rmigate.protocol.jrmp.MessageEnd;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** The rules of calls from one principal to one target. Immutable; any thread. */
public final class CallRules {
  private static final int NO_OPERATION = -1;

  private final ClassMode mode;
  private final List<ClassPattern> patterns;
  private final Set<String> opaque;
  private final DestinationPatterns references;
  private final InterfaceJars jars;
  private final int callLimit;
  private final boolean stream;
  private final StreamScanner scanner;
  private final Learned learned;

  CallRules(
      ClassMode mode,
      List<ClassPattern> patterns,
      Set<String> opaque,
      List<String> references,
      InterfaceJars jars,
      int callLimit,
      boolean stream,
      StreamScanner scanner,
      Learned learned) {
    this.mode = mode;
    this.patterns = List.copyOf(patterns);
    this.opaque = Set.copyOf(opaque);
    this.references = DestinationPatterns.of(references);
    this.jars = jars;
    this.callLimit = callLimit;
    this.stream = stream;
    this.scanner = scanner;
    this.learned = learned;
  }

  /** Whether messages are looked into at all. */
  public boolean looks() {
    return mode != ClassMode.OFF;
  }

  /** Whether a message is refused that is objected to; else that is noted. */
  public boolean enforces() {
    return mode == ClassMode.ENFORCE;
  }

  /** Bytes up to which a call is gathered and looked into. */
  public int callLimit() {
    return callLimit;
  }

  /** Whether longer ones pass without being looked into. */
  public boolean streams() {
    return stream;
  }

  /** With the shapes of the configured jars. */
  public StreamScanner scanner() {
    return scanner;
  }

  /** Where objections are noted that are not enforced. */
  public Learned learned() {
    return learned;
  }

  /**
   * What speaks against a call.
   *
   * @param length of its bytes
   * @param received whether the session has that reference, or has received it
   */
  public List<Objection> call(
      CallHeader header, ScanResult seen, int length, Predicate<SeenReference> received) {
    List<Objection> objections = new ArrayList<>(0);
    method(header).ifPresent(objections::add);
    contents(seen, objections);
    for (SeenReference reference : seen.references()) {
      if (!received.test(reference) && !isListed(reference)) {
        String endpoint = reference.reference().host() + ":" + reference.reference().port();
        objections.add(
            new Objection(
                Objection.Rule.REFERENCE,
                printable(endpoint),
                "references: ['" + printable(endpoint) + "']"));
      }
    }
    if (seen.end() instanceof MessageEnd.Unparseable unreadable
        && !unreadable.externalizable().filter(opaque::contains).isPresent()) {
      objections.add(unreadable(unreadable));
    }
    return objections;
  }

  /** What speaks against what has been seen of a reply. */
  public List<Objection> reply(ScanResult seen) {
    List<Objection> objections = new ArrayList<>(0);
    contents(seen, objections);
    if (seen.end() instanceof MessageEnd.Unparseable unreadable
        && !unreadable.externalizable().filter(opaque::contains).isPresent()) {
      objections.add(unreadable(unreadable));
    } else if (seen.end() instanceof MessageEnd.Malformed malformed) {
      objections.add(new Objection(Objection.Rule.STREAM, malformed.reason(), ""));
    }
    return objections;
  }

  private static Objection unreadable(MessageEnd.Unparseable end) {
    return new Objection(
        Objection.Rule.UNREADABLE,
        end.externalizable().orElse(end.reason()),
        end.externalizable().map(CallRules::asOpaque).orElse(""));
  }

  private boolean isListed(SeenReference seen) {
    return seen.factory().isEmpty()
        && references.matches(seen.reference().host(), seen.reference().port());
  }

  private Optional<Objection> method(CallHeader header) {
    ObjIdentifier object = header.object();
    if (jars.isEmpty()
        || object.equals(ObjIdentifier.REGISTRY)
        || object.equals(ObjIdentifier.DGC)
        || (header.operation() == NO_OPERATION && jars.hasMethod(header.hash()))) {
      return Optional.empty();
    }
    String hash =
        header.operation() == NO_OPERATION
            ? String.format("%016x", header.hash())
            : "operation " + header.operation();
    return Optional.of(
        new Objection(
            Objection.Rule.METHOD, hash, "the jar with its interface in classes.interfaces"));
  }

  private void contents(ScanResult seen, List<Objection> objections) {
    for (Finding finding : seen.findings()) {
      switch (finding.kind()) {
        case UNEXPLAINED_CLASS, SHAPE_MISMATCH, UNPROVEN_CLASS -> {
          if (!opaque.contains(finding.subject())) {
            objections.add(
                new Objection(
                    Objection.Rule.SHAPE,
                    finding.subject(),
                    "its jar in classes.interfaces, or " + asOpaque(finding.subject())));
          }
        }
        default ->
            objections.add(
                new Objection(Objection.Rule.STREAM, finding.kind() + " " + finding.subject(), ""));
      }
    }
    for (SeenClass type : seen.classes()) {
      if (!allows(type.name())) {
        String name = printable(type.name());
        objections.add(new Objection(Objection.Rule.CLASS, name, "classes: ['" + name + "']"));
      }
    }
  }

  /** Whether a class of which the parser knows nothing is in it: it may hide another message. */
  public boolean isOpaque(ScanResult seen) {
    if (opaque.isEmpty()) {
      return false;
    }
    for (SeenClass type : seen.classes()) {
      if (opaque.contains(type.name())) {
        return true;
      }
    }
    return false;
  }

  /** Whether messages may name this class; not one of an array. */
  boolean allows(String name) {
    for (ClassPattern pattern : patterns) {
      if (pattern.matches(name)) {
        return pattern.allows();
      }
    }
    return ValueTypes.NAMES.contains(name) || opaque.contains(name) || jars.mentions(name);
  }

  private static String asOpaque(String name) {
    return "opaque: ['" + printable(name) + "']";
  }

  private static String printable(String text) {
    return text.replaceAll("[^ -~]", "?");
  }
}
