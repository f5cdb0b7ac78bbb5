package io.rmigate.gateway.policy;

import io.rmigate.gateway.policy.JudgedMessage.Kind;
import io.rmigate.gateway.policy.type.ClassPattern;
import io.rmigate.gateway.policy.type.JavaNames;
import io.rmigate.gateway.quota.Share;
import io.rmigate.gateway.scan.Arguments;
import io.rmigate.gateway.scan.Finding;
import io.rmigate.gateway.scan.PlaceFinder;
import io.rmigate.gateway.scan.ScanResult;
import io.rmigate.gateway.scan.SeenClass;
import io.rmigate.gateway.scan.SeenReference;
import io.rmigate.gateway.scan.StreamScanner;
import io.rmigate.protocol.DestinationPatterns;
import io.rmigate.protocol.NamePatterns;
import io.rmigate.protocol.jrmp.MessageEnd;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.message.CallHeader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongPredicate;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The rules of calls from one principal to one target. Immutable; any thread. */
public final class CallRules {
  /** What is advised where calls are longer than the limit, if that is not enough already. */
  static final String LONG_CALLS = "call-limit: 64MiB";

  static final String TOO_LONG = "it is longer than call-limit";

  /** What is advised where they are longer than that. */
  static final String STREAM = "stream: true";

  static final int LONG_CALL_BYTES = 64 << 20;

  /** The first refuses a message; a message names thousands of classes in as many bytes. */
  private static final int ENOUGH_TO_REFUSE = 16;

  /** What is advised where an object is called that the session was not given. */
  static final String ANY_OBJECTS = "received-objects: false";

  /** For who finds one refused that was given, as far as its client knows. */
  private static final String ADVICE_OF_OBJECTS =
      "; the session has neither looked it up nor was it given it by a server: by another way than"
          + " this gateway, or before the gateway was started again with other keys (grants) or a"
          + " client without an agent came anew, which looks it up again";

  /** For who has a client that is to be called back. */
  private static final String ADVICE_OF_CALLBACKS =
      "if it is an object of the client's own JVM, allow its principal callbacks (section callbacks),"
          + " for its port is another one each time; if it is a server's, ";

  /** For who finds an endpoint refused that may be called. */
  private static final String ADVICE_OF_REFERENCES =
      "; the object is neither the client's own, nor was it given to the session at that endpoint:"
          + " look it up anew";

  /** For who has put a gateway before an application, and finds the first of its calls refused. */
  private static final String ADVICE_WITHOUT_JARS =
      "; classes.interfaces (--interfaces DIR), a directory with the jars of the remote interfaces,"
          + " allows all that they need; classes.mode: learn (--learn) lets everything pass and notes"
          + " what is needed, for `policy learned` to print";

  /** For who has given a jar, and finds its class refused. */
  private static final String ADVICE_OF_FORM =
      "; it does not look as in the jars of classes.interfaces: if it is of another version, put"
          + " the jar of that one there, too, and do without this";

  /** For an Externalizable that may hold what its receiver lacks, too. */
  private static final String ADVICE_OF_FORM_OR_PARTS =
      ADVICE_OF_FORM
          + "; or something in it is of a class that a receiver may lack: README.md,"
          + " Externalizables";

  /** For who has given a jar whose class cannot be followed. */
  private static final String ADVICE_OF_READER =
      "; its jar is there, but nothing proves where its readObject or readExternal stops:"
          + " docs/explanation/classes.md says why that may be, at Shapes";

  /** For who makes a class opaque: what that costs. */
  private static final String ADVICE_OF_OPAQUE =
      "; a call that carries an opaque class goes alone on a connection, to another thread of the"
          + " server than the calls before and behind it";

  /** For who has given a jar whose unframed data have no end that can be seen. */
  private static final String ADVICE_OF_EXTERNAL =
      "; its jar is there, but not where the data of its readExternal end: README.md says why that"
          + " may be, at Externalizables";

  /** For who takes methods away, and finds one of them refused. Another line would not help. */
  private static final String ADVICE_OF_METHODS =
      "to allow it take out what takes it away, with ! in front, in methods of a targets entry";

  private final ClassMode mode;
  private final List<ClassPattern> patterns;
  private final Set<String> opaque;
  private final DestinationPatterns references;
  private final Optional<NamePatterns> names;
  private final boolean listAll;
  private final InterfaceJars jars;

