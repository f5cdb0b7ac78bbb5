package io.rmigate.gateway.scan.proof;

import io.rmigate.gateway.scan.proof.Facts.Call;
import io.rmigate.gateway.scan.proof.Facts.CallSite;
import io.rmigate.gateway.scan.proof.Facts.Harm;
import io.rmigate.gateway.scan.proof.Types.Member;
import io.rmigate.gateway.scan.proof.Types.Version;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * Which methods of the jars call which, from those on that the reading of objects may run, and what
 * harm that leads to.
 *
 * <p>A call by a type goes to what each class of that type runs which may be there: the
 * serializable ones, for a sender chooses them, and those of which a method makes objects; where a
 * static field leads to the object, all. Methods that the JDK calls on each object that it reads
 * ({@code hashCode}, {@code compareTo}) are judged with the object's class, and not followed. A
 * method of the JDK that is given an object of an interface counts as if it called all methods of
 * it.
 *
 * <p>A greatest fixed point: all is harmless but what leads to harm, and that is found by going
 * backwards from it. Confined to one thread.
 */
final class CallGraph {
  /** Types of which the JDK calls no methods but those that are judged with an object's class. */
  private static final Set<String> CALLED_BY_NOBODY_ELSE =
      Set.of(
          Types.OBJECT,
          "java/io/Serializable",
          "java/io/Externalizable",
          "java/lang/Comparable",
          "java/lang/Cloneable",
          "java/io/ObjectInput",
          "java/io/ObjectOutput",
          "java/io/DataInput",
          "java/io/DataOutput",
          "java/lang/Record",
          "java/lang/Enum");

  private static final Set<String> CALL_NOTHING_BACK =
      Set.of(Types.OBJECT, "java/lang/Enum", "java/lang/Number", "java/lang/Record");

  private static final List<String> ASKED_OF_TEXT = List.of("toString()Ljava/lang/String;");

  /** What containers call. */
  private static final List<String> ASKED_OF_KEYS =
      List.of(
          "hashCode()I",
          "equals(Ljava/lang/Object;)Z",
          "compareTo(Ljava/lang/Object;)I",
          "compare(Ljava/lang/Object;Ljava/lang/Object;)I");

  /** Something that may lead to harm: a method, or all that a call may run. */
  static final class Node {
    private final String label;
    private final List<Node> callers = new ArrayList<>(2);

    /** By a type that is not of the jars: only sinks spread. */
    private final List<Node> distantCallers = new ArrayList<>(0);

    private final Map<Harm, String> defects = new EnumMap<>(Harm.class);
    private final Map<Harm, Node> towards = new EnumMap<>(Harm.class);

    Node(String label) {
      this.label = label;
    }

    void addCallee(Node callee) {
      callee.callers.add(this);
    }

    boolean leadsTo(Harm harm) {
      return towards.containsKey(harm);
    }

    /** The way to harm, one line each. */
    List<String> path(Harm harm) {
      List<String> path = new ArrayList<>();
      Node at = this;
      while (true) {
        if (!at.label.isEmpty()) {
          path.add(at.label);
        }
        Node next = at.towards.get(harm);
        if (next == null || next == at) {
          path.add(at.defects.getOrDefault(harm, ""));
          return path;
        }
        at = next;
      }
    }
  }

  /** Something that holds from some time on, and what is to be done then. */
  private final class Flag {
    private boolean up;
    private final List<Runnable> then = new ArrayList<>(1);

    void raise() {
      if (!up) {
        up = true;
        work.addAll(then);
        then.clear();
      }
    }

    void then(Runnable action) {
      if (up) {
        action.run();
      } else {
        then.add(action);
      }
    }
  }

  private static final class Code {
    final Node node;
    final List<Call> lambdas = new ArrayList<>(0);
    final List<String> made = new ArrayList<>(0);
    final List<Code> callees = new ArrayList<>();
    final List<Flag> parameters = new ArrayList<>(2);

