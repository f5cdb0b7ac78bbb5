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
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** Makes the same {@link ClassWorld} of the same seed. */
final class RandomClassWorlds {
  private static final String[] TRIGGERS = {
    "hashCode ()I",
    "equals (Ljava/lang/Object;)Z",
    "compareTo (Ljava/lang/Object;)I",
    "compare (Ljava/lang/Object;Ljava/lang/Object;)I",
    "toString ()Ljava/lang/String;",
    "finalize ()V",
    "readObject (Ljava/io/ObjectInputStream;)V",
    "readResolve ()Ljava/lang/Object;"
  };
  private static final String STEP = "()Ljava/lang/Object;";
  private static final String STEP_WITH = "(Ljava/lang/Object;)Ljava/lang/Object;";

  private final Random random;
  private final List<Sink> sinks;
  private final List<WorldType> types = new ArrayList<>();
  private final List<Field> fields = new ArrayList<>();
  private final List<Field> staticFields = new ArrayList<>();
  private final List<Method> methods = new ArrayList<>();
  private final List<String> interfaces = new ArrayList<>();
  private final List<String> classes = new ArrayList<>();

  private RandomClassWorlds(long seed, List<Sink> sinks) {
    random = new Random(seed * 0x9E3779B97F4A7C15L);
    random.nextInt();
    this.sinks = sinks;
  }

  /**
   * A world.
   *
   * @param sinks the kinds of harm in it
   */
  static ClassWorld of(long seed, List<Sink> sinks) {
    return new RandomClassWorlds(seed, sinks).make();
  }

  private boolean oneIn(int times) {
    return random.nextInt(times) == 0;
  }

  private <T> T any(List<T> list) {
    return list.get(random.nextInt(list.size()));
  }

  private ClassWorld make() {
    int interfaceCount = random.nextInt(3);
    for (int i = 0; i < interfaceCount; i++) {
      interfaces.add("w/I" + i);
    }
    int classCount = 2 + random.nextInt(5);
    for (int i = 0; i < classCount; i++) {
      classes.add("w/C" + i);
    }
    for (String name : interfaces) {
      List<Method> steps = new ArrayList<>();
      steps.add(new Method(name, "step", STEP, false, true, List.of()));
      if (oneIn(3)) { // its code is written when all is known
        steps.add(new Method(name, "other", STEP_WITH, false, false, new ArrayList<>()));
      }
      List<String> above = new ArrayList<>();
      if (oneIn(5)) {
        above.add(ClassWorld.SERIALIZABLE);
      }
      add(new WorldType(name, true, ClassWorld.OBJECT, above, List.of(), steps));
    }
    for (int i = 0; i < classCount; i++) {
      addClass(i);
    }
    ClassWorld world = new ClassWorld(types);
    for (Method method : List.copyOf(methods)) {
      if (!method.isAbstract()) {
        new Code(world, method).write();
      }
    }
    return world;
  }

  private void add(WorldType type) {
    types.add(type);
    methods.addAll(type.methods());
    for (Field field : type.fields()) {
      (field.isStatic() ? staticFields : fields).add(field);
    }
  }

  private void addClass(int index) {
    String name = classes.get(index);
    String superName =
        index > 0 && oneIn(3) ? classes.get(random.nextInt(index)) : ClassWorld.OBJECT;
    List<String> above = new ArrayList<>();
    if (!oneIn(4)) {
      above.add(ClassWorld.SERIALIZABLE);
    }
    for (String type : interfaces) {
      if (oneIn(2)) {
        above.add(type);
      }
    }
    if (oneIn(5)) {
      above.add(ClassWorld.COMPARABLE);
    }
    if (oneIn(7)) {
      above.add(ClassWorld.COMPARATOR);
    }
    List<Field> own = new ArrayList<>();
    int count = random.nextInt(3);
    for (int i = 0; i < count; i++) {
      own.add(new Field(name, "f" + i, fieldType(), false, ""));
    }
    own.add(new Field(name, "number", ClassWorld.INT, false, ""));
    if (oneIn(3)) {
      String value = any(classes);
      own.add(new Field(name, "shared", oneIn(2) ? ClassWorld.OBJECT : value, true, value));
    }
    List<Method> code = new ArrayList<>();
    code.add(new Method(name, "<init>", "()V", false, false, new ArrayList<>()));
    for (String trigger : TRIGGERS) {
      String[] words = trigger.split(" ", -1);
      boolean needed =
          (words[0].equals("compareTo") && above.contains(ClassWorld.COMPARABLE))
              || (words[0].equals("compare") && above.contains(ClassWorld.COMPARATOR));
      boolean rare = words[0].equals("toString") || words[0].equals("finalize");
      boolean compares = words[0].startsWith("compare");
      if (needed || (!compares && oneIn(rare ? 12 : 4))) {
        code.add(new Method(name, words[0], words[1], false, false, new ArrayList<>()));
      }
    }
    boolean stepNeeded = above.stream().anyMatch(interfaces::contains);
    if (stepNeeded || oneIn(3)) {
      code.add(new Method(name, "step", STEP, false, false, new ArrayList<>()));
    }
    if (oneIn(4)) {
      code.add(new Method(name, "other", STEP_WITH, false, false, new ArrayList<>()));
    }
    if (oneIn(4)) {
      code.add(new Method(name, "help", STEP_WITH, true, false, new ArrayList<>()));
    }
    add(new WorldType(name, false, superName, above, own, code));
  }

