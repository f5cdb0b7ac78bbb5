package io.rmigate.gateway.scan.proof;

import io.rmigate.gateway.scan.proof.Facts.Harm;
import io.rmigate.gateway.scan.proof.Types.Member;
import io.rmigate.gateway.scan.proof.Types.Version;
import io.rmigate.gateway.scan.shape.JarClassFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.objectweb.asm.Opcodes;

/**
 * The classes of jars whose byte code shows that reading one of their objects does no harm, in
 * whatever a sender puts it, and whatever he puts into it.
 *
 * <p>Read of a class is what reading may run: {@code readObject}, {@code readObjectNoData}, {@code
 * readResolve}, {@code readExternal}, the constructor of the first superclass that is not
 * serializable, of an Externalizable, of a record; and each method that stands in the place of one
 * that a superclass or an interface declares, {@code hashCode}, {@code compare}, {@code get}, for
 * whoever holds such an object may call it: {@code validateObject} and {@code finalize} are among
 * them. None of these may reach reflection, method handles, class loading, files, sockets, naming
 * services, processes, native code, threads, an object stream of its own, or write to static fields
 * or to what they lead to; arrays and loops are bounded by what there is. Each class stands with
 * the methods that it inherits.
 *
 * <p>The classes of the jars are all that there are: a superclass that is missing, or code that is
 * called and in no jar, proves nothing, and of several versions of a class each has to be harmless.
 * Static initializers take nothing of a sender's and are not looked at. Nothing is loaded or run.
 *
 * <p>Whole-program analyses of this kind are described by F. Nielson, H. R. Nielson and C. Hankin,
 * "Principles of Program Analysis", 1999; the set of classes that may be there at a call grows as
 * in D. Bacon and P. Sweeney, "Fast Static Analysis of C++ Virtual Function Calls", OOPSLA 1996.
 *
 * <p>Immutable; any thread.
 */
public final class HarmlessClasses {
  private static final String SERIALIZABLE = "java/io/Serializable";
  private static final String NO_ARGUMENTS = "<init>()V";

  private static final List<String> READERS =
      List.of(
          "readObject(Ljava/io/ObjectInputStream;)V",
          "readObjectNoData()V",
          "readResolve()Ljava/lang/Object;",
          "readExternal(Ljava/io/ObjectInput;)V");

  /** Names of further methods that run while an object is read, or after it. */
  private static final Set<String> RUN_WHILE_READING =
      Set.of("<init>", "validateObject", "finalize");

  /** From which classes of the JDK others may inherit, serializable ones aside. */
  private static final Set<String> HARMLESS_ANCESTORS =
      Set.of(
          Types.OBJECT,
          "java/lang/Record",
          "java/text/AttributedCharacterIterator$Attribute",
          "java/util/AbstractCollection",
          "java/util/AbstractList",
          "java/util/AbstractMap",
          "java/util/AbstractQueue",
          "java/util/AbstractSequentialList",
          "java/util/AbstractSet",
          "java/util/Dictionary",
          "java/security/PermissionCollection",
          "java/util/concurrent/locks/AbstractOwnableSynchronizer",
          "java/util/concurrent/locks/AbstractQueuedSynchronizer");

  private final Map<String, Verdict> verdicts;

  private HarmlessClasses(Map<String, Verdict> verdicts) {
    this.verdicts = verdicts;
  }