    /** By the number of the argument: what it leads to is changed. */
    final List<Flag> changed = new ArrayList<>(2);

    final List<Flag> returned = new ArrayList<>(2);
    final Node loops;

    /** It may return what a static field leads to. */
    final Flag result;

    /** The same, without having taken it out of another object. */
    final Flag ownResult;

    Code(Node node, Node loops, Flag result, Flag ownResult) {
      this.node = node;
      this.loops = loops;
      this.result = result;
      this.ownResult = ownResult;
    }
  }

  /**
   * A method reads static fields which an initializer has filled.
   *
   * @param followed lambdas of the initializer that count as the reader's
   */
  private record Start(Code reader, Code initializer, Set<Call> followed) {}

  /** All that a call by a type may run. */
  private final class Targets {
    final Code code = new Code(new Node(""), new Node(""), new Flag(), new Flag());
    final String owner;
    final String signature;
    final Set<Member> members = new HashSet<>();

    Targets(String owner, String signature) {
      this.owner = owner;
      this.signature = signature;
    }

    void add(String type) {
      for (Member member : types.find(type, signature)) {
        if (members.add(member)) {
          if (types.isOfJars(member.owner().name)) {
            Code its = reach(member);
            link(its, code, signature);
          } else if (!member.owner().name.equals(Types.OBJECT)) {
            code.node.addCallee(methodsOf(type));
          }
        }
      }
    }
  }

  private final Types types;
  private final StaticFields statics;
  private final Map<Member, Code> reached = new HashMap<>();
  private final Map<Version, Map<String, Facts>> facts = new HashMap<>();
  private final Map<String, Flag> fields = new HashMap<>();
  private final Map<String, Targets> targets = new HashMap<>();
  private final Map<String, List<Targets>> targetsOfType = new HashMap<>();
  private final Map<String, Node> methodsOf = new HashMap<>();
  private final Map<String, Node> anyOf = new HashMap<>();
  private final Map<String, Node> askedOfAnything = new HashMap<>();
  private final Set<String> present = new HashSet<>();

  /** Classes of which a method makes objects, or that a static field may lead to. */
  private final Set<String> made = new HashSet<>();

  private final Map<String, List<Targets>> targetsOfMade = new HashMap<>();
  private final Deque<Runnable> work = new ArrayDeque<>();
  private final List<Node> defective = new ArrayList<>();
  private final Set<String> withoutJar;
  private final List<Start> starts = new ArrayList<>();

  /**
   * Of a world.
   *
   * @param withoutJar internal names of classes that may be in a message and are in no jar
   */
  CallGraph(Types types, Set<String> withoutJar) {
    this.types = types;
    this.statics = new StaticFields(types);
    this.withoutJar = withoutJar;
    for (String name : types.ofJars()) {
      if (types.isConcrete(name) && types.isSerializable(name)) {
        present.add(name);
      }
    }
  }

  /** Does what is still to be done. */
  void complete() {
    while (!work.isEmpty()) {
      work.pop().run();
    }
  }

  /**
   * A method that reads static fields of a class counts as the caller of all lambdas that the
   * initializer of this class has made, or a method that the initializer calls.
   */
  void completeStarts() {
    boolean more = true;
    while (more) {
      more = false;
      Map<Code, Set<Call>> lambdas = new HashMap<>();
      for (Start start : List.copyOf(starts)) {
        for (Call lambda : lambdas.computeIfAbsent(start.initializer(), CallGraph::lambdasBehind)) {
          if (start.followed().add(lambda)) {
            followLambda(lambda, start.reader());
            more = true;
          }
        }
      }
      complete();
    }
  }

  private static Set<Call> lambdasBehind(Code initializer) {
    Set<Call> lambdas = new LinkedHashSet<>();
    runBy(initializer).forEach(code -> lambdas.addAll(code.lambdas));
    return lambdas;
  }

