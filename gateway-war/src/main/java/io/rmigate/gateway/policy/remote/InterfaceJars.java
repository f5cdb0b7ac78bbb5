package io.rmigate.gateway.policy.remote;

import io.rmigate.gateway.policy.type.ClassOutline;
import io.rmigate.gateway.policy.type.HostileClasses;
import io.rmigate.gateway.policy.type.ProvenClasses;
import io.rmigate.gateway.policy.type.RemoteMethod;
import io.rmigate.gateway.scan.shape.JarClassFiles;
import io.rmigate.gateway.scan.shape.JarShapes;
import io.rmigate.gateway.scan.shape.PlainClasses;
import io.rmigate.gateway.scan.shape.Reading;
import io.rmigate.gateway.scan.shape.Shape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.objectweb.asm.ClassReader;

/**
 * What the jars of remote interfaces say: which methods there are, and which classes their
 * parameters, results and exceptions can be made of. That are the types they name, type arguments
 * included, those of the fields of these, and all subclasses and implementations of them in the
 * same jars; what else lies in the jars, such as libraries, stays outside.
 *
 * <p>Where a signature or such a field names a type of the JDK, such as {@code Object}, {@code
 * Serializable} or {@code Number}, it says nothing of the jars: of the classes that are of this
 * type the {@link PlainClasses} pass. Of any method the plain {@code RuntimeException}s do. Of a
 * class that writes another one in its place, that one passes.
 *
 * <p>Read from class files, nothing is loaded. Immutable; any thread.
 */
public final class InterfaceJars {
  /** None are configured: every method is as good as any other, and no class is mentioned. */
  public static final InterfaceJars NONE =
      new InterfaceJars(List.of(), Set.of(), Map.of(), Set.of(), Set.of(), ProvenClasses.NONE);

  private static final String REMOTE = "java/rmi/Remote";
  private static final String OBJECT = "java/lang/Object";
  private static final String RUNTIME_EXCEPTION = "java/lang/RuntimeException";
  private static final Set<String> ANYTHING = Set.of(OBJECT, "java/io/Serializable");

  private final List<Shape> shapes;

  /** The names of their classes. */
  private final Set<String> explained;

  /** The names of all classes of the jars. */
  private final Set<String> names;

  private final Map<Long, Set<String>> methods;

  /** Their hashes in ascending order: asked for each call, without an object for the hash. */
  private final long[] hashes;

  private final Set<String> mentioned;
  private final Set<RemoteMethod> remoteMethods;
  private final RemoteMethods allMethods;
  private final ProvenClasses proven;

  private InterfaceJars(
      List<Shape> shapes,
      Set<String> names,
      Map<Long, Set<String>> methods,
      Set<String> mentioned,
      Set<RemoteMethod> remoteMethods,
      ProvenClasses proven) {
    this.names = names;
    this.proven = proven;
    this.remoteMethods = remoteMethods;
    this.allMethods = RemoteMethods.with(remoteMethods);
    this.shapes = shapes;
    this.explained = shapes.stream().map(Shape::name).collect(Collectors.toUnmodifiableSet());
    this.methods = methods;
    this.hashes = methods.keySet().stream().mapToLong(Long::longValue).sorted().toArray();
    this.mentioned = mentioned;
  }

  /**
   * Reads all jars of a directory.
   *
   * @throws IOException it, or one of them, cannot be read; or none has a remote interface, for
   *     then every method would pass
   */
  public static InterfaceJars of(Path directory) throws IOException {
    return of(directory, Optional.empty());
  }

