package io.rmigate.gateway.policy;

import io.rmigate.gateway.policy.JudgedMessage.Kind;
import io.rmigate.gateway.policy.rule.CallRule;
import io.rmigate.gateway.policy.rule.ClassMode;
import io.rmigate.gateway.policy.rule.ClassSettings;
import io.rmigate.gateway.policy.rule.Combination;
import io.rmigate.gateway.policy.rule.ContentRules;
import io.rmigate.gateway.policy.rule.LearnedNotes;
import io.rmigate.gateway.policy.rule.LearningLog;
import io.rmigate.gateway.policy.rule.LengthRule;
import io.rmigate.gateway.policy.rule.LongCallSettings;
import io.rmigate.gateway.policy.rule.MessageBound;
import io.rmigate.gateway.policy.rule.MethodRules;
import io.rmigate.gateway.policy.rule.NameRule;
import io.rmigate.gateway.policy.rule.NewPortsRule;
import io.rmigate.gateway.policy.rule.ObjectRule;
import io.rmigate.gateway.policy.rule.Objection;
import io.rmigate.gateway.policy.rule.RuleType;
import io.rmigate.gateway.policy.rule.RuleTypes;
import io.rmigate.gateway.quota.Share;
import io.rmigate.gateway.scan.Arguments;
import io.rmigate.gateway.scan.PlaceFinder;
import io.rmigate.gateway.scan.ScanResult;
import io.rmigate.gateway.scan.ScanResult.Figures;
import io.rmigate.gateway.scan.SeenReference;
import io.rmigate.gateway.scan.StreamScanner;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.message.CallHeader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongPredicate;
import java.util.function.Predicate;

/**
 * The rules of calls from one principal to one target: asks each of {@link RuleTypes} in the order
 * of the documentation. Immutable; any thread.
 */
public final class CallRules {
  private final ClassMode mode;
  private final ClassSettings settings;
  private final StreamScanner scanner;
  private final LearningLog learned;

  /** All rules, by their types. */
  private final Map<RuleType, CallRule> rules;

  private final ContentRules contents;
  private final NameRule names;
  private final MethodRules methods;
  private final LengthRule length;
  private final ObjectRule objects;
  private final NewPortsRule newPorts;