  /** A method, and all that it may run. */
  private static Set<Code> runBy(Code method) {
    Set<Code> all = new LinkedHashSet<>(Set.of(method));
    Deque<Code> open = new ArrayDeque<>(all);
    while (!open.isEmpty()) {
      for (Code callee : open.remove().callees) {
        if (all.add(callee)) {
          open.add(callee);
        }
      }
    }
    return all;
  }

  /** Tells which nodes lead to harm. */
  void spread() {
    for (Harm harm : Harm.values()) {
      Deque<Node> open = new ArrayDeque<>();
      for (Node node : defective) {
        if (node.defects.containsKey(harm) && !node.leadsTo(harm)) {
          node.towards.put(harm, node);
          open.add(node);
        }
      }
      while (!open.isEmpty()) {
        Node node = open.remove();
        spread(node, node.callers, harm, open);
        if (harm == Harm.SINK) {
          spread(node, node.distantCallers, harm, open);
        }
      }
    }
  }

  private static void spread(Node node, List<Node> callers, Harm harm, Deque<Node> open) {
    for (Node caller : callers) {
      if (!caller.leadsTo(harm)) {
        caller.towards.put(harm, node);
        open.add(caller);
      }
    }
  }

  /** A method of the jars that is called; what it does is looked at later. */
  Node node(Member member) {
    return reach(member).node;
  }

  /**
   * The object that a {@code readResolve} method returns stands in the message, whatever its class:
   * the method counts as the caller of {@code hashCode} and its kind on all objects that it makes.
   * It must not return an object that can change and to which a static field leads.
   */
  void handsOut(Member resolver) {
    Code code = reach(resolver);
    code.result.then(() -> defect(code.node, Harm.SINK, "returns what a static field leads to"));
    for (Code callee : runBy(code)) {
      callee.made.forEach(type -> code.node.addCallee(askedOfAnything(type)));
    }
  }

  /** The numbers that a method is given may be anything. */
  void givenAnything(Member member) {
    Code code = reach(member);
    int at = isStatic(member) ? 0 : 1;
    for (Type type : Type.getArgumentTypes(descriptor(member.signature()))) {
      if (type.getSort() < Type.ARRAY) {
        parameter(code, at).raise();
      }
      at++;
    }
  }

  private static boolean isStatic(Member member) {
    return (member.access() & Opcodes.ACC_STATIC) != 0;
  }

  private static String descriptor(String signature) {
    return signature.substring(signature.indexOf('('));
  }

  private Code reach(Member member) {
    Code known = reached.get(member);
    if (known == null) {
      String label = label(member);
      known = new Code(new Node(label), new Node(label), new Flag(), new Flag());
      reached.put(member, known);
      Code code = known;
      work.push(() -> look(member, code));
    }
    return known;
  }

  private static String label(Member member) {
    return label(member.owner().name, member.signature());
  }

  private static String label(String owner, String signature) {
    StringBuilder text = new StringBuilder(owner.replace('/', '.')).append('.');
    text.append(signature, 0, signature.indexOf('(')).append('(');
    String comma = "";
    for (Type type : Type.getArgumentTypes(descriptor(signature))) {
      String name = type.getClassName();
      text.append(comma).append(name.substring(name.lastIndexOf('.') + 1));
      comma = ", ";
    }
    return text.append(')').toString();
  }

  /** An argument may be tainted. */
  private Flag parameter(Code code, int number) {
    return flag(code.parameters, number);
  }

  /** An argument, or what it leads to, is returned. */
  private Flag returned(Code code, int number) {
    return flag(code.returned, number);
  }

  /** What an argument leads to is changed. */
  private Flag changed(Code code, int number) {
    return flag(code.changed, number);
  }

  private Flag flag(List<Flag> flags, int number) {
    while (flags.size() <= number) {
      flags.add(new Flag());
    }
    return flags.get(number);
  }

