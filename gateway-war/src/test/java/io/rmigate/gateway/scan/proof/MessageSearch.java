package io.rmigate.gateway.scan.proof;

import io.rmigate.gateway.scan.proof.ClassWorld.Argument;
import io.rmigate.gateway.scan.proof.ClassWorld.Assign;
import io.rmigate.gateway.scan.proof.ClassWorld.Call;
import io.rmigate.gateway.scan.proof.ClassWorld.CallStatic;
import io.rmigate.gateway.scan.proof.ClassWorld.Cast;
import io.rmigate.gateway.scan.proof.ClassWorld.Condition;
import io.rmigate.gateway.scan.proof.ClassWorld.Element;
import io.rmigate.gateway.scan.proof.ClassWorld.Evaluate;
import io.rmigate.gateway.scan.proof.ClassWorld.Expression;
import io.rmigate.gateway.scan.proof.ClassWorld.Field;
import io.rmigate.gateway.scan.proof.ClassWorld.Fire;
import io.rmigate.gateway.scan.proof.ClassWorld.If;
import io.rmigate.gateway.scan.proof.ClassWorld.InstanceOf;
import io.rmigate.gateway.scan.proof.ClassWorld.IsNull;
import io.rmigate.gateway.scan.proof.ClassWorld.IsZero;
import io.rmigate.gateway.scan.proof.ClassWorld.Local;
import io.rmigate.gateway.scan.proof.ClassWorld.Method;
import io.rmigate.gateway.scan.proof.ClassWorld.New;
import io.rmigate.gateway.scan.proof.ClassWorld.NewArray;
import io.rmigate.gateway.scan.proof.ClassWorld.NextObject;
import io.rmigate.gateway.scan.proof.ClassWorld.Null;
import io.rmigate.gateway.scan.proof.ClassWorld.Read;
import io.rmigate.gateway.scan.proof.ClassWorld.ReadStatic;
import io.rmigate.gateway.scan.proof.ClassWorld.Return;
import io.rmigate.gateway.scan.proof.ClassWorld.Sink;
import io.rmigate.gateway.scan.proof.ClassWorld.Statement;
import io.rmigate.gateway.scan.proof.ClassWorld.This;
import io.rmigate.gateway.scan.proof.ClassWorld.Try;
import io.rmigate.gateway.scan.proof.ClassWorld.WorldType;
import io.rmigate.gateway.scan.proof.ClassWorld.Write;
import io.rmigate.gateway.scan.proof.ClassWorld.WriteElement;
import io.rmigate.gateway.scan.proof.ClassWorld.WriteStatic;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/**
 * Goes through all messages of a few objects of a {@link ClassWorld}, reads them as the JDK would,
 * hashes and compares them as its containers would, and says whether one of them does harm.
 *
 * <p>What a message holds is chosen when the code looks at it: each choice is one of a tape, and
 * each run takes the next tape. Confined to one thread.
 */
final class MessageSearch {
  private static final int MOST_STEPS = 300;
  private static final int MOST_CALLS = 16;
  private static final int MOST_TRIGGERS = 2;

  /** A value of the JDK that does nothing, such as a string. */
  static final Object JDK_VALUE = "value";

  /** An object of a class of the world. */
  static final class Thing {
    final String type;

    /** Whether fields of its serializable classes come from the message. */
    final boolean fromMessage;

    final boolean ofStaticField;
    final Map<String, Object> fields = new HashMap<>();

    /** What of them the message has held. */
    final Map<Field, Object> sent = new HashMap<>();

    Thing(String type, boolean fromMessage, boolean ofStaticField) {
      this.type = type;
      this.fromMessage = fromMessage;
      this.ofStaticField = ofStaticField;
    }
  }

  /** An array with one element. */
  static final class Array {
    Object element;
    boolean chosen;

    /** What the message has held. */
    Object sent;
  }

  /** What was done with objects that have been read. */
  record Trigger(String method, Object target, List<Object> arguments) {}