  /** What is permitted and in none of the jars. */
  private final Set<String> withoutJar;

  private final MethodRules methods;
  private final int callLimit;
  private final int keyLimit;
  private final boolean stream;
  private final boolean jmx;
  private final boolean receivedObjects;
  private final boolean newPorts;
  private final ClassSettings settings;
  private final StreamScanner scanner;
  private final Learned learned;

  CallRules(
      ClassMode mode,
      List<ClassPattern> patterns,
      Set<String> opaque,
      List<String> references,
      Optional<NamePatterns> names,
      boolean listAll,
      InterfaceJars jars,
      MethodRules methods,
      int callLimit,
      int keyLimit,
      boolean stream,
      boolean jmx,
      boolean receivedObjects,
      boolean newPorts,
      ClassSettings settings,
      StreamScanner scanner,
      Learned learned) {
    this.mode = mode;
    this.patterns = List.copyOf(patterns);
    this.opaque = Set.copyOf(opaque);
    this.references = DestinationPatterns.of(references);
    this.names = names;
    this.listAll = listAll;
    this.jars = jars;
    this.withoutJar = withoutJar(patterns, opaque, jars);
    this.methods = methods;
    this.callLimit = callLimit;
    this.keyLimit = keyLimit;
    this.stream = stream;
    this.jmx = jmx;
    this.receivedObjects = receivedObjects;
    this.newPorts = newPorts;
    this.settings = settings;
    this.scanner = scanner;
    this.learned = learned;
  }

  /** What is permitted and in none of the jars: names of classes, and patterns of such names. */
  static Set<String> withoutJar(
      List<ClassPattern> patterns, Set<String> opaque, InterfaceJars jars) {
    return Stream.of(
            opaque.stream(),
            jars.mentioned().stream(),
            patterns.stream().filter(ClassPattern::allows).map(ClassPattern::toString))
        .flatMap(Function.identity())
        .filter(name -> !jars.has(name) && !ValueTypes.NAMES.contains(name))
        .filter(name -> !name.startsWith("java.") && !name.startsWith("javax."))
        .collect(Collectors.toUnmodifiableSet());
  }

  /** Whether messages are looked into at all. */
  public boolean looks() {
    return mode != ClassMode.OFF;
  }

  /** Whether a message is refused that is objected to; else that is noted. */
  public boolean enforces() {
    return mode == ClassMode.ENFORCE;
  }

  /** Whether is noted what it would take to be enforced. */
  public boolean learns() {
    return mode == ClassMode.LEARN;
  }

  /** What is done with them. */
  ClassMode mode() {
    return mode;
  }

  /** Bytes up to which a call is gathered and looked into. */
  public int callLimit() {
    return callLimit;
  }

  /** Whether longer ones pass while they are looked into. */
  public boolean streams() {
    return stream;
  }

  /** What may be long of calls that are. */
  public LongCallSettings longCalls() {
    return settings.longCalls();
  }

  /**
   * Whether a call that is longer than {@link #callLimit} may pass as it comes: any where that is
   * permitted, else those of methods of the jars, for the sake of long arrays and strings.
   */
  public boolean takesLong(CallHeader header) {
    return stream || takesLongByItself(header);
  }

  /** Whether it may for the sake of those alone. */
  public boolean takesLongByItself(CallHeader header) {
    return declared(header).isPresent() && settings.longCalls().maxBytes() > callLimit;
  }

  private Optional<Arguments> declared(CallHeader header) {
    return TraceContext.of(header.object()).isPresent()
        ? Optional.empty()
        : methods.declared(header.operation(), header.hash());
  }

  /** Whether only its long arrays and strings may make it longer. */
  private boolean isBounded(CallHeader header) {
    return (!stream || learns()) && takesLongByItself(header);
  }

  /**
   * What speaks against the length of a call, by a record of it.
   *
   * @param operation see {@link #method}
   */
  public Optional<Objection> length(int operation, long hash, long bytes) {
    boolean mayBeLong =
        bytes <= (long) callLimit + settings.longCalls().maxBytes()
            && methods.declared(operation, hash).isPresent();
    return bytes <= callLimit || stream || mayBeLong
        ? Optional.empty()
        : Optional.of(tooLong().get(0));
  }