  private void look(Member member, Code code) {
    if ((member.access() & Opcodes.ACC_NATIVE) != 0) {
      defect(code.node, Harm.SINK, "native code");
      return;
    }
    if (member.isAbstract()) {
      return;
    }
    Facts its = facts(member.owner()).remove(member.signature()); // a method is looked at once
    if (its == null) {
      defect(code.node, Harm.SINK, "byte code that cannot be understood");
      return;
    }
    its.defects.forEach(defect -> defect(code.node, defect.harm(), defect.what()));
    for (Facts.Condition condition : its.conditions) {
      when(
          its, condition.mask(), code, () -> defect(code.node, condition.harm(), condition.what()));
    }
    for (Facts.Change change : its.changes) {
      changes(its, change.mask(), code, 0, change.what());
    }
    for (Facts.Store store : its.stores) {
      when(its, store.mask(), code, field(store.field())::raise);
    }
    returns(its, its.returned, code, 0);
    for (String type : its.made) {
      isMade(type);
      code.made.add(type);
      callsBack(type, code.node);
      for (Member finalizer : types.find(type, "finalize()V")) {
        if (types.isOfJars(finalizer.owner().name)) {
          node(finalizer).distantCallers.add(code.node);
        }
      }
    }
    for (Facts.Presence presence : its.presences) {
      when(
          its,
          presence.mask(),
          code,
          () -> {
            allArePresent(presence.type());
            types.subtypes(presence.type()).stream()
                .filter(types::isConcrete)
                .forEach(code.made::add);
          });
    }
    if (its.loops) {
      code.loops.defects.put(Harm.COST, "goes through everything again and again");
      defective.add(code.loops);
    }
    for (String type : its.statics) {
      for (Version version : types.versions(type)) {
        if (version.methods.containsKey("<clinit>()V")) {
          Code initializer = reach(new Member(version, "<clinit>()V"));
          starts.add(new Start(code, initializer, new HashSet<>()));
        }
      }
    }
    code.lambdas.addAll(its.lambdas);
    its.lambdas.forEach(lambda -> followLambda(lambda, code));
    for (CallSite site : its.calls) {
      follow(its, site, code);
    }
    its.forgetWhatIsFollowed();
  }

  private Map<String, Facts> facts(Version version) {
    Map<String, Facts> known = facts.get(version);
    if (known == null) {
      known = new HashMap<>();
      ClassNode type = new ClassNode();
      try {
        version.file.accept(type, ClassReader.SKIP_FRAMES | ClassReader.SKIP_DEBUG);
      } catch (RuntimeException damaged) {
        type.methods = List.of();
      }
      for (MethodNode method : type.methods) {
        if (method.instructions.size() > 0) {
          known.put(method.name + method.desc, FactFinder.of(statics, type.name, method));
        }
      }
      facts.put(version, known);
    }
    return known;
  }

  private void defect(Node node, Harm harm, String what) {
    if (node.defects.putIfAbsent(harm, what) == null) {
      defective.add(node);
    }
  }

  /** Does something, once, as soon as a value is tainted. */
  private void when(Facts its, long mask, Code code, Runnable action) {
    boolean[] done = new boolean[1];
    when(
        its,
        mask,
        code,
        0,
        () -> {
          if (!done[0]) {
            done[0] = true;
            action.run();
          }
        });
  }

  /**
   * The same.
   *
   * @param seen what has been asked before
   */
  private void when(Facts its, long mask, Code code, long seen, Runnable action) {
    if ((mask & (Facts.TAINTED | Facts.LOOSE)) != 0) {
      action.run();
      return;
    }
    for (Facts.Source source : its.of(mask & ~seen)) {
      if (source instanceof Facts.Source.Parameter parameter) {
        parameter(code, parameter.number()).then(action);
      } else if (source instanceof Facts.Source.Field field) {
        field(field.key()).then(action);
      } else {
        Facts.Given given = its.given.get(((Facts.Source.Result) source).at());
        Code callee = target(given.call());
        callee.result.then(action);
        for (int i = 0; i < given.masks().length; i++) {
          long argument = given.masks()[i];
          if (argument != 0) {
            returned(callee, i).then(() -> when(its, argument, code, seen | mask, action));
          }
        }
      }
    }
  }