  /**
   * A message that does harm.
   *
   * @param objects those that it holds, the root first, as they were before anything was run
   * @param frames the methods that were running, the innermost first
   * @param readsMore whether a {@code readObject} has read objects behind the fields
   * @param ofStaticField whether it changes what a static field leads to
   */
  record Witness(
      List<Thing> objects,
      List<Trigger> triggers,
      List<String> frames,
      boolean readsMore,
      boolean ofStaticField) {
    @Override
    public String toString() {
      return objects.stream().map(thing -> thing.type).toList() + " " + frames;
    }
  }

  /** What the code throws, and may catch. */
  private static final class Thrown extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Thrown() {
      super(null, null, false, false);
    }
  }

  /** Ends a run: it does no harm, or does as much as others. */
  private static final class End extends RuntimeException {
    private static final long serialVersionUID = 1L;

    End() {
      super(null, null, false, false);
    }
  }

  private static final class Harm extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Harm() {
      super(null, null, false, false);
    }
  }

  private static final Object NOT_RETURNED = new Object();

  private final ClassWorld world;
  private final List<String> permitted;
  private final int mostObjects;
  private final int mostRuns;

  private int[] tape = new int[64];
  private int[] widths = new int[64];
  private int position;
  private int length;
  private Random random;

  private final List<Thing> objects = new ArrayList<>();

  /** By the numbers of these: what references to them lead to, once they have been read. */
  private final List<Object> handles = new ArrayList<>();

  private final List<Trigger> triggers = new ArrayList<>();
  private final Deque<String> frames = new ArrayDeque<>();
  private final Map<Field, Thing> statics = new HashMap<>();
  private boolean readsMore;
  private boolean ofStaticField;
  private int steps;
  private boolean isExhausted;
  private boolean isWide;

  /**
   * Of messages.
   *
   * @param permitted internal names of the classes that may be in them
   */
  MessageSearch(ClassWorld world, Collection<String> permitted, int mostObjects, int mostRuns) {
    this.world = world;
    this.permitted =
        permitted.stream()
            .filter(name -> !world.type(name).isInterface() && world.isSerializable(name))
            .sorted()
            .toList();
    this.mostObjects = mostObjects;
    this.mostRuns = mostRuns;
  }

  /** Has each method called that may stand in the place of another one, by whomever. */
  MessageSearch wide() {
    isWide = true;
    return this;
  }

  /** Whether all messages were tried, and not just as many as there was time for. */
  boolean isExhausted() {
    return isExhausted;
  }

  /** A message that does harm. */
  Optional<Witness> find() {
    if (permitted.isEmpty()) {
      isExhausted = true;
      return Optional.empty();
    }
    length = 0;
    for (int run = 0; run < mostRuns; run++) {
      if (run > mostRuns / 2) {
        random = new Random(run); // what the tape has not come to
      }
      if (runOnce()) {
        return Optional.of(
            new Witness(
                List.copyOf(objects),
                List.copyOf(triggers),
                List.copyOf(frames),
                readsMore,
                ofStaticField));
      }
      if (random == null && !nextTape()) {
        isExhausted = true;
        return Optional.empty();
      }
    }
    return Optional.empty();
  }

  private boolean nextTape() {
    length = position;
    while (length > 0 && tape[length - 1] == widths[length - 1] - 1) {
      length--;
    }
    if (length == 0) {
      return false;
    }
    tape[length - 1]++;
    return true;
  }

  private int choose(int width) {
    if (width == 1) {
      return 0;
    }
    if (random != null) {
      return random.nextInt(width);
    }
    if (position == tape.length) {
      tape = Arrays.copyOf(tape, 2 * position);
      widths = Arrays.copyOf(widths, 2 * position);
    }
    if (position >= length) {
      tape[position] = 0;
    }
    widths[position] = width;
    return tape[position++];
  }

  private boolean runOnce() {
    position = 0;
    steps = 0;
    readsMore = false;
    ofStaticField = false;
    objects.clear();
    handles.clear();
    triggers.clear();
    frames.clear();
    statics.clear();
    try {
      read(permitted.get(choose(permitted.size())));
      for (int i = 0; i < MOST_TRIGGERS && trigger(); i++) {
        frames.clear();
      }
    } catch (Harm harm) {
      return true;
    } catch (Thrown | End nothing) {
      return false;
    }
    return false;
  }

  /** Does what a container does with its elements, or the collector. */
  private boolean trigger() {
    int kind = choose(isWide ? 9 : 6);
    if (kind == 0) {
      return false;
    }
    int number = choose(handles.size());
    if (kind == 1) {
      triggers.add(new Trigger("finalize", objects.get(number), List.of()));
      invokeIfThere(objects.get(number), "finalize", List.of());
      return true;
    }
    Object target = handles.get(number);
    if (!(target instanceof Thing thing)) {
      throw new End();
    }
    switch (kind) {
      case 2 -> perform(thing, "hashCode", List.of());
      case 3 -> perform(thing, "equals", List.of(element()));
      case 4 -> {
        if (!world.isA(thing.type, ClassWorld.COMPARABLE)) {
          throw new End();
        }
        perform(thing, "compareTo", List.of(element()));
      }
      case 5 -> {
        if (!world.isA(thing.type, ClassWorld.COMPARATOR)) {
          throw new End();
        }
        perform(thing, "compare", List.of(element(), element()));
      }
      case 6 -> perform(thing, "toString", List.of());
      case 7 -> perform(thing, "step", List.of());
      default -> perform(thing, "other", List.of(element()));
    }
    return true;
  }

  private void perform(Thing target, String method, List<Object> arguments) {
    triggers.add(new Trigger(method, target, arguments));
    invokeIfThere(target, method, arguments);
  }

  private Object element() {
    Object any = sent(ClassWorld.OBJECT);
    return any == null ? JDK_VALUE : any;
  }

  private void invokeIfThere(Thing target, String method, List<Object> arguments) {
    Optional<Method> callee = world.find(target.type, method);
    if (callee.isPresent()) {
      invoke(callee.get(), target, arguments);
    }
  }

  /** The next object of the message. */
  private Object read(String type) {
    if (objects.size() == mostObjects) {
      throw new End();
    }
    int number = objects.size();
    Thing thing = new Thing(type, true, false);
    objects.add(thing);
    handles.add(thing);
    List<WorldType> serializable = new ArrayList<>();
    String next = type;
    for (; world.has(next) && world.isSerializable(next); next = world.type(next).superName()) {
      serializable.add(0, world.type(next));
    }
    try {
      construct(thing, next);
      for (WorldType above : serializable) {
        Optional<Method> reader = above.method("readObject");
        if (reader.isPresent()) {
          invoke(reader.get(), thing, List.of());
        }
      }
      Optional<Method> resolver = world.find(type, "readResolve");
      if (resolver.isPresent()) {
        handles.set(number, invoke(resolver.get(), thing, List.of()));
      }
    } catch (Thrown failed) {
      throw new End();
    }
    return handles.get(number);
  }

  /** A reference of the message that may be there. */
  private Object sent(String type) {
    List<Object> known = new ArrayList<>();
    known.add(null);
    if (type.equals(ClassWorld.OBJECT) || type.equals(ClassWorld.COMPARABLE)) {
      known.add(JDK_VALUE);
    }
    if (type.equals(ClassWorld.OBJECT) || type.equals(ClassWorld.ARRAY)) {
      known.add(new Array());
    }
    for (Object handle : handles) {
      if (handle != null && fits(handle, type) && !known.contains(handle)) {
        known.add(handle);
      }
    }
    List<String> others = new ArrayList<>();
    if (objects.size() < mostObjects && !type.equals(ClassWorld.ARRAY)) {
      for (String name : permitted) {
        if (world.isA(name, type) || world.find(name, "readResolve").isPresent()) {
          others.add(name);
        }
      }
    }
    int chosen = choose(known.size() + others.size());
    if (chosen < known.size()) {
      return known.get(chosen);
    }
    Object read = read(others.get(chosen - known.size()));
    if (!fits(read, type)) {
      throw new End();
    }
    return read;
  }

  private boolean fits(Object value, String type) {
    if (value == null || type.equals(ClassWorld.OBJECT)) {
      return true;
    }
    if (value instanceof Thing thing) {
      return world.isA(thing.type, type);
    }
    return value instanceof Array
        ? type.equals(ClassWorld.ARRAY)
        : type.equals(ClassWorld.COMPARABLE) || type.equals(ClassWorld.SERIALIZABLE);
  }

  private void construct(Thing thing, String type) {
    if (!world.has(type)) {
      return;
    }
    construct(thing, world.type(type).superName());
    invoke(world.type(type).method("<init>").orElseThrow(), thing, List.of());
  }

  /** A method that is being run. */
  private record Frame(Method method, Thing self, List<Object> arguments, List<Object> locals) {}

  private Object invoke(Method method, Thing self, List<Object> arguments) {
    if (frames.size() >= MOST_CALLS) {
      throw new End();
    }
    frames.push(method.owner() + "." + method.name());
    Object result =
        run(method.body(), new Frame(method, self, arguments, Arrays.asList(null, null)));
    frames.pop();
    return result == NOT_RETURNED ? null : result;
  }

  private Object run(List<Statement> body, Frame frame) {
    for (Statement statement : body) {
      Object result = run(statement, frame);
      if (result != NOT_RETURNED) {
        return result;
      }
    }
    return NOT_RETURNED;
  }

  private Object run(Statement statement, Frame frame) {
    if (++steps > MOST_STEPS) {
      throw new End();
    }
    if (statement instanceof Fire fire) {
      boolean sized = fire.sink() == Sink.ARRAY_SIZE;
      if (sized && !isSent(frame.self(), frame.method().owner())) {
        return NOT_RETURNED; // as long as it always is
      }
      throw new Harm();
    } else if (statement instanceof Write write) {
      write(write, frame);
    } else if (statement instanceof WriteStatic write) {
      Object value = value(write.value(), frame);
      if (!fits(value, write.field().type())) {
        throw new Thrown();
      }
      ofStaticField = true;
      throw new Harm();
    } else if (statement instanceof WriteElement write) {
      Object array = value(write.array(), frame);
      if (!fits(array, ClassWorld.ARRAY)) {
        throw new Thrown();
      }
      Object value = value(write.value(), frame);
      if (array == null) {
        throw new Thrown();
      }
      ((Array) array).element = value;
      ((Array) array).chosen = true;
    } else if (statement instanceof Assign assign) {
      frame.locals().set(assign.local(), value(assign.value(), frame));
    } else if (statement instanceof Evaluate evaluate) {
      value(evaluate.value(), frame);
    } else if (statement instanceof If branch) {
      return run(holds(branch.condition(), frame) ? branch.then() : branch.otherwise(), frame);
    } else if (statement instanceof Try guarded) {
      int depth = frames.size();
      try {
        return run(guarded.body(), frame);
      } catch (Thrown caught) {
        while (frames.size() > depth) {
          frames.pop();
        }
      }
    } else if (statement instanceof Return end) {
      return value(end.value(), frame);
    }
    return NOT_RETURNED;
  }

  private void write(Write write, Frame frame) {
    Object target = value(write.target(), frame);
    Field field = write.field();
    if (!fits(target, field.owner())) {
      throw new Thrown();
    }
    Object value =
        field.type().equals(ClassWorld.INT) ? Integer.valueOf(1) : value(write.value(), frame);
    if (target == null || (!field.type().equals(ClassWorld.INT) && !fits(value, field.type()))) {
      throw new Thrown();
    }
    Thing thing = (Thing) target;
    if (thing.ofStaticField && leadsToMessage(value, new HashSet<>())) {
      ofStaticField = true;
      throw new Harm();
    }
    thing.fields.put(key(field), value);
  }

  /** What an object keeps of itself is nothing of a sender's. */
  private static boolean leadsToMessage(Object value, Set<Object> seen) {
    if (value instanceof Thing thing) {
      return thing.fromMessage
          || (!thing.ofStaticField
              && seen.add(thing)
              && thing.fields.values().stream().anyMatch(field -> leadsToMessage(field, seen)));
    }
    return value instanceof Array || JDK_VALUE.equals(value);
  }

  private boolean isSent(Thing thing, String owner) {
    return thing.fromMessage && world.isSerializable(owner);
  }

  private static String key(Field field) {
    return field.owner() + "." + field.name();
  }

  private boolean holds(Condition condition, Frame frame) {
    if (condition instanceof InstanceOf of) {
      Object value = value(of.value(), frame);
      return value != null && fits(value, of.type());
    }
    if (condition instanceof IsNull of) {
      return value(of.value(), frame) == null;
    }
    return Integer.valueOf(0).equals(get(frame.self(), ((IsZero) condition).field()));
  }

  private Object get(Thing thing, Field field) {
    String key = key(field);
    if (thing.fields.containsKey(key)) {
      return thing.fields.get(key);
    }
    boolean sent = isSent(thing, field.owner());
    Object value;
    if (field.type().equals(ClassWorld.INT)) {
      value = sent ? choose(2) : 0;
    } else {
      value = sent ? sent(field.type()) : null;
    }
    if (sent) {
      thing.sent.put(field, value);
    }
    thing.fields.put(key, value);
    return value;
  }

  private Object value(Expression expression, Frame frame) {
    if (++steps > MOST_STEPS) {
      throw new End();
    }
    if (expression instanceof This) {
      return frame.self();
    } else if (expression instanceof Argument argument) {
      return frame.arguments().get(argument.index());
    } else if (expression instanceof Local local) {
      return frame.locals().get(local.index());
    } else if (expression instanceof Null) {
      return null;
    } else if (expression instanceof Read read) {
      Object target = cast(value(read.target(), frame), read.field().owner());
      if (target == null) {
        throw new Thrown();
      }
      return get((Thing) target, read.field());
    } else if (expression instanceof ReadStatic read) {
      Field field = read.field();
      return statics.computeIfAbsent(field, f -> new Thing(f.initial(), false, true));
    } else if (expression instanceof Element element) {
      Object array = cast(value(element.array(), frame), ClassWorld.ARRAY);
      if (array == null) {
        throw new Thrown();
      }
      Array its = (Array) array;
      if (!its.chosen) {
        its.sent = sent(ClassWorld.OBJECT);
        its.element = its.sent;
        its.chosen = true;
      }
      return its.element;
    } else if (expression instanceof Cast cast) {
      return cast(value(cast.value(), frame), cast.type());
    } else if (expression instanceof New made) {
      Thing thing = new Thing(made.type(), false, false);
      construct(thing, made.type());
      return thing;
    } else if (expression instanceof NewArray made) {
      Array array = new Array();
      array.element = value(made.element(), frame);
      array.chosen = true;
      return array;
    } else if (expression instanceof NextObject) {
      readsMore = true;
      return sent(ClassWorld.OBJECT);
    } else if (expression instanceof CallStatic call) {
      List<Object> arguments = values(call.arguments(), frame);
      return invoke(world.type(call.owner()).method(call.name()).orElseThrow(), null, arguments);
    }
    return call((Call) expression, frame);
  }

  private Object call(Call call, Frame frame) {
    Object target = cast(value(call.target(), frame), call.owner());
    List<Object> arguments = values(call.arguments(), frame);
    if (target == null) {
      throw new Thrown();
    }
    if (!(target instanceof Thing thing)) {
      if (call.name().equals("compareTo") && !JDK_VALUE.equals(arguments.get(0))) {
        throw new Thrown();
      }
      return target instanceof String && call.name().equals("toString") ? target : null;
    }
    Optional<Method> callee = world.find(thing.type, call.name());
    if (callee.isEmpty()) {
      if (call.name().equals("toString")) {
        invokeIfThere(thing, "hashCode", List.of());
        return JDK_VALUE;
      }
      return null;
    }
    Object result = invoke(callee.get(), thing, arguments);
    return call.name().equals("toString") ? JDK_VALUE : result;
  }

  private List<Object> values(List<Expression> expressions, Frame frame) {
    List<Object> values = new ArrayList<>(expressions.size());
    for (Expression expression : expressions) {
      values.add(value(expression, frame));
    }
    return values;
  }

  private Object cast(Object value, String type) {
    if (!fits(value, type)) {
      throw new Thrown();
    }
    return value;
  }
}