  CallRules(Combination entries, StreamScanner scanner, LearningLog learned) {
    this.mode = entries.mode();
    this.settings = entries.settings();
    this.scanner = scanner;
    this.learned = learned;
    Map<RuleType, CallRule> all = new LinkedHashMap<>();
    RuleTypes.ALL.forEach(type -> all.put(type, type.rule(entries)));
    this.rules = all;
    this.contents = new ContentRules(all, entries);
    this.names = (NameRule) all.get(NameRule.TYPE);
    this.methods = (MethodRules) all.get(MethodRules.TYPE);
    this.length = (LengthRule) all.get(LengthRule.TYPE);
    this.objects = (ObjectRule) all.get(ObjectRule.TYPE);
    this.newPorts = (NewPortsRule) all.get(NewPortsRule.TYPE);
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

  /** The mode in which these rules apply to messages. */
  ClassMode mode() {
    return mode;
  }

  /** Bytes up to which a call is gathered and looked into. */
  public int callLimit() {
    return length.limit();
  }

  /** Whether longer calls pass while the gateway inspects them. */
  public boolean streams() {
    return length.streams();
  }

  /** Bounds of the arrays and strings in calls that are longer than {@link #callLimit}. */
  public LongCallSettings longCalls() {
    return length.longCalls();
  }

  /**
   * Whether a call that is longer than {@link #callLimit} may pass as it comes: any where that is
   * permitted, else those of methods of the jars, for the sake of long arrays and strings.
   */
  public boolean takesLong(CallHeader header) {
    return length.streams() || takesLongByItself(header);
  }

  /** Whether it may for the sake of those alone. */
  public boolean takesLongByItself(CallHeader header) {
    return declared(header).isPresent() && length.longCalls().maxBytes() > length.limit();
  }

  private Optional<Arguments> declared(CallHeader header) {
    return TraceContext.of(header.object()).isPresent()
        ? Optional.empty()
        : methods.declared(header.operation(), header.hash());
  }

  /** Whether only its long arrays and strings may make it longer. */
  private boolean isBounded(CallHeader header) {
    return (!length.streams() || learns()) && takesLongByItself(header);
  }

  /**
   * What speaks against the length of a call, by a record of it.
   *
   * @param operation see {@link #method}
   */
  public Optional<Objection> length(int operation, long hash, long bytes) {
    boolean mayBeLong =
        bytes <= (long) length.limit() + length.longCalls().maxBytes()
            && methods.declared(operation, hash).isPresent();
    return bytes <= length.limit() || length.streams() || mayBeLong
        ? Optional.empty()
        : Optional.of(length.tooLong());
  }

  /**
   * Whether a call is to pass as it comes because an array or a string has begun in it that is
   * longer than all of it may be: nothing is won by gathering more of it.
   */
  public boolean announcesLong(CallHeader header, byte[] beginning) {
    if (length.streams() || !takesLongByItself(header)) {
      return false;
    }
    StreamScanner.GrowingScan scan = scanner.longCall(declared(header).get(), true);
    scan.more(beginning, beginning.length, length.limit());
    return scan.claimed() > length.limit();
  }

  /** The scanner with the shapes of the configured jars. */
  public StreamScanner scanner() {
    return scanner;
  }

  /** Whether there are names that may not be looked up. */
  public boolean limitsNames() {
    return names.limitsNames();
  }

  /** Whether a registry's list is shown without the names that may not be looked up. */
  public boolean limitsLists() {
    return names.limitsLists();
  }

  /**
   * Whether a registry may be asked for that name, or told of it.
   *
   * @param name empty for all that there are
   */
  public boolean permitsName(Optional<String> name) {
    return names.permits(name);
  }

  /** Advice, in one line of the log, how to permit the subject of an objection. */
  public String advice(Objection objection) {
    for (CallRule rule : rules.values()) {
      Optional<String> advice = rule.advice(objection);
      if (advice.isPresent()) {
        return advice.get();
      }
    }
    return objection.advice();
  }

  /** The log of objections that are not enforced. */
  public LearningLog learned() {
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
      add(context.get().objection(header, call), objections);
    } else {
      add(methods.objection(header), objections);
      add(methods.arguments(header, call), objections);
    }
    contents.judge(seen, received, proxies, objections);
    return objections;
  }