  private Flag field(String key) {
    return fields.computeIfAbsent(key, first -> new Flag());
  }

  private void returns(Facts its, long mask, Code code, long seen) {
    long others = mask & ~seen;
    if ((mask & (Facts.TAINTED | Facts.LOOSE)) != 0) {
      code.ownResult.raise();
    }
    for (Facts.Source source : its.of(others)) {
      if (source instanceof Facts.Source.Parameter parameter) {
        returned(code, parameter.number()).raise();
        others &= ~its.bit(source);
      } else if (source instanceof Facts.Source.Result result) {
        Facts.Given given = its.given.get(result.at());
        Code callee = target(given.call());
        callee.result.then(code.result::raise);
        if (!given.call().isByObject()) {
          callee.ownResult.then(code.ownResult::raise);
        }
        long[] masks = given.masks();
        for (int i = 0; i < masks.length; i++) {
          long argument = masks[i] & ~(mask | seen);
          if (argument != 0) {
            returned(callee, i).then(() -> returns(its, argument, code, seen | mask));
          }
        }
        others &= ~its.bit(source);
      }
    }
    when(its, others, code, code.result::raise);
  }

  /**
   * Harm where it is what a static field leads to; a matter of who calls where it is an argument.
   * What other objects have been given of it is not followed.
   */
  private void changes(Facts its, long mask, Code code, long seen, String what) {
    if ((mask & (Facts.TAINTED | Facts.LOOSE)) != 0) {
      defect(code.node, Harm.SINK, what);
      return;
    }
    for (Facts.Source source : its.of(mask)) {
      if (source instanceof Facts.Source.Parameter parameter) {
        changed(code, parameter.number()).raise();
      } else if (source instanceof Facts.Source.Result result) {
        Facts.Given given = its.given.get(result.at());
        Code callee = target(given.call());
        if (!given.call().isByObject()) {
          callee.ownResult.then(() -> defect(code.node, Harm.SINK, what));
        }
        long[] masks = given.masks();
        for (int i = 0; i < masks.length; i++) {
          long argument = masks[i] & ~(mask | seen);
          if (argument != 0) {
            returned(callee, i).then(() -> changes(its, argument, code, seen | mask, what));
          }
        }
      }
    }
  }

  private void followLambda(Call body, Code code) {
    CallSite site = new CallSite(body, List.of(), false);
    follow(null, site, code);
  }

  private void follow(Facts its, CallSite site, Code caller) {
    Call call = site.call();
    String name = call.name();
    if (call.owner().startsWith("[")) {
      return;
    }
    boolean ofJars = types.isOfJars(call.owner());
    if (!ofJars && !types.isThere(call.owner())) {
      defect(caller.node, Harm.SINK, label(call.owner(), call.signature()) + ": in no jar");
      return;
    }
    if (call.isByObject() && PlatformCalls.isOfAnything(name, call.descriptor())) {
      ofAnything(site, its, caller);
      if (site.inLoop() && !name.equals("getClass")) {
        defect(
            caller.node,
            Harm.COST,
            label(call.owner(), call.signature()) + ": of the same object again and again");
      }
      return;
    }
    if (call.ofInterface()
        && (types.isA(call.owner(), "java/rmi/Remote")
            || types.subtypes(call.owner()).stream()
                .anyMatch(type -> types.isInterface(type) && types.isA(type, "java/rmi/Remote")))) {
      defect(caller.node, Harm.SINK, label(call.owner(), call.signature()) + ": a remote call");
      return;
    }
    if (!ofJars) {
      ofPlatform(call.owner(), site, its, caller);
    }
    Code target = target(call);
    caller.callees.add(target);
    boolean near = ofJars || !call.isByObject();
    if (near) {
      target.node.callers.add(caller.node);
      target.loops.callers.add(caller.loops);
      if (site.inLoop()) {
        target.loops.callers.add(caller.node);
      }
    } else {
      target.node.distantCallers.add(caller.node);
    }
    if (its == null) {
      return;
    }
    for (int i = 0; i < site.arguments().size(); i++) {
      long mask = site.arguments().get(i).mask();
      if (mask != 0) {
        Flag flag = parameter(target, i);
        when(its, mask, caller, flag::raise);
        if (isReference(call, i) && (near || i == 0)) {
          String what =
              label(call.owner(), call.signature()) + ": changes what a static field leads to";
          changed(target, i).then(() -> changes(its, mask, caller, 0, what));
        }
      }
    }
    if (call.isByObject()) {
      when(its, site.arguments().get(0).mask(), caller, () -> allArePresent(call.owner()));
    }
  }

