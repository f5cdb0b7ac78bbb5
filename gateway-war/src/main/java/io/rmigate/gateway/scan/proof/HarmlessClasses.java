package io.rmigate.gateway.scan.proof;

import io.rmigate.gateway.scan.proof.HarmlessCode.Judgement;
import io.rmigate.gateway.scan.proof.HarmlessCode.Moment;
import io.rmigate.gateway.scan.shape.ClassFiles;
import io.rmigate.gateway.scan.shape.JarClassFiles;
import io.rmigate.gateway.scan.shape.JarShapes;
import io.rmigate.gateway.scan.shape.Methods;
import io.rmigate.gateway.scan.shape.Methods.Method;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * The classes of jars whose byte code shows that reading one of their objects does no harm, in any
 * place of a message, and with any content of its fields.
 *
 * <p>Looked at of a class is what reading may run: {@code readObject}, {@code readObjectNoData},
 * {@code readResolve}, {@code readExternal}, {@code validateObject}, {@code finalize}, the
 * constructor of the first superclass that is not serializable, of an Externalizable, of a record;
 * and each method that stands in the place of one that a superclass or an interface declares,
 * {@code hashCode}, {@code compare}, {@code apply}, because another object of the message may call
 * it. All of this code has to be {@link HarmlessCode}. Each class stands with the methods that it
 * inherits, an enum with the classes of its constants.
 *
 * <p>The classes of the jars are all that there are: a superclass that is missing, or code that is
 * called and in no jar, proves nothing, and of several versions of a class each has to be harmless.
 * Static initializers take nothing of a sender's and are not looked at. Nothing is loaded or run.
 *
 * <p>Immutable; any thread.
 */
public final class HarmlessClasses {
  static final Set<String> READERS =
      Set.of(
          "readObject(Ljava/io/ObjectInputStream;)V",
          "readObjectNoData()V",
          "readResolve()Ljava/lang/Object;",
          "readExternal(Ljava/io/ObjectInput;)V",
          "validateObject()V",
          "finalize()V");

  /** Stands in the place of an interface's method, and runs only where objects are written. */
  private static final String WRITER = "writeExternal(Ljava/io/ObjectOutput;)V";

  private static final String NO_ARGUMENTS = "()V";

  private final Map<String, Verdict> verdicts;

  private HarmlessClasses(Map<String, Verdict> verdicts) {
    this.verdicts = verdicts;
  }

  /**
   * The harmless classes of jars.
   *
   * @param jars all that there is
   * @param allowed names, as in {@link Class#getName}, of classes that are permitted otherwise; a
   *     call of one that stands in no jar counts as harmful
   * @throws IOException a class of the running JDK cannot be read
   */
  public static HarmlessClasses of(JarClassFiles jars, Set<String> allowed) throws IOException {
    return new Analysis(jars, allowed, false).run();
  }

  /**
   * The harmless ones among classes of the running JDK, which use no others but the few that the
   * proof knows as {@linkplain HarmlessCalls harmless superclasses}, exceptions and values. For the
   * list of the JDK's values.
   *
   * @param names as in {@link Class#getName}; names that this JDK lacks are left out
   * @throws IOException one cannot be read
   */
  static HarmlessClasses ofJdk(Set<String> names) throws IOException {
    Map<String, List<ClassReader>> files = new TreeMap<>();
    for (String name : names) {
      String internal = name.replace('.', '/');
      boolean known =
          HarmlessCalls.isSuperclass(internal)
              || HarmlessCalls.isValue("L" + internal + ";")
              || internal.equals("java/lang/Throwable");
      Optional<byte[]> file = known ? Optional.empty() : JarShapes.ofThisJdk(internal);
      file.ifPresent(bytes -> files.put(internal, List.of(new ClassReader(bytes))));
    }
    return new Analysis(new JarClassFiles(files, Set.of()), Set.of(), true).run();
  }

  /**
   * The serializable classes of jars whose objects, when they are hashed or compared, ask no
   * objects that they hold to hash or compare themselves, and whose references no other class
   * follows for that; by names as in {@link Class#getName}. Of all other classes this is not known.
   *
   * @param jars all that there is
   * @throws IOException a class of the running JDK cannot be read
   */
  public static Set<String> askingNoOthers(JarClassFiles jars) throws IOException {
    Analysis analysis = new Analysis(jars, Set.of(), false);
    return new HashedReferences(analysis.jars.keySet(), analysis.methods, analysis.code)
        .classesWithout();
  }

  /** Whether a class is proven harmless; the name as in {@link Class#getName}. */
  public boolean has(String className) {
    Verdict verdict = verdicts.get(className);
    return verdict != null && verdict.proven();
  }

  /** The verdict on a class; also for a class that no jar has or that is not serializable. */
  public Verdict verdict(String className) {
    Verdict verdict = verdicts.get(className);
    return verdict == null
        ? new Verdict(className, false, List.of("no serializable class of the jars"))
        : verdict;
  }