  /** Adds an objection, if present; without a lambda, because each call would make an object. */
  private static void add(Optional<Objection> objection, List<Objection> objections) {
    if (objection.isPresent()) {
      objections.add(objection.get());
    }
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
            seen -> contents.toServer(seen, received, hash -> true).contains(objection),
            methods.objectParameters(header)));
  }

  /** The place of an objection's subject in a complete reply, for people; empty if not known. */
  String placeInReply(Objection objection, byte[] reply) {
    return objection.isOfContent()
        ? scanner.placeInReply(
            reply,
            reply.length,
            sought(objection, seen -> reply(seen).contains(objection), List.of()))
        : "";
  }

  /** A search for the subject of an objection in the message that it is about. */
  PlaceFinder.Sought sought(
      Objection objection, Predicate<ScanResult> isIn, List<Integer> parameters) {
    return contents.sought(objection, isIn, parameters);
  }

  /** Different lists of interfaces of proxies that a principal may have sent. */
  public int proxyLimit() {
    return settings.bound(MessageBound.PROXIES);
  }

  /** The objection to a message that is longer than {@link #callLimit}. */
  public List<Objection> tooLong() {
    return List.of(length.tooLong());
  }

  /** Bytes of a long message that may have to be kept at once: as much as of a call. */
  int mostKept() {
    return length.mostKept();
  }

  /** The objection to a message of which more than {@link #mostKept} would have to be kept. */
  List<Objection> tooMuchToKeep() {
    return List.of(length.tooMuchToKeep());
  }

  /** Objections to the method of a call. */
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

  /**
   * A Return that comes from a server, of any length.
   *
   * @param room from which long ones take
   * @param received told of each reference in it, more than once
   */
  public JudgedMessage replyOfServer(Share room, Consumer<SeenReference> received) {
    return replyOfServer(scanner.longReplies(), room, received);
  }

  /**
   * A Return that comes from a server, of any length.
   *
   * @param scans of {@link #scanner}, for the Returns of one stream
   * @param room from which long ones take
   * @param received told of each reference in it, more than once
   */
  public JudgedMessage replyOfServer(
      StreamScanner.ReplyScans scans, Share room, Consumer<SeenReference> received) {
    return ofServer(Kind.RETURN, scans.next(), room, received, this::reply).scannedBy(scans);
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
        length.streams() ? scanner.longReply() : scanner.growingReply(),
        length.streams() ? Long.MAX_VALUE : length.limit(),
        seen -> contents.toServer(seen, received, proxies));
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
    boolean never = methods.isOfJmx(header);
    boolean bounded = isBounded(header);
    JudgedMessage judged =
        new JudgedMessage(
            this,
            room,
            Kind.CALL,
            declared(header)
                .map(its -> scanner.longCall(its, bounded))
                .orElseGet(scanner::longCall),
            bounded ? length.limit() : Long.MAX_VALUE,
            seen -> never ? tooLong() : contents.toServer(seen, received, proxies));
    return bounded ? judged.claimingFrom(claimed) : judged;
  }

  /** Objections to the bytes that the long arrays and strings of a call claim. */
  List<Objection> claims(long bytes) {
    return length.claims(bytes);
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
   * A Return that is not judged, and is read only for the references in it.
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
          if (!seen.references().isEmpty()) {
            seen.references().forEach(received);
          }
          return judge.apply(seen);
        });
  }

  /** Whether only objects may be called that the session was given. */
  public boolean limitsObjects() {
    return objects.limitsObjects();
  }

  /** Whether objects may be reached where no registry has named them, but a server of its. */
  public boolean newPorts() {
    return newPorts.newPorts();
  }

  /**
   * What speaks against calling an object.
   *
   * @param received whether a server has given it to the session
   */
  public List<Objection> object(ObjIdentifier object, Predicate<ObjIdentifier> received) {
    return objects.judge(object, received);
  }

  /** Objections to the scanned part of a message that goes to a client. */
  List<Objection> reply(ScanResult seen) {
    return contents.parts(seen, true);
  }

  /** See {@link ContentRules#isWorse}. */
  boolean isWorse(Figures now, Figures earlier) {
    return contents.isWorse(now, earlier);
  }

  /** The lines that entries need for the method of a call that passes. */
  public List<Objection> needs(CallHeader header, byte[] call) {
    return TraceContext.of(header.object()).isPresent() ? List.of() : methods.needs(header, call);
  }

  /** Whether what was noted would be refused by these rules. */
  public boolean refuses(LearnedNotes.Note note) {
    if (!enforces()) {
      return false;
    }
    Optional<RuleType> type = RuleTypes.of(note);
    return type.isPresent()
        ? rules.get(type.get()).refuses(note)
        : note.rule() == Objection.Rule.STREAM; // the others are no matter of what calls carry
  }

  /**
   * Whether it passes only because a class in it is listed as opaque: that class may hide another
   * message. One that is listed, and is understood nevertheless, hides nothing.
   */
  public boolean isOpaque(ScanResult seen) {
    return contents.isOpaque(seen);
  }

  /** Whether messages may name this class; not one of an array. */
  boolean allows(String name) {
    return contents.allows(name);
  }
}