  /** All jars of a directory. */
  public static List<Path> jars(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(file -> file.toString().endsWith(".jar")).sorted().toList();
    }
  }

  /**
   * All jars of a directory, with what is found out of them.
   *
   * @param state directory in which what is found out of them is kept
   */
  public static InterfaceJars of(Path directory, Optional<Path> state) throws IOException {
    List<Path> jars = jars(directory);
    JarClassFiles files = JarClassFiles.of(jars);
    Reader reader = new Reader(files);
    reader.read();
    Set<String> carried = new HashSet<>(reader.mentioned);
    carried.addAll(reader.admitted);
    if (reader.methods.isEmpty()) {
      throw new IOException(
          "no jar in "
              + directory
              + " has a remote interface with methods; "
              + jars.size()
              + " found");
    }
    return new InterfaceJars(
        JarShapes.of(files).shapes(),
        files.byName().keySet().stream()
            .map(name -> name.replace('/', '.'))
            .collect(Collectors.toUnmodifiableSet()),
        Map.copyOf(reader.methods),
        Set.copyOf(carried),
        Set.copyOf(reader.remoteMethods),
        ProvenClasses.of(jars, state));
  }

  public boolean isEmpty() {
    return methods.isEmpty();
  }

  /** Whether a remote interface has a method with that hash. */
  public boolean hasMethod(long hash) {
    return Arrays.binarySearch(hashes, hash) >= 0;
  }

  /** The methods with that hash, as {@code com.acme.Desk.quote}. */
  Set<String> methods(long hash) {
    return methods.getOrDefault(hash, Set.of());
  }

  /** All, each once for each interface that has it. */
  public Set<RemoteMethod> remoteMethods() {
    return remoteMethods;
  }

  /** With those of JMX. */
  public RemoteMethods allMethods() {
    return allMethods;
  }

  /** Whether the methods can carry that class. */
  public boolean mentions(String name) {
    return mentioned.contains(name);
  }

  /**
   * Whether that class is proven harmless, so that it may stand anywhere.
   *
   * @param withoutJar names of classes that are permitted and in none of the jars
   */
  public boolean isHarmless(String name, Set<String> withoutJar) {
    return names.contains(name) && !HostileClasses.has(name) && proven.has(name, withoutJar);
  }

  /**
   * Whether an object of that class that is hashed or compared may ask others that it holds, as far
   * as is known; of classes in no jar nothing is.
   */
  public boolean asks(String name) {
    return !names.contains(name) || proven.asks(name);
  }

  /** See {@link ProvenClasses#makeIfNeededBefore}. */
  public void proveIfNeededBefore(Set<String> withoutJar) throws IOException {
    proven.makeIfNeededBefore(withoutJar);
  }

  /** Whether that class is in a jar. */
  public boolean has(String name) {
    return names.contains(name);
  }

  /** The names of all classes that {@link #mentions} is true of. */
  public Set<String> mentioned() {
    return mentioned;
  }

  /** Whether the serial form of that class is known from a jar. */
  public boolean explains(String name) {
    return explained.contains(name);
  }

  /**
   * Whether it is known of that class, in all versions that the jars have, where it stops reading.
   */
  public boolean isProven(String name) {
    return shapes.stream()
        .noneMatch(shape -> shape.name().equals(name) && shape.reading() == Reading.UNPROVEN);
  }

  /**
   * Whether it follows from the jars where unframed data of an Externalizable end, of all versions
   * that they have.
   */
  public boolean endsUnframed(String name) {
    List<Shape> its = shapes.stream().filter(shape -> shape.name().equals(name)).toList();
    return !its.isEmpty() && its.stream().allMatch(shape -> shape.sequence().isPresent());
  }

  /** Shapes of all serializable classes in the jars. */
  public List<Shape> shapes() {
    return shapes;
  }

  /** Goes through the class files once. */
  private static final class Reader {
    final Map<Long, Set<String>> methods = new HashMap<>();

    final Set<RemoteMethod> remoteMethods = new HashSet<>();

    /** As in {@link Class#getName}. */
    final Set<String> mentioned = new HashSet<>();

    /** Plain classes, and their supertypes in the jars, as in {@link Class#getName}. */
    final Set<String> admitted = new HashSet<>();

    private final PlainClasses plain;
    private final Map<String, ClassOutline> outlines = new HashMap<>();

    /** By internal names: which classes name this one as their parent. */
    private final Map<String, List<String>> children = new HashMap<>();

    private final Set<String> opened = new HashSet<>();
    private final Deque<String> toOpen = new ArrayDeque<>();

    Reader(JarClassFiles files) throws IOException {
      plain = PlainClasses.of(files);
      files
          .byName()
          .forEach(
              (name, versions) -> {
                for (ClassReader version : versions) {
                  outlines.merge(name, ClassOutline.of(version), ClassOutline::and);
                }
              });
      outlines.forEach(
          (name, outline) ->
              outline
                  .parents()
                  .forEach(
                      parent ->
                          children.computeIfAbsent(parent, p -> new ArrayList<>(1)).add(name)));
    }

    void read() throws IOException {
      for (Map.Entry<String, ClassOutline> entry : outlines.entrySet()) {
        if (entry.getValue().isInterface() && isRemote(entry.getKey(), new HashSet<>())) {
          open(entry.getKey());
          if (entry.getValue().hasVariables()) {
            open(OBJECT); // no class says what for
          }
          addMethods(entry.getKey(), entry.getKey().replace('/', '.'), new HashSet<>());
        }
      }
      while (!toOpen.isEmpty()) {
        String name = toOpen.remove();
        keep(name);
        if (outlines.containsKey(name)) {
          children.getOrDefault(name, List.of()).forEach(this::open);
          addStandIns(name);
        } else {
          admit(name);
        }
      }
      admit(RUNTIME_EXCEPTION);
    }

    /** Plain classes of a type, and what their fields name, but for what may be anything. */
    private void admit(String type) throws IOException {
      Deque<String> types = new ArrayDeque<>(List.of(type));
      Set<String> seen = new HashSet<>();
      while (!types.isEmpty()) {
        for (String name : plain.of(types.remove())) {
          String className = name.replace('/', '.');
          if (!HostileClasses.has(className) && admitted.add(className)) {
            ClassOutline outline = outlines.get(name);
            addTypesAbove(outline);
            outline.fieldTypes().stream()
                .filter(field -> !ANYTHING.contains(field) && seen.add(field))
                .forEach(types::add);
          }
        }
      }
    }

    private void addTypesAbove(ClassOutline outline) {
      for (String parent : outline.parents()) {
        if (outlines.containsKey(parent) && admitted.add(parent.replace('/', '.'))) {
          addTypesAbove(outlines.get(parent));
        }
      }
    }

    private void addStandIns(String name) throws IOException {
      for (String substitute : plain.standIns(name)) {
        String className = substitute.replace('/', '.');
        if (!HostileClasses.has(className) && mentioned.add(className)) {
          outlines.get(substitute).fieldTypes().stream()
              .filter(field -> !ANYTHING.contains(field))
              .forEach(this::open);
        }
      }
    }

    private boolean isRemote(String name, Set<String> seen) {
      return name.equals(REMOTE)
          || (seen.add(name)
              && outlines.containsKey(name)
              && outlines.get(name).parents().stream().anyMatch(p -> isRemote(p, seen)));
    }

    private void addMethods(String name, String as, Set<String> seen) {
      ClassOutline outline = outlines.get(name);
      if (outline == null || !seen.add(name)) {
        return;
      }
      for (ClassOutline.Method method : outline.methods()) {
        methods
            .computeIfAbsent(method.hash(), hash -> new TreeSet<>())
            .add(as + "." + method.name());
        remoteMethods.add(new RemoteMethod(as, method.name(), method.parameters(), method.hash()));
        method.types().forEach(this::open);
      }
      outline.parents().forEach(parent -> addMethods(parent, as, seen));
    }

    /** A value may be of this type, or of one below it. */
    private void open(String name) {
      if (opened.add(name)) {
        toOpen.add(name);
      }
    }

    /** A value may have this class, or have it above its own. */
    private void keep(String name) {
      ClassOutline outline = outlines.get(name);
      if (mentioned.add(name.replace('/', '.')) && outline != null) {
        outline.fieldTypes().forEach(this::open);
        outline.parents().forEach(this::keep);
      }
    }
  }
}