  /** The names of all that are proven. */
  public Set<String> names() {
    return verdicts.values().stream()
        .filter(Verdict::proven)
        .map(Verdict::className)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** The verdicts on all serializable classes of the jars, in order. */
  public List<Verdict> verdicts() {
    return List.copyOf(verdicts.values());
  }

  /**
   * The result for the objects of one class.
   *
   * @param harm the way to what is not harmless; empty if all is harmless
   * @param needed classes that have to be harmless for this one to be
   */
  private record Finding(List<String> harm, Set<String> needed) {
    static Finding harm(String why) {
      return new Finding(List.of(why), Set.of());
    }

    static Finding of(Judgement judged) {
      return new Finding(judged.harm(), judged.made());
    }
  }

  private static final class Analysis {
    private final Map<String, List<ClassReader>> jars = new TreeMap<>();
    private final ClassFiles files;
    private final Methods methods;
    private final HarmlessCode code;
    private final Map<String, Finding> findings = new HashMap<>();

    Analysis(JarClassFiles all, Set<String> allowed, boolean ofJdk) throws IOException {
      for (Map.Entry<String, List<ClassReader>> named : all.byName().entrySet()) {
        String name = named.getKey();
        if (ofJdk || (!name.startsWith("java/") && JarShapes.ofThisJdk(name).isEmpty())) {
          jars.put(name, named.getValue());
        } // else every JVM takes its own class of that name
      }
      Set<String> unreadable =
          all.damaged().stream()
              .map(entry -> entry.replaceFirst("^META-INF/versions/\\d+/", ""))
              .map(entry -> entry.replaceFirst("^(BOOT|WEB)-INF/classes/", ""))
              .map(entry -> entry.replaceFirst("\\.class$", ""))
              .collect(Collectors.toSet());
      files = new ClassFiles(jars, name -> JarShapes.ofThisJdk(name).map(ClassReader::new));
      methods = new Methods(files);
      for (Map.Entry<String, List<ClassReader>> named : jars.entrySet()) {
        if (named.getValue().stream().map(Analysis::heading).distinct().count() > 1) {
          unreadable.add(named.getKey());
        }
      }
      boolean othersExtend =
          allowed.stream()
              .map(name -> name.replace('.', '/'))
              .anyMatch(name -> !jars.containsKey(name));
      code = new HarmlessCode(methods, othersExtend, unreadable);
    }

    /** The header of a class with its ancestors, in which versions must not differ. */
    private static List<Object> heading(ClassReader file) {
      int kind = Opcodes.ACC_INTERFACE | Opcodes.ACC_ENUM;
      return List.of(
          String.valueOf(file.getSuperName()),
          Set.of(file.getInterfaces()),
          file.getAccess() & kind);
    }

    HarmlessClasses run() throws IOException {
      Map<String, Verdict> verdicts = new TreeMap<>();
      for (String name : jars.keySet()) {
        String className = name.replace('/', '.');
        if (files.isInterface(name)) {
          verdicts.put(className, new Verdict(className, true, List.of())); // only the name travels
        } else if (files.isSerializable(name)) {
          List<String> harm = harm(name, new HashSet<>());
          verdicts.put(className, new Verdict(className, harm.isEmpty(), harm));
        }
      }
      return new HarmlessClasses(verdicts);
    }

    /** The chain of calls to the harm in a class, or in a class that it needs. */
    private List<String> harm(String name, Set<String> seen) throws IOException {
      if (!seen.add(name)) {
        return List.of();
      }
      Finding finding = finding(name);
      if (!finding.harm().isEmpty()) {
        return finding.harm();
      }
      for (String needed : finding.needed()) {
        List<String> its = harm(needed, seen);
        if (!its.isEmpty()) {
          List<String> way = new ArrayList<>();
          way.add(name.replace('/', '.') + " makes objects of " + needed.replace('/', '.'));
          way.addAll(its);
          return way;
        }
      }
      return List.of();
    }

    private Finding finding(String name) throws IOException {
      Finding finding = findings.get(name);
      if (finding == null) {
        try {
          finding = find(name);
        } catch (RuntimeException | StackOverflowError damaged) {
          finding = Finding.harm("byte code that cannot be understood");
        }
        findings.put(name, finding);
      }
      return finding;
    }

    private Finding find(String name) throws IOException {
      Set<String> ancestors = files.ancestors(name);
      for (String ancestor : ancestors) {
        for (String inherited : jars.containsKey(ancestor) ? parents(ancestor) : Set.<String>of()) {
          String why = objection(inherited);
          if (!why.isEmpty()) {
            return Finding.harm(inherited.replace('/', '.') + ": " + why);
          }
        }
      }
      if (ancestors.containsAll(Set.of("java/lang/Throwable", "java/io/Externalizable"))) {
        return Finding.harm(name.replace('/', '.') + ": makes a stack trace when it is read");
      }
      Set<String> needed = new LinkedHashSet<>();
      if (ancestors.contains("java/lang/Enum")) {
        needed.addAll(files.subclasses(name)); // of constants, which go by the enum's name
      }
      Map<String, Set<String>> declaring = declaring(ancestors);
      boolean collection = ancestors.stream().anyMatch(Analysis::isCollection);
      for (String ancestor : ancestors) {
        if (!jars.containsKey(ancestor)) {
          continue;
        }
        for (ClassNode version : methods.classNodes(ancestor)) {
          for (MethodNode method : version.methods) {
            Finding its = judge(new Method(version, method), name, declaring, collection);
            if (!its.harm().isEmpty()) {
              return its;
            }
            needed.addAll(its.needed());
          }
        }
      }
      needed.remove(name);
      return new Finding(List.of(), needed);
    }

    private static boolean isCollection(String type) {
      return HarmlessCalls.isSuperclass(type) && HarmlessCalls.isCollection(type);
    }

    /** A class of the jars, and what it extends and implements itself. */
    private Set<String> parents(String name) throws IOException {
      Set<String> parents = new LinkedHashSet<>(List.of(name));
      for (ClassNode version : methods.classNodes(name)) {
        parents.addAll(version.interfaces);
        parents.add(version.superName);
      }
      return parents;
    }

    /** The reason why a class must not inherit from an ancestor; empty if it may. */
    private String objection(String ancestor) throws IOException {
      if (code.isUnreadable(ancestor)) {
        return "a version of it cannot be read, or inherits from others";
      }
      if (jars.containsKey(ancestor)) {
        return "";
      }
      if (!files.isOfPlatform(ancestor)) {
        return "an ancestor that is in no jar";
      }
      boolean harmless =
          files.isInterface(ancestor)
              ? HarmlessCalls.isInterface(ancestor)
              : HarmlessCalls.isSuperclass(ancestor)
                  || (files.isA(ancestor, "java/lang/Throwable")
                      && HarmlessCalls.isPlainException(ancestor));
      return harmless ? "" : "an ancestor of the JDK that is not known as harmless";
    }

    /** By name and descriptor: the ancestors that declare a method that subclasses may replace. */
    private Map<String, Set<String>> declaring(Set<String> ancestors) throws IOException {
      Map<String, Set<String>> declaring = new HashMap<>();
      int hidden = Opcodes.ACC_STATIC | Opcodes.ACC_PRIVATE;
      for (String ancestor : ancestors) {
        for (ClassNode version : methods.classNodes(ancestor)) {
          for (MethodNode method : version.methods) {
            if ((method.access & hidden) == 0 && !method.name.startsWith("<")) {
              declaring
                  .computeIfAbsent(method.name + method.desc, first -> new HashSet<>())
                  .add(ancestor);
            }
          }
        }
      }
      return declaring;
    }

    private Finding judge(
        Method method, String name, Map<String, Set<String>> declaring, boolean collection)
        throws IOException {
      String signature = method.code().name + method.code().desc;
      String owner = method.owner().name;
      int access = method.code().access;
      Finding nothing = new Finding(List.of(), Set.of());
      if ((access & Opcodes.ACC_ABSTRACT) != 0) {
        return nothing;
      }
      boolean replaces =
          (access & (Opcodes.ACC_STATIC | Opcodes.ACC_PRIVATE)) == 0
              && !signature.equals(WRITER)
              && (files.isInterface(owner)
                  || declaring.getOrDefault(signature, Set.of()).size() > 1);
      if (replaces && collection && isOfCollection(declaring.get(signature), signature)) {
        return Finding.harm(HarmlessCode.text(method) + ": in the place of a collection's method");
      }
      if (READERS.contains(signature) || isConstructor(method, name)) {
        return Finding.of(code.judge(method, Moment.READING));
      }
      return replaces ? Finding.of(code.judge(method, moment(signature))) : nothing;
    }

    private static Moment moment(String signature) {
      return switch (signature) {
        case "toString()Ljava/lang/String;",
            "getMessage()Ljava/lang/String;",
            "getLocalizedMessage()Ljava/lang/String;" ->
            Moment.PRINTING;
        default -> Moment.OTHER;
      };
    }

    private static boolean isOfCollection(Set<String> declaring, String signature) {
      return !signature.startsWith("toString(")
          && declaring.stream().anyMatch(type -> type.startsWith("java/util/"));
    }

    /** Whether the JVM runs it when it makes an object of that class that it reads. */
    private boolean isConstructor(Method method, String name) throws IOException {
      if (!method.code().name.equals("<init>")) {
        return false;
      }
      String owner = method.owner().name;
      if (files.isA(owner, "java/lang/Record")) {
        return true;
      }
      return method.code().desc.equals(NO_ARGUMENTS)
          && (!files.isSerializable(owner) || (owner.equals(name) && files.isExternalizable(name)));
    }
  }
}