  /**
   * A call of {@code hashCode}, {@code equals}, {@code compareTo}, {@code compare} or {@code
   * toString}. Objects that came with the message are judged with their classes; here the call is
   * followed to classes of objects that a method makes, or to which a static field leads.
   */
  private void ofAnything(CallSite site, Facts its, Code caller) {
    if (site.arguments().isEmpty()) { // a reference to the method
      Facts.Argument any = new Facts.Argument(site.call().owner(), 0, false);
      asked(any, List.of(site.call().signature()), its, caller);
    } else {
      Facts.Argument receiver = site.arguments().get(0);
      asked(receiver, List.of(site.call().signature()), its, caller);
      for (Facts.Argument argument : site.arguments().subList(1, site.arguments().size())) {
        asked(argument, ASKED_OF_KEYS, its, caller);
      }
    }
  }

  /** These are called on an argument. */
  private void asked(Facts.Argument argument, List<String> signatures, Facts its, Code caller) {
    String type = argument.type();
    if (type.isEmpty() || PlatformCalls.isImmutable(type)) {
      return;
    }
    if (type.equals("java/net/URL") && !signatures.equals(ASKED_OF_TEXT)) {
      defect(caller.node, Harm.SINK, "java.net.URL.hashCode: network");
    }
    if (!argument.exact()) {
      signatures.forEach(
          signature -> madeTargets(type, signature).node.distantCallers.add(caller.node));
      if (its != null) {
        when(its, argument.mask(), caller, () -> allArePresent(type));
      }
    } else if (types.isOfJars(type)) {
      askedOfAnything(type).distantCallers.add(caller.node);
    }
  }

  /** What the classes run of which objects are made. */
  private Code madeTargets(String type, String signature) {
    String key = '~' + type + '.' + signature;
    Targets known = targets.get(key);
    if (known == null) {
      known = new Targets(type, signature);
      targets.put(key, known);
      targetsOfMade.computeIfAbsent(type, first -> new ArrayList<>()).add(known);
      for (String name : List.copyOf(made)) {
        if (types.isA(name, type)) {
          known.add(name);
        }
      }
    }
    return known.code;
  }

  /** The {@code hashCode}, {@code equals} and comparison methods of a class, and its text. */
  private Node askedOfAnything(String type) {
    Node known = askedOfAnything.get(type);
    if (known == null) {
      known = new Node("");
      askedOfAnything.put(type, known);
      callsBack(type, known);
      for (String ancestor : types.ancestors(type)) {
        if (types.isOfJars(ancestor)) {
          for (Version version : types.versions(ancestor)) {
            for (String signature : version.methods.keySet()) {
              int at = signature.indexOf('(');
              if (PlatformCalls.isOfAnything(signature.substring(0, at), signature.substring(at))) {
                known.addCallee(node(new Member(version, signature)));
              }
            }
          }
        }
      }
    }
    return known;
  }

  private static boolean isReference(Call call, int number) {
    int at = call.opcode() == Opcodes.INVOKESTATIC ? number : number - 1;
    Type[] types = Type.getArgumentTypes(call.descriptor());
    return at < 0 || types[at].getSort() >= Type.ARRAY;
  }