  private String fieldType() {
    int kind = random.nextInt(10);
    if (kind < 4) {
      return ClassWorld.OBJECT;
    }
    if (kind < 6 && !interfaces.isEmpty()) {
      return any(interfaces);
    }
    if (kind == 6) {
      return ClassWorld.ARRAY;
    }
    if (kind == 7) {
      return ClassWorld.COMPARABLE;
    }
    return any(classes);
  }

  /** Writes the code of one method. */
  private final class Code {
    private final ClassWorld world;
    private final Method method;
    private final int arguments;
    private final boolean straight;
    private int room;

    Code(ClassWorld world, Method method) {
      this.world = world;
      this.method = method;
      this.arguments =
          method.name().equals("readObject")
              ? 0
              : org.objectweb.asm.Type.getArgumentTypes(method.descriptor()).length;
      this.straight = world.type(method.owner()).isInterface();
    }

    void write() {
      boolean empty = method.name().equals("<init>") && (!oneIn(4) || runsAtStart());
      if (!empty) {
        room = 1 + random.nextInt(3);
        method.body().addAll(statements(0));
      }
      if (method.descriptor().endsWith("Ljava/lang/Object;") && !straight && oneIn(2)) {
        boolean ofStaticField = !staticFields.isEmpty() && oneIn(5);
        method
            .body()
            .add(new Return(ofStaticField ? new ReadStatic(any(staticFields)) : expression(2)));
      }
    }

    /** Whether a static initializer runs this constructor, which is not judged. */
    private boolean runsAtStart() {
      return staticFields.stream().anyMatch(field -> world.isA(field.initial(), method.owner()));
    }

    private List<Statement> statements(int depth) {
      List<Statement> all = new ArrayList<>();
      int count = 1 + random.nextInt(2);
      for (int i = 0; i < count && room > 0; i++) {
        room--;
        all.add(statement(depth));
      }
      return all;
    }

    private boolean hasThis() {
      return !method.isStatic();
    }

    private Statement statement(int depth) {
      switch (random.nextInt(straight ? 5 : 12)) {
        case 0 -> {
          if (oneIn(2)) {
            return fire();
          }
        }
        case 5, 6 -> {
          if (depth < 2) {
            return new If(
                condition(), statements(depth + 1), oneIn(2) ? statements(depth + 1) : List.of());
          }
        }
        case 7, 8 -> {
          Field field = any(fields);
          boolean own = hasThis() && world.isA(method.owner(), field.owner());
          return new Write(own ? new This() : expression(1), field, expression(1));
        }
        case 9 -> {
          return new Assign(random.nextInt(2), expression(2));
        }
        case 10 -> {
          if (oneIn(3) && !staticFields.isEmpty()) {
            return new WriteStatic(any(staticFields), expression(1));
          }
          return new WriteElement(expression(1), expression(1));
        }
        case 11 -> {
          if (depth < 2 && oneIn(2)) {
            return new Try(statements(depth + 1));
          }
        }
        default -> {
          // A call.
        }
      }
      return new Evaluate(call(2));
    }

