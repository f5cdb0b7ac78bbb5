package io.rmigate.gateway.policy.type;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.signature.SignatureReader;
import org.objectweb.asm.signature.SignatureVisitor;

/**
 * What a class file says of the types around its class, by internal names. Code is not looked at.
 * Where a type leaves open what is in it, {@code java/lang/Object} is among the types: a method's
 * type variable or a wildcard without a bound, and a collection as interfaces named them before
 * generics. What a class's own variables stand for is said where the class is named.
 *
 * @param hasVariables whether it is generic
 * @param parents superclass and interfaces, but Object
 * @param methods of an interface; of a class none
 * @param fieldTypes of fields that are written, type arguments included
 */
public record ClassOutline(
    boolean isInterface,
    boolean hasVariables,
    Set<String> parents,
    List<Method> methods,
    Set<String> fieldTypes) {
  private static final int API = Opcodes.ASM9;
  private static final String OBJECT = "java/lang/Object";

  /** Whether a class of the JDK is generic, by class name. */
  private static final Map<String, Boolean> OF_JDK = new ConcurrentHashMap<>();

  /**
   * A method that can be called from afar.
   *
   * @param parameters their types, as in sources, nested classes with $
   * @param hash as RMI computes it: RMI specification, 8.3
   * @param types of parameters, result and exceptions, type arguments included
   */
  public record Method(String name, List<String> parameters, long hash, Set<String> types) {}

  public static ClassOutline of(ClassReader file) {
    Reading reading = new Reading();
    file.accept(reading, ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
    return new ClassOutline(
        reading.isInterface,
        reading.hasVariables,
        reading.parents,
        reading.methods,
        reading.fieldTypes);
  }

  /** The union of the outlines of two versions of a class. */
  public ClassOutline and(ClassOutline other) {
    List<Method> bothMethods = new ArrayList<>(methods);
    bothMethods.addAll(other.methods);
    return new ClassOutline(
        isInterface || other.isInterface,
        hasVariables || other.hasVariables,
        both(parents, other.parents),
        bothMethods,
        both(fieldTypes, other.fieldTypes));
  }

  private static Set<String> both(Set<String> one, Set<String> other) {
    Set<String> all = new HashSet<>(one);
    all.addAll(other);
    return all;
  }

  public static long hash(String name, String descriptor) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      new DataOutputStream(bytes).writeUTF(name + descriptor);
      byte[] digest = MessageDigest.getInstance("SHA").digest(bytes.toByteArray());
      return ByteBuffer.wrap(digest).order(ByteOrder.LITTLE_ENDIAN).getLong();
    } catch (IOException tooLong) {
      throw new UncheckedIOException(tooLong);
    } catch (NoSuchAlgorithmException impossible) {
      throw new AssertionError(impossible);
    }
  }

  private static void addTypes(String descriptor, String signature, Set<String> types) {
    Type type = Type.getType(descriptor);
    boolean isMethod = type.getSort() == Type.METHOD;
    Set<String> erased = new HashSet<>();
    if (isMethod) {
      for (Type parameter : type.getArgumentTypes()) {
        add(parameter, signature == null, erased);
      }
      add(type.getReturnType(), signature == null, erased);
    } else {
      add(type, signature == null, erased);
    }
    if (signature != null) {
      erased.remove(OBJECT); // it stands in the place of type variables
      Names names = new Names(types);
      if (isMethod) {
        new SignatureReader(signature).accept(names);
      } else {
        new SignatureReader(signature).acceptType(names);
      }
    }
    types.addAll(erased);
  }

  /**
   * @param isWhole no signature says more of it
   */
  private static void add(Type type, boolean isWhole, Set<String> types) {
    Type element = type.getSort() == Type.ARRAY ? type.getElementType() : type;
    if (element.getSort() == Type.OBJECT) {
      types.add(element.getInternalName());
      if (isWhole && hasParameters(element.getInternalName())) {
        types.add(OBJECT);
      }
    }
  }

  /** Whether it is a collection, or another holder of values, of the JDK with type parameters. */
  private static boolean hasParameters(String name) {
    return (name.startsWith("java/util/") || name.equals("java/lang/Iterable"))
        && OF_JDK.computeIfAbsent(name, ClassOutline::hasParametersInThisJdk);
  }

  private static boolean hasParametersInThisJdk(String name) {
    try (InputStream file =
        ClassLoader.getPlatformClassLoader().getResourceAsStream(name + ".class")) {
      if (file == null) {
        return false;
      }
      Heading heading = new Heading();
      new ClassReader(file).accept(heading, ClassReader.SKIP_CODE);
      return heading.hasVariables;
    } catch (IOException e) {
      throw new UncheckedIOException(e); // of the running JDK
    }
  }

  private static final class Heading extends ClassVisitor {
    boolean hasVariables;

    Heading() {
      super(API);
    }

    @Override
    public void visit(
        int version, int access, String name, String sign, String parent, String[] interfaces) {
      hasVariables = sign != null && sign.startsWith("<");
    }
  }

  private static final class Reading extends ClassVisitor {
    boolean isInterface;
    boolean hasVariables;
    final Set<String> parents = new HashSet<>();
    final List<Method> methods = new ArrayList<>();
    final Set<String> fieldTypes = new HashSet<>();

    Reading() {
      super(API);
    }

    @Override
    public void visit(
        int version, int access, String name, String sign, String parent, String[] interfaces) {
      isInterface = (access & Opcodes.ACC_INTERFACE) != 0;
      parents.addAll(List.of(interfaces));
      if (parent != null && !parent.equals(OBJECT)) {
        parents.add(parent);
      }
      if (sign != null) {
        hasVariables = sign.startsWith("<");
        Set<String> named = new HashSet<>();
        new SignatureReader(sign).accept(new Names(named));
        named.removeAll(parents);
        named.remove(OBJECT); // a superclass, and the bound of most type variables
        fieldTypes.addAll(named); // what type variables stand for
      }
    }

    @Override
    public FieldVisitor visitField(
        int access, String name, String descriptor, String signature, Object value) {
      if ((access & (Opcodes.ACC_STATIC | Opcodes.ACC_TRANSIENT)) == 0) {
        addTypes(descriptor, signature, fieldTypes);
      }
      return null;
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String descriptor, String signature, String[] exceptions) {
      if (isInterface && (access & (Opcodes.ACC_STATIC | Opcodes.ACC_PRIVATE)) == 0) {
        Set<String> types = new HashSet<>();
        addTypes(descriptor, signature, types);
        types.addAll(exceptions == null ? List.of() : List.of(exceptions));
        List<String> parameters =
            Stream.of(Type.getArgumentTypes(descriptor)).map(Type::getClassName).toList();
        methods.add(new Method(name, parameters, hash(name, descriptor), types));
      }
      return null;
    }
  }

  /** Collects the classes in a signature. */
  private static final class Names extends SignatureVisitor {
    private final Set<String> types;
    private String outer = "";

    /** The names of the types that have begun; empty once an argument has come. */
    private final Deque<String> open = new ArrayDeque<>();

    Names(Set<String> types) {
      super(API);
      this.types = types;
    }

    @Override
    public void visitClassType(String name) {
      outer = name;
      types.add(name);
      open.push(name);
    }

    @Override
    public void visitTypeArgument() {
      if (!"java/lang/Class".equals(open.peek())) { // which carries no such value
        types.add(OBJECT);
      }
      visitTypeArgument(INSTANCEOF);
    }

    @Override
    public SignatureVisitor visitTypeArgument(char wildcard) {
      open.pop();
      open.push("");
      return this;
    }

    @Override
    public void visitEnd() {
      if (hasParameters(open.pop())) {
        types.add(OBJECT);
      }
    }

    @Override
    public void visitInnerClassType(String name) {
      outer = outer + "$" + name;
      types.add(outer);
    }
  }
}