  /** What a method of the JDK does by itself, and by what it is given. */
  private void ofPlatform(String owner, CallSite site, Facts its, Code caller) {
    Call call = site.call();
    PlatformCalls.harm(owner, call.name(), call.descriptor())
        .ifPresent(defect -> defect(caller.node, defect.harm(), defect.what()));
    int at = call.opcode() == Opcodes.INVOKESTATIC ? 0 : 1;
    for (Type type : Type.getArgumentTypes(call.descriptor())) {
      Facts.Argument argument =
          at < site.arguments().size()
              ? site.arguments().get(at)
              : new Facts.Argument(Types.OBJECT, 0, false);
      at++;
      if (type.getSort() == Type.ARRAY && type.getElementType().getSort() == Type.OBJECT) {
        Facts.Argument element =
            new Facts.Argument(
                argument.type().isEmpty()
                    ? type.getElementType().getInternalName()
                    : argument.type(),
                argument.mask(),
                false);
        asked(element, ASKED_OF_TEXT, its, caller);
        asked(element, ASKED_OF_KEYS, its, caller);
      }
      if (type.getSort() != Type.OBJECT) {
        continue;
      }
      String given = type.getInternalName();
      asked(
          argument,
          PlatformCalls.makesText(owner, call.name()) ? ASKED_OF_TEXT : ASKED_OF_KEYS,
          its,
          caller);
      boolean ofPlatform = argument.exact() && !types.isOfJars(argument.type());
      if (!ofPlatform
          && !CALLED_BY_NOBODY_ELSE.contains(given)
          && !PlatformCalls.isImmutable(given)) {
        anyOf(given).distantCallers.add(caller.node);
        if (its != null) {
          when(its, argument.mask(), caller, () -> allArePresent(given));
        }
      }
    }
  }

  /** What a call runs. */
  private Code target(Call call) {
    String key = call.opcode() + call.owner() + '.' + call.signature();
    Targets known = targets.get(key);
    if (known == null) {
      Targets found = new Targets(call.owner(), call.signature());
      known = found;
      targets.put(key, known);
      if (call.isByObject()) {
        targetsOfType.computeIfAbsent(call.owner(), first -> new ArrayList<>()).add(known);
        for (String type : List.copyOf(types.subtypes(call.owner()))) {
          if (present.contains(type)) {
            known.add(type);
          }
        }
        ofClassesWithoutJar(known);
      } else {
        boolean seen = false;
        for (Member member : types.find(call.owner(), call.signature())) {
          seen = true;
          if (types.isOfJars(member.owner().name)) {
            link(reach(member), known.code, call.signature());
          } else {
            String owner = member.owner().name;
            if (types.isOfJars(call.owner())) {
              PlatformCalls.harm(owner, call.name(), call.descriptor())
                  .ifPresent(defect -> defect(found.code.node, defect.harm(), defect.what()));
              callsBack(call.owner(), found.code.node);
            }
          }
        }
        if (!seen && types.isOfJars(call.owner())) {
          defect(
              known.code.node,
              Harm.SINK,
              label(call.owner(), call.signature()) + ": in no version of the class");
        }
      }
      if (call.isByObject() && types.isOfJars(call.owner())) {
        inherited(call, known);
      }
    }
    return known.code;
  }

  /** A class of the jars may have a method from one of the JDK. */
  private void inherited(Call call, Targets known) {
    for (Member member : types.find(call.owner(), call.signature())) {
      String owner = member.owner().name;
      if ((member.access() & Opcodes.ACC_PRIVATE) != 0) { // no subclass overrides a private method
        link(reach(member), known.code, call.signature());
      } else if (!types.isOfJars(owner)) {
        PlatformCalls.harm(owner, call.name(), call.descriptor())
            .ifPresent(defect -> defect(known.code.node, defect.harm(), defect.what()));
      }
    }
  }