  /**
   * Those of jars.
   *
   * @param jars all that there is
   * @param allowed names, as in {@link Class#getName}, of classes that are permitted otherwise;
   *     those that stand in no jar count as harmful to call
   * @throws IOException a class of the running JDK cannot be read
   */
  public static HarmlessClasses of(JarClassFiles jars, Set<String> allowed) throws IOException {
    try {
      return new Analysis(jars, allowed).run();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /** Whether a class is proven harmless; the name as in {@link Class#getName}. */
  public boolean has(String className) {
    Verdict verdict = verdicts.get(className);
    return verdict != null && verdict.proven();
  }

  /** What is said of a class: of one that no jar has, or that is not serializable, just that. */
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

  /** What is said of all serializable classes of the jars, in order. */
  public List<Verdict> verdicts() {
    return List.copyOf(verdicts.values());
  }

  private static final class Analysis {
    private final Types types;
    private final CallGraph calls;
    private final Set<String> damaged;

    /** By class: what reading its objects may run. */
    private final Map<String, List<Member>> roots = new HashMap<>();

    Analysis(JarClassFiles jars, Set<String> allowed) {
      types = new Types(jars);
      damaged = jars.damaged();
      calls =
          new CallGraph(
              types,
              allowed.stream()
                  .map(name -> name.replace('.', '/'))
                  .filter(name -> !types.isOfJars(name))
                  .collect(Collectors.toSet()));
    }

    HarmlessClasses run() {
      Map<String, Verdict> verdicts = new TreeMap<>();
      for (String name : types.ofJars()) {
        if (types.isSerializable(name) && !types.isInterface(name)) {
          List<String> missing = missing(name);
          if (missing.isEmpty()) {
            addRoots(name);
          } else {
            add(verdicts, name, missing);
          }
        } else if (types.isInterface(name)) {
          add(verdicts, name, List.of()); // only the name travels
        }
      }
      calls.complete();
      calls.completeStarts();
      for (List<Member> members : roots.values()) {
        members.stream()
            .filter(member -> member.signature().startsWith("readResolve("))
            .distinct()
            .forEach(calls::handsOut);
      }
      calls.complete();
      calls.completeStarts();
      calls.spread();
      roots.forEach((name, members) -> add(verdicts, name, path(members)));
      return new HarmlessClasses(verdicts);
    }

    private static void add(Map<String, Verdict> verdicts, String name, List<String> path) {
      String className = name.replace('/', '.');
      verdicts.put(className, new Verdict(className, path.isEmpty(), path));
    }

    /** What speaks against a class by what it inherits from; empty if nothing does. */
    private List<String> missing(String name) {
      for (String ancestor : types.ancestors(name)) {
        if (damaged.stream().anyMatch(entry -> entry.endsWith(ancestor + ".class"))) {
          return List.of(ancestor.replace('/', '.') + ": a version of it cannot be read");
        }
        if (!types.isThere(ancestor)) {
          return List.of(ancestor.replace('/', '.') + ": an ancestor that is in no jar");
        }
        boolean harmless =
            types.isOfJars(ancestor)
                || types.isInterface(ancestor)
                || HARMLESS_ANCESTORS.contains(ancestor)
                || types.isA(ancestor, SERIALIZABLE);
        if (!harmless) {
          return List.of(
              ancestor.replace('/', '.')
                  + ": an ancestor of the JDK that is not known as harmless");
        }
      }
      return List.of();
    }

    private void addRoots(String name) {
      List<Member> its = new ArrayList<>();
      for (String reader : READERS) {
        for (String ancestor : types.ancestors(name)) {
          if (types.isOfJars(ancestor)) {
            declared(ancestor, reader, its);
          }
        }
      }
      if (types.isA(name, "java/lang/Record")) {
        for (Version version : types.versions(name)) {
          for (String signature : version.methods.keySet()) {
            if (signature.startsWith("<init>")) {
              Member constructor = new Member(version, signature);
              its.add(constructor);
              calls.givenAnything(constructor);
            }
          }
        }
      } else {
        addConstructor(name, its);
      }
      for (Member member : calls.overriding(name)) {
        its.add(member);
        calls.givenAnything(member);
      }
      its.forEach(calls::node);
      roots.put(name, its);
    }

    private void declared(String type, String signature, List<Member> all) {
      for (Version version : types.versions(type)) {
        Integer access = version.methods.get(signature);
        if (access != null && (access & Opcodes.ACC_STATIC) == 0) {
          all.add(new Member(version, signature));
        }
      }
    }

    /** Of the first superclass that is not serializable, or of an Externalizable itself. */
    private void addConstructor(String name, List<Member> all) {
      Deque<String> open = new ArrayDeque<>(List.of(name));
      Set<String> seen = new HashSet<>(open);
      boolean external = types.isA(name, "java/io/Externalizable");
      while (!open.isEmpty()) {
        String type = open.remove();
        if (external || !types.isSerializable(type)) {
          if (types.isOfJars(type)) {
            declared(type, NO_ARGUMENTS, all);
          }
          continue;
        }
        for (Version version : types.versions(type)) {
          if (version.superName != null && seen.add(version.superName)) {
            open.add(version.superName);
          }
        }
      }
    }

    private List<String> path(List<Member> members) {
      for (Harm harm : Harm.values()) {
        for (Member member : members) {
          boolean matters = harm != Harm.EXPENSIVE || isRunWhileReading(member);
          if (matters && calls.node(member).leadsTo(harm)) {
            return calls.node(member).path(harm);
          }
        }
      }
      return List.of();
    }

    private static boolean isRunWhileReading(Member member) {
      String signature = member.signature();
      int at = signature.indexOf('(');
      String name = signature.substring(0, at);
      return READERS.contains(signature)
          || RUN_WHILE_READING.contains(name)
          || PlatformCalls.isOfAnything(name, signature.substring(at));
    }
  }
}
