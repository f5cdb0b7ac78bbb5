package io.rmigate.gateway.policy;

import io.rmigate.gateway.scan.Finding;
import io.rmigate.gateway.scan.ScanResult;
import io.rmigate.gateway.scan.SeenClass;
import io.rmigate.gateway.scan.SeenReference;
import io.rmigate.gateway.scan.StreamScanner;
import io.rmigate.protocol.DestinationPatterns;
import io.rmigate.protocol.NamePatterns;
import io.rmigate.protocol.jrmp.CallHeader;
import io.rmigate.protocol.jrmp.MessageEnd;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** The rules of calls from one principal to one target. Immutable; any thread. */
public final class CallRules {
  private static final int NO_OPERATION = -1;

  private final ClassMode mode;
  private final List<ClassPattern> patterns;
  private final Set<String> opaque;
  private final DestinationPatterns references;
  private final Optional<NamePatterns> names;
  private final InterfaceJars jars;
  private final int callLimit;
  private final boolean stream;
  private final boolean jmx;
  private final boolean receivedObjects;
  private final StreamScanner scanner;
  private final Learned learned;

  CallRules(
      ClassMode mode,
      List<ClassPattern> patterns,
      Set<String> opaque,
      List<String> references,
      Optional<NamePatterns> names,
      InterfaceJars jars,
      int callLimit,
      boolean stream,
      boolean jmx,
      boolean receivedObjects,
      StreamScanner scanner,
      Learned learned) {
    this.mode = mode;
    this.patterns = List.copyOf(patterns);
    this.opaque = Set.copyOf(opaque);
    this.references = DestinationPatterns.of(references);
    this.names = names;
    this.jars = jars;
    this.callLimit = callLimit;
    this.stream = stream;
    this.jmx = jmx;
    this.receivedObjects = receivedObjects;
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

  /** What is done with them. */
  ClassMode mode() {
    return mode;
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

  /** Whether there are names that may not be looked up. */
  public boolean limitsNames() {
    return names.isPresent();
  }

  /**
   * Whether a registry may be asked for that name, or told of it; in any mode.
   *
   * @param name empty for all that there are
   */
  public boolean permitsName(Optional<String> name) {
    return names.isEmpty() || name.filter(names.get()::matches).isPresent();
  }

  /** Where objections are noted that are not enforced. */
  public Learned learned() {
    return learned;
  }

  /**
   * What speaks against a call.
   *
   * @param call all of it
   * @param received whether the session has that reference, or has received it
   */
  public List<Objection> call(
      CallHeader header, ScanResult seen, byte[] call, Predicate<SeenReference> received) {
    List<Objection> objections = new ArrayList<>(header(header));
    if (jmx) {
      JmxProfile.objection(header, call).ifPresent(objections::add);
    }
    contents(seen, objections);
    references(seen, received, objections);
    if (seen.end() instanceof MessageEnd.Unparseable unreadable
        && !unreadable.externalizable().filter(opaque::contains).isPresent()) {
      objections.add(unreadable(unreadable));
    }
    return objections;
  }

  /** What speaks against a call of which no more than the beginning is looked into. */
  public List<Objection> header(CallHeader header) {
    return method(header).stream().toList();
  }

  /**
   * A Return that comes from a server.
   *
   * @param room from which long ones take
   * @param received told of each reference in it, more than once
   */
  public JudgedReturn replyOfServer(HeldBytes room, Consumer<SeenReference> received) {
    return new JudgedReturn(
        this,
        room,
        seen -> {
          seen.references().forEach(received);
          return reply(seen);
        });
  }

  /**
   * A Return that comes from a client's JVM and goes to a server, whose reader it could attack as
   * well as an argument.
   *
   * @param room from which long ones take
   * @param received whether the session has that reference, or has received it
   */
  public JudgedReturn replyOfClient(HeldBytes room, Predicate<SeenReference> received) {
    return new JudgedReturn(
        this,
        room,
        seen -> {
          List<Objection> objections = reply(seen);
          references(seen, received, objections);
          return objections;
        });
  }

  /**
   * What speaks against calling an object.
   *
   * @param received whether a server has given it to the session
   */
  public List<Objection> object(ObjIdentifier object, Predicate<ObjIdentifier> received) {
    return receivedObjects && !received.test(object)
        ? List.of(
            new Objection(Objection.Rule.OBJECT, object.toString(), "received-objects: false"))
        : List.of();
  }

  /** What speaks against what has been seen of a reply. */
  private List<Objection> reply(ScanResult seen) {
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

  private void references(
      ScanResult seen, Predicate<SeenReference> received, List<Objection> objections) {
    for (SeenReference reference : seen.references()) {
      if (!received.test(reference) && !isListed(reference)) {
        String endpoint = reference.reference().host() + ":" + reference.reference().port();
        objections.add(
            new Objection(
                Objection.Rule.REFERENCE,
                endpoint,
                "references: ['" + Objection.printable(endpoint) + "']"));
      }
    }
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
    if (jmx && JmxProfile.refuses(header.hash())) {
      return Optional.of(new Objection(Objection.Rule.METHOD, "JMX createMBean", ""));
    }
    ObjIdentifier object = header.object();
    if (jars.isEmpty()
        || object.equals(ObjIdentifier.REGISTRY)
        || object.equals(ObjIdentifier.DGC)
        || (jmx && JmxProfile.has(header.hash()))
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
        String name = Objection.printable(type.name());
        objections.add(new Objection(Objection.Rule.CLASS, name, "classes: ['" + name + "']"));
      }
    }
  }

  /** Whether what was noted would be refused by these rules. */
  public boolean refuses(LearnedNotes.Note note) {
    if (!enforces()) {
      return false;
    }
    String subject = note.subject();
    return switch (note.rule()) {
      case CLASS -> !allows(subject);
      case SHAPE -> !opaque.contains(subject) && !jars.explains(subject);
      case UNREADABLE -> !opaque.contains(subject);
      case REFERENCE -> {
        int colon = subject.lastIndexOf(':');
        yield !LearnedRules.isEndpoint(subject)
            || !references.matches(
                subject.substring(0, colon), Integer.parseInt(subject.substring(colon + 1)));
      }
      case METHOD ->
          !jars.isEmpty()
              && !(subject.matches("\\p{XDigit}{16}")
                  && jars.hasMethod(Long.parseUnsignedLong(subject, 16)));
      case STREAM -> true;
      case OBJECT -> receivedObjects;
    };
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
    return ValueTypes.NAMES.contains(name)
        || opaque.contains(name)
        || jars.mentions(name)
        || (jmx && JmxProfile.allows(name));
  }

  private static String asOpaque(String name) {
    return "opaque: ['" + Objection.printable(name) + "']";
  }
}