  private void ofClassesWithoutJar(Targets known) {
    for (String name : withoutJar) {
      if (!types.isThere(name) ? types.isInterface(known.owner) : types.isA(name, known.owner)) {
        defect(known.code.node, Harm.SINK, name.replace('/', '.') + ": permitted, and in no jar");
      }
    }
  }

  private void link(Code callee, Code call, String signature) {
    call.callees.add(callee);
    callee.node.callers.add(call.node);
    callee.loops.callers.add(call.loops);
    callee.result.then(call.result::raise);
    callee.ownResult.then(call.ownResult::raise);
    for (int i = Type.getArgumentCount(descriptor(signature)); i >= 0; i--) {
      parameter(call, i).then(parameter(callee, i)::raise);
      changed(callee, i).then(changed(call, i)::raise);
      returned(callee, i).then(returned(call, i)::raise);
    }
  }

  /** Methods that a class has from the JDK may call those with which it overrides others. */
  private void callsBack(String type, Node node) {
    for (String ancestor : types.ancestors(type)) {
      if (!types.isOfJars(ancestor)
          && !types.isInterface(ancestor)
          && !CALL_NOTHING_BACK.contains(ancestor)) {
        methodsOf(type).distantCallers.add(node);
        return;
      }
    }
  }

  private void isMade(String type) {
    if (made.add(type)) {
      for (String above : types.ancestors(type)) {
        List.copyOf(targetsOfMade.getOrDefault(above, List.of())).forEach(its -> its.add(type));
      }
    }
    if (present.add(type)) {
      for (String above : types.ancestors(type)) {
        for (Targets its : List.copyOf(targetsOfType.getOrDefault(above, List.of()))) {
          its.add(type);
        }
        Node any = anyOf.get(above);
        if (any != null) {
          any.addCallee(methodsOf(type));
        }
      }
    }
  }

  private void allArePresent(String type) {
    for (String name : List.copyOf(types.subtypes(type))) {
      if (types.isConcrete(name)) {
        isMade(name);
      }
    }
  }

  /** All methods that the JDK may call on an object of the jars that is of a type. */
  private Node anyOf(String type) {
    Node known = anyOf.get(type);
    if (known == null) {
      known = new Node("");
      anyOf.put(type, known);
      for (String name : List.copyOf(types.subtypes(type))) {
        if (present.contains(name)) {
          known.addCallee(methodsOf(name));
        }
      }
    }
    return known;
  }

  /** What a class has in the place of methods that its superclasses and interfaces declare. */
  private Node methodsOf(String type) {
    Node known = methodsOf.get(type);
    if (known == null) {
      known = new Node("");
      methodsOf.put(type, known);
      for (Member member : overriding(type)) {
        known.addCallee(node(member));
      }
    }
    return known;
  }

  /**
   * The methods of a class, or that it inherits from others of the jars, which stand in the place
   * of one that a superclass or an interface declares.
   */
  Set<Member> overriding(String type) {
    Set<Member> all = new LinkedHashSet<>();
    Set<String> above = types.ancestors(type);
    Map<String, Set<String>> declared = new HashMap<>();
    for (String ancestor : above) {
      for (Version version : types.versions(ancestor)) {
        version.methods.forEach(
            (signature, access) -> {
              if ((access & (Opcodes.ACC_STATIC | Opcodes.ACC_PRIVATE)) == 0
                  && signature.charAt(0) != '<') {
                declared.computeIfAbsent(signature, first -> new HashSet<>(2)).add(ancestor);
              }
            });
      }
    }
    for (Map.Entry<String, Set<String>> method : declared.entrySet()) {
      if (method.getValue().size() > 1) {
        for (String ancestor : method.getValue()) {
          if (types.isOfJars(ancestor)) {
            for (Version version : types.versions(ancestor)) {
              Integer access = version.methods.get(method.getKey());
              if (access != null && (access & Opcodes.ACC_ABSTRACT) == 0) {
                all.add(new Member(version, method.getKey()));
              }
            }
          }
        }
      }
    }
    return all;
  }
}