  /**
   * Whether a call is to pass as it comes because an array or a string has begun in it that is
   * longer than all of it may be: nothing is won by gathering more of it.
   */
  public boolean announcesLong(CallHeader header, byte[] beginning) {
    if (stream || !takesLongByItself(header)) {
      return false;
    }
    StreamScanner.GrowingScan scan = scanner.longCall(declared(header).get(), true);
    scan.more(beginning, beginning.length, callLimit);
    return scan.claimed() > callLimit;
  }

  /** With the shapes of the configured jars. */
  public StreamScanner scanner() {
    return scanner;
  }

  /** Whether there are names that may not be looked up. */
  public boolean limitsNames() {
    return names.isPresent();
  }

  /** Whether a registry's list is shown without the names that may not be looked up. */
  public boolean limitsLists() {
    return limitsNames() && !listAll;
  }

  /**
   * Whether a registry may be asked for that name, or told of it.
   *
   * @param name empty for all that there are
   */
  public boolean permitsName(Optional<String> name) {
    return names.isEmpty() || name.filter(names.get()::matches).isPresent();
  }

  /** What would let pass what is objected to, in one line of the log. */
  public String advice(Objection objection) {
    String subject = objection.subject();
    String advice = objection.advice();
    return switch (objection.rule()) {
      case OBJECT -> advice + ADVICE_OF_OBJECTS;
      case REFERENCE ->
          mayBeOfClient(subject) ? ADVICE_OF_CALLBACKS + advice : advice + ADVICE_OF_REFERENCES;
      case CLASS ->
          jars.isEmpty() && !isOfJdk(subject) && !objection.wantsJmx()
              ? advice + ADVICE_WITHOUT_JARS
              : advice;
      case SHAPE -> {
        if (isOfJdk(subject)) {
          yield advice;
        }
        if (jars.isEmpty()) {
          yield advice + ADVICE_WITHOUT_JARS;
        }
        if (!jars.explains(subject)) {
          yield advice;
        }
        yield advice
            + (!jars.isProven(subject)
                ? ADVICE_OF_READER
                : jars.endsUnframed(subject) ? ADVICE_OF_FORM_OR_PARTS : ADVICE_OF_FORM);
      }
      case UNREADABLE ->
          objection.className().isEmpty()
              ? advice
              : advice + (jars.explains(subject) ? ADVICE_OF_EXTERNAL : "") + ADVICE_OF_OPAQUE;
      case METHOD -> methods.takesAway(objection) ? ADVICE_OF_METHODS : advice;
      default -> advice;
    };
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
   * @param proxies whether the receiver may make one more class of a proxy for the caller, by the
   *     hash code of its interfaces; asked if there is nothing else
   */
  public List<Objection> call(
      CallHeader header,
      ScanResult seen,
      byte[] call,
      Predicate<SeenReference> received,
      LongPredicate proxies) {
    List<Objection> objections = new ArrayList<>(0);
    Optional<TraceContext> context = TraceContext.of(header.object());
    if (context.isPresent()) {
      context.get().objection(header, call).ifPresent(objections::add);
    } else {
      methods.objection(header).ifPresent(objections::add);
      methods.arguments(header, call).ifPresent(objections::add);
    }
    contents(seen, objections, false);
    references(seen, received, objections);
    if (seen.end() instanceof MessageEnd.Unparseable unreadable
        && !unreadable.externalizable().filter(opaque::contains).isPresent()) {
      objections.add(unreadable(unreadable));
    }
    proxies(seen, proxies, objections);
    return objections;
  }

  /**
   * Where in a call stands what is objected to, for people, such as {@code argument 1:
   * Order.lines[3].price}; empty where that is at no place. Takes as long as looking into it did.
   *
   * @param call all of it
   * @param received as for {@link #call}
   */
  public String place(
      Objection objection, CallHeader header, byte[] call, Predicate<SeenReference> received) {
    if (!objection.isOfContent()) {
      return "";
    }
    return scanner.placeInRequest(
        call,
        call.length,
        sought(
            objection,
            seen -> toServer(seen, received, hash -> true).contains(objection),
            methods.objectParameters(header)));
  }

  /** The same for a reply that is there as a whole. */
  String placeInReply(Objection objection, byte[] reply) {
    return objection.isOfContent()
        ? scanner.placeInReply(
            reply,
            reply.length,
            sought(objection, seen -> reply(seen).contains(objection), List.of()))
        : "";
  }

  /** How it is found again in the message that it is about. */
  PlaceFinder.Sought sought(
      Objection objection, Predicate<ScanResult> isIn, List<Integer> parameters) {
    return KeyLimit.isRemedy(objection.remedy())
        ? new PlaceFinder.Sought(seen -> false, keyLimit, parameters)
        : new PlaceFinder.Sought(isIn, Long.MAX_VALUE, parameters);
  }

  /** Different lists of interfaces of proxies that a principal may have sent. */
  public int proxyLimit() {
    return settings.bound(MessageBound.PROXIES);
  }

  private void proxies(ScanResult seen, LongPredicate proxies, List<Objection> objections) {
    if (objections.isEmpty() && !seen.proxyClasses().stream().allMatch(proxies::test)) {
      objections.add(
          new Objection(
              Objection.Rule.STREAM,
              Finding.Kind.TOO_MANY_PROXY_CLASSES
                  + " more than "
                  + proxyLimit()
                  + " of this principal",
              MessageBound.PROXIES.remedyBeyond(proxyLimit())));
    }
  }

  /** What speaks against a message that is longer than {@link #callLimit}. */
  public List<Objection> tooLong() {
    return List.of(
        new Objection(
            Objection.Rule.UNREADABLE,
            TOO_LONG,
            callLimit < LONG_CALL_BYTES ? LONG_CALLS : STREAM));
  }

  /** Bytes of a long message that may have to be kept at once: as much as of a call. */
  int mostKept() {
    return Math.max(callLimit, ClassSettings.CALL_LIMIT);
  }

  /** What speaks against a message of which more would have to be kept. */
  List<Objection> tooMuchToKeep() {
    return List.of(
        new Objection(
            Objection.Rule.UNREADABLE,
            "more than call-limit would have to be kept of it to understand the rest",
            callLimit < LONG_CALL_BYTES ? LONG_CALLS : ""));
  }

  /** What speaks against the method of a call. */
  public List<Objection> header(CallHeader header) {
    return TraceContext.of(header.object())
        .map(context -> context.objection(header))
        .orElseGet(() -> methods.objection(header))
        .stream()
        .toList();
  }

  /** Whether a call's method is one of an interface in the jars. */
  public boolean explains(CallHeader header) {
    return methods.isExplained(header);
  }

  /**
   * What speaks against a method of an object that is no registry, by a record of a call.
   *
   * @param operation −1 when the hash is the method's; else a number of old stubs
   */
  public Optional<Objection> method(int operation, long hash) {
    return TraceContext.mayBe(operation, hash)
        ? Optional.empty()
        : methods.objection(operation, hash);
  }

  /** Whether it is of a method of JMX, whose arguments are looked into as a whole. */
  private boolean isOfJmx(CallHeader header) {
    return jmx && JmxProfile.has(header.hash());
  }

  /**
   * A Return that comes from a server, of any length.
   *
   * @param room from which long ones take
   * @param received told of each reference in it, more than once
   */
  public JudgedMessage replyOfServer(Share room, Consumer<SeenReference> received) {
    return ofServer(Kind.RETURN, scanner.longReply(), room, received, this::reply);
  }

  /**
   * A Return that comes from a client's JVM and goes to a server, whose reader it could attack as
   * well as an argument; so it may be as long as a call.
   *
   * @param room from which long ones take
   * @param received whether the session has that reference, or has received it
   * @param proxies whether there may be one more class of a proxy: see {@link #call}
   */
  public JudgedMessage replyOfClient(
      Share room, Predicate<SeenReference> received, LongPredicate proxies) {
    return new JudgedMessage(
        this,
        room,
        Kind.RETURN,
        stream ? scanner.longReply() : scanner.growingReply(),
        stream ? Long.MAX_VALUE : callLimit,
        seen -> toServer(seen, received, proxies));
  }

  /**
   * A Call that is too long to be gathered to its end. What speaks against its method and its
   * object has been heard.
   *
   * @param room from which what is held of it takes
   * @param claimed by all such calls of its principal
   * @param received whether the session has that reference, or has received it
   * @param proxies whether there may be one more class of a proxy: see {@link #call}
   */
  public JudgedMessage longCall(
      CallHeader header,
      Share room,
      Share claimed,
      Predicate<SeenReference> received,
      LongPredicate proxies) {
    Optional<TraceContext> context = TraceContext.of(header.object());
    if (context.isPresent()) {
      List<Objection> tooLong = List.of(context.get().tooLong());
      return new JudgedMessage(
          this, room, Kind.CALL, scanner.longCall(), Long.MAX_VALUE, seen -> tooLong);
    }
    boolean never = isOfJmx(header);
    boolean bounded = isBounded(header);
    JudgedMessage judged =
        new JudgedMessage(
            this,
            room,
            Kind.CALL,
            declared(header)
                .map(its -> scanner.longCall(its, bounded))
                .orElseGet(scanner::longCall),
            bounded ? callLimit : Long.MAX_VALUE,
            seen -> never ? tooLong() : toServer(seen, received, proxies));
    return bounded ? judged.claimingFrom(claimed) : judged;
  }

  /** What speaks against the bytes that the long arrays and strings of a call claim. */
  List<Objection> claims(long bytes) {
    return bytes <= settings.longCalls().maxBytes()
        ? List.of()
        : List.of(
            new Objection(
                Objection.Rule.UNREADABLE,
                "its long arrays and strings take more than long-calls.max-bytes",
                STREAM));
  }

  private List<Objection> toServer(
      ScanResult seen, Predicate<SeenReference> received, LongPredicate proxies) {
    List<Objection> objections = parts(seen, false);
    references(seen, received, objections);
    proxies(seen, proxies, objections);
    return objections;
  }

  /**
   * A Call that a server makes to an object of a client's, whose reader it could attack as well as
   * a reply; so it may have any length, too.
   *
   * @param room from which long ones take
   * @param received told of each reference in it, more than once
   */
  public JudgedMessage callOfServer(Share room, Consumer<SeenReference> received) {
    return ofServer(Kind.CALL, scanner.longCall(), room, received, this::reply);
  }

  /**
   * A Return that nobody judges, of which it is of interest what it hands out.
   *
   * @param room from which long ones take
   * @param received told of each reference in it, more than once
   */
  public JudgedMessage unjudgedReply(Share room, Consumer<SeenReference> received) {
    return ofServer(Kind.RETURN, scanner.longReply(), room, received, seen -> List.of());
  }

  private JudgedMessage ofServer(
      Kind kind,
      StreamScanner.GrowingScan scan,
      Share room,
      Consumer<SeenReference> received,
      Function<ScanResult, List<Objection>> judge) {
    return new JudgedMessage(
        this,
        room,
        kind,
        scan,
        Long.MAX_VALUE,
        seen -> {
          seen.references().forEach(received);
          return judge.apply(seen);
        });
  }

  /** Whether only objects may be called that the session was given. */
  public boolean limitsObjects() {
    return receivedObjects;
  }

  /** Whether objects may be reached where no registry has named them, but a server of its. */
  public boolean newPorts() {
    return newPorts;
  }

  /**
   * What speaks against calling an object.
   *
   * @param received whether a server has given it to the session
   */
  public List<Objection> object(ObjIdentifier object, Predicate<ObjIdentifier> received) {
    if (!receivedObjects || received.test(object)) {
      return List.of();
    }
    return List.of(
        enforces()
            ? new Objection(Objection.Rule.OBJECT, object.toString(), ANY_OBJECTS)
            : Needs.anyObjects()); // of all there is one note
  }

  /** What speaks against what has been seen of a message that goes to a client. */
  List<Objection> reply(ScanResult seen) {
    return parts(seen, true);
  }

  /**
   * What speaks against what has been seen of a message, be it all or a part.
   *
   * @param toClient a client reads it, and no server
   */
  private List<Objection> parts(ScanResult seen, boolean toClient) {
    List<Objection> objections = new ArrayList<>(0);
    contents(seen, objections, toClient);
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
      if (enforces() && objections.size() >= ENOUGH_TO_REFUSE) {
        return;
      }
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

  private Objection unreadable(MessageEnd.Unparseable end) {
    return end.externalizable()
        .map(this::unreadable)
        .orElseGet(() -> new Objection(Objection.Rule.UNREADABLE, end.reason(), ""));
  }

  private Objection unreadable(String externalizable) {
    return new Objection(Objection.Rule.UNREADABLE, externalizable, jarOrOpaque(externalizable));
  }

  /** The class of a socket factory that the reference brings is judged like any other class. */
  private boolean isListed(SeenReference seen) {
    return references.matches(seen.reference().host(), seen.reference().port());
  }

  /** Whether a receiver may have to compare more keys than may be. */
  boolean hasTooManyKeys(ScanResult seen) {
    return seen.figures().keys() > keyLimit;
  }

  /** How deep messages would have to be permitted for this one; 0 if it is not too deep. */
  int missingDepth(ScanResult seen) {
    int depth = seen.figures().depth();
    return depth > settings.bound(MessageBound.DEPTH) ? MessageBound.DEPTH.enoughFor(depth) : 0;
  }

  private void contents(ScanResult seen, List<Objection> objections, boolean toClient) {
    if (missingDepth(seen) > 0) {
      objections.add(MessageBound.DEPTH.exceeded(seen.figures().depth()));
    }
    if (hasTooManyKeys(seen)) {
      objections.add(KeyLimit.exceeded(seen.figures().keys()));
    }
    for (Finding finding : seen.findings()) {
      if (enforces() && objections.size() >= ENOUGH_TO_REFUSE) {
        return;
      }
      switch (finding.kind()) {
        case UNEXPLAINED_CLASS, SHAPE_MISMATCH, UNPROVEN_CLASS, REACHING_OUT -> {
          if (!opaque.contains(finding.subject())) {
            objections.add(
                new Objection(
                    Objection.Rule.SHAPE, finding.subject(), jarOrOpaque(finding.subject())));
          }
        }
        case AMBIGUOUS_DATA -> {
          if (!opaque.contains(finding.subject())) {
            objections.add(unreadable(finding.subject()));
          }
        }
        case CLAIMS_MORE_THAN_IS_KEPT ->
            objections.add(
                new Objection(
                    Objection.Rule.UNREADABLE,
                    finding.subject()
                        + " claims to hold more than call-limit has room for until that is"
                        + " believed",
                    callLimit < LONG_CALL_BYTES ? LONG_CALLS : ""));
        case TOO_DEEP -> {
          // said by its figure
        }
        case CODEBASE -> {
          if (settings.codebases() == Codebases.REFUSE) {
            objections.add(ofCodebase(finding, Codebases.DROP));
          }
        }
        case REFERENCE_TO_CODEBASE -> objections.add(ofCodebase(finding, Codebases.KEEP));
        default ->
            objections.add(
                MessageBound.of(finding.kind())
                    .map(bound -> bound.exceeded(finding))
                    .orElseGet(
                        () ->
                            new Objection(
                                Objection.Rule.STREAM,
                                finding.kind() + " " + finding.subject(),
                                "")));
      }
    }
    for (SeenClass type : seen.classes()) {
      if (enforces() && objections.size() >= ENOUGH_TO_REFUSE) {
        return;
      }
      if (!allows(type.name()) && !(toClient && allowsToClients(type.name()))) {
        String name = Objection.printable(type.name());
        objections.add(new Objection(Objection.Rule.CLASS, name, remedyOfClass(name)));
      }
    }
  }

  private static Objection ofCodebase(Finding finding, Codebases remedy) {
    return new Objection(Objection.Rule.STREAM, finding.kind().name(), remedy.line());
  }

  /** Whether a class comes with the JDK, so that no operator has a jar of it. */
  private static boolean isOfJdk(String name) {
    return name.startsWith("java.")
        || (JavaNames.isOfClass(name)
            && ClassLoader.getPlatformClassLoader().getResource(name.replace('.', '/') + ".class")
                != null);
  }

  /** Whether an endpoint looks like that of an object which the client's JVM exports. */
  private static boolean mayBeOfClient(String endpoint) {
    if (!LearnedRules.isEndpoint(endpoint)) {
      return false;
    }
    int colon = endpoint.lastIndexOf(':');
    String host = endpoint.substring(0, colon);
    return Learnt.ephemeralPort(endpoint).isPresent()
        || host.equalsIgnoreCase("localhost")
        || host.startsWith("127.");
  }

  /** What has to be said of the method of a call that passes, whatever permits it now. */
  public List<Objection> needs(CallHeader header, byte[] call) {
    return TraceContext.of(header.object()).isPresent() ? List.of() : methods.needs(header, call);
  }

  /** Whether what was noted would be refused by these rules. */
  public boolean refuses(LearnedNotes.Note note) {
    if (!enforces()) {
      return false;
    }
    String subject = note.subject();
    return switch (note.rule()) {
      case CLASS -> !allows(subject);
      case SHAPE ->
          !opaque.contains(subject)
              && (!jars.explains(subject) || note.remedy().startsWith("opaque"));
      case UNREADABLE -> refusesUnreadable(subject, note.remedy());
      case REFERENCE -> {
        if (subject.equals(Needs.CALLBACKS) || subject.startsWith(Needs.PORT)) {
          yield false;
        }
        int colon = subject.lastIndexOf(':');
        yield !LearnedRules.isEndpoint(subject)
            || !references.matches(
                subject.substring(0, colon), Integer.parseInt(subject.substring(colon + 1)));
      }
      case METHOD -> methods.refuses(subject);
      case STREAM -> refusesStream(note.remedy());
      case OBJECT -> receivedObjects;
      case NAME -> !permitsName(Optional.of(subject));
      case TARGET -> note.remedy().equals(Needs.NEW_PORTS) && !newPorts;
      case OPERATION -> false; // which is no matter of what calls carry
    };
  }

  private boolean refusesStream(String remedy) {
    if (KeyLimit.isRemedy(remedy)) {
      return KeyLimit.of(remedy) > keyLimit;
    }
    Optional<MessageBound> bound = MessageBound.of(remedy);
    return bound.isPresent()
        ? bound.get().amount(remedy) > settings.bound(bound.get())
        : !Codebases.isRemedy(remedy) || !settings.codebases().allow(remedy);
  }

  private boolean refusesUnreadable(String subject, String remedy) {
    if (remedy.equals(LONG_CALLS)) {
      return !stream && callLimit < LONG_CALL_BYTES;
    }
    return remedy.equals(STREAM)
        ? !stream
        : !opaque.contains(subject) && (remedy.startsWith("opaque") || !jars.endsUnframed(subject));
  }

  /**
   * Whether it passes only because a class in it is listed as opaque: that class may hide another
   * message. One that is listed, and is understood nevertheless, hides nothing.
   */
  public boolean isOpaque(ScanResult seen) {
    if (opaque.isEmpty()) {
      return false;
    }
    for (Finding finding : seen.findings()) {
      switch (finding.kind()) {
        case UNEXPLAINED_CLASS, SHAPE_MISMATCH, UNPROVEN_CLASS, AMBIGUOUS_DATA -> {
          if (opaque.contains(finding.subject())) {
            return true;
          }
        }
        case TOO_MANY_FINDINGS -> {
          return true;
        }
        default -> {
          // no matter of where its data end
        }
      }
    }
    return seen.end() instanceof MessageEnd.Unparseable;
  }

  private String remedyOfClass(String name) {
    boolean wantsJmx = !jmx && JmxProfile.owns(name) && !isTakenAway(name);
    return wantsJmx ? JmxAccess.FULL.line() : "classes: ['" + name + "']";
  }

  private boolean isTakenAway(String name) {
    return firstPattern(name).filter(pattern -> !pattern.allows()).isPresent();
  }

  private Optional<ClassPattern> firstPattern(String name) {
    for (ClassPattern pattern : patterns) {
      if (pattern.matches(name)) {
        return Optional.of(pattern);
      }
    }
    return Optional.empty();
  }

  private boolean allowsToClients(String name) {
    return ValueTypes.FOR_CLIENTS.contains(name) && !isTakenAway(name);
  }

  /** Whether messages may name this class; not one of an array. */
  boolean allows(String name) {
    Optional<ClassPattern> pattern = firstPattern(name);
    if (pattern.isPresent()) {
      return pattern.get().allows();
    }
    return ValueTypes.NAMES.contains(name)
        || opaque.contains(name)
        || jars.mentions(name)
        || (jmx && JmxProfile.allows(name))
        || jars.isHarmless(name, withoutJar);
  }

  private String jarOrOpaque(String name) {
    String jar = jars.explains(name) || isOfJdk(name) ? "" : Objection.ITS_JAR_OR;
    return jar + "opaque: ['" + Objection.printable(name) + "']";
  }
}