    private Statement fire() {
      Sink sink = any(sinks);
      boolean size = sink == Sink.ARRAY_SIZE && (straight || !hasThis());
      return new Fire(size ? sinks.get(0) : sink);
    }

    private Condition condition() {
      return switch (random.nextInt(hasThis() && !straight ? 3 : 2)) {
        case 0 -> new InstanceOf(expression(1), any(oneIn(3) ? someTypes() : classes));
        case 1 -> new IsNull(expression(1));
        default -> new IsZero(new Field(method.owner(), "number", ClassWorld.INT, false, ""));
      };
    }

    private List<String> someTypes() {
      return interfaces.isEmpty() ? List.of(ClassWorld.COMPARABLE) : interfaces;
    }

    private Expression expression(int depth) {
      for (int tries = 0; tries < 8; tries++) {
        switch (random.nextInt(depth > 0 ? 12 : 5)) {
          case 0 -> {
            if (hasThis() && !method.name().equals("<init>")) {
              return new This();
            }
          }
          case 1 -> {
            if (arguments > 0) {
              return new Argument(random.nextInt(arguments));
            }
          }
          case 2 -> {
            return new Local(random.nextInt(2));
          }
          case 3, 4, 5, 6 -> {
            List<Field> own = ownFields();
            if (!own.isEmpty()) {
              return new Read(new This(), any(own));
            }
          }
          case 7 -> {
            if (oneIn(2)) {
              return new New(any(classes));
            }
            return oneIn(4) ? new NewArray(expression(depth - 1)) : new Local(0);
          }
          case 8 -> {
            List<Field> references =
                fields.stream().filter(f -> !f.type().equals(ClassWorld.INT)).toList();
            if (!references.isEmpty()) {
              return new Read(expression(depth - 1), any(references));
            }
          }
          case 9 -> {
            if (method.name().equals("readObject")) {
              return new NextObject();
            }
            if (!staticFields.isEmpty() && oneIn(2)) {
              return new ReadStatic(any(staticFields));
            }
          }
          case 10 -> {
            return oneIn(2)
                ? new Element(expression(depth - 1))
                : new Cast(expression(depth - 1), any(classes));
          }
          default -> {
            Expression call = call(depth - 1);
            boolean reference =
                (call instanceof Call its && its.descriptor().endsWith("Ljava/lang/Object;"))
                    || (call instanceof CallStatic other
                        && other.descriptor().endsWith("Ljava/lang/Object;"));
            if (reference) {
              return call;
            }
          }
        }
      }
      return new Local(0);
    }

    /** That hold references. */
    private List<Field> ownFields() {
      if (!hasThis()) {
        return List.of();
      }
      Set<String> above = world.ancestors(method.owner());
      return fields.stream()
          .filter(f -> above.contains(f.owner()) && !f.type().equals(ClassWorld.INT))
          .toList();
    }

    private Expression call(int depth) {
      Expression target = expression(depth);
      switch (random.nextInt(6)) {
        case 0 -> {
          return new Call(target, ClassWorld.OBJECT, false, "hashCode", "()I", List.of());
        }
        case 1 -> {
          return oneIn(2)
              ? new Call(
                  target,
                  ClassWorld.OBJECT,
                  false,
                  "equals",
                  "(Ljava/lang/Object;)Z",
                  List.of(expression(depth)))
              : new Call(
                  target,
                  ClassWorld.COMPARABLE,
                  true,
                  "compareTo",
                  "(Ljava/lang/Object;)I",
                  List.of(expression(depth)));
        }
        default -> {
          List<Method> steps =
              methods.stream().filter(m -> m.descriptor().endsWith("Ljava/lang/Object;")).toList();
          List<Method> callable =
              steps.stream().filter(m -> !m.name().equals("readResolve")).toList();
          if (callable.isEmpty()) {
            return new Call(
                target, ClassWorld.OBJECT, false, "toString", "()Ljava/lang/String;", List.of());
          }
          Method callee = any(callable);
          List<Expression> given =
              callee.descriptor().equals(STEP) ? List.of() : List.of(expression(depth));
          return callee.isStatic()
              ? new CallStatic(callee.owner(), callee.name(), callee.descriptor(), given)
              : new Call(
                  target,
                  callee.owner(),
                  world.type(callee.owner()).isInterface(),
                  callee.name(),
                  callee.descriptor(),
                  given);
        }
      }
    }
  }
}
