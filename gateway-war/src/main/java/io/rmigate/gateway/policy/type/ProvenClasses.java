package io.rmigate.gateway.policy.type;

import io.rmigate.gateway.scan.proof.HarmlessClasses;
import io.rmigate.gateway.scan.shape.JarClassFiles;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.objectweb.asm.ClassReader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The classes of the configured jars that are {@link HarmlessClasses proven harmless}. The proof
 * begins when a message first has a class that no other rule permits; other callers wait for it.
 * The result is kept in the state directory, a file for each set of classes that are permitted
 * without a jar, and read from there after a restart. Where such a file is there, of these jars or
 * of others, this gateway has needed a proof before, and a new one is made at once: at a start, or
 * in the background of a reload.
 *
 * <p>It is also known here of which classes the hash codes ask other objects; that is found out
 * when a message first has a reference to an object around it, and not kept.
 *
 * <p>Jars that have changed on the disk since they were read prove nothing.
 *
 * <p>Any thread.
 */
public final class ProvenClasses {
  /** The result for no jars. */
  public static final ProvenClasses NONE = new ProvenClasses(List.of(), Map.of(), Optional.empty());

  private static final Logger LOG = LoggerFactory.getLogger(ProvenClasses.class);

  private static final String PREFIX = "proof-";
  private static final String SUFFIX = ".txt";

  /** The tag of a class in a constant pool (JVM specification, table 4.4-A). */
  private static final int CLASS_ITEM = 7;

  /** As measured with 14 MB of libraries it is 9 to 13. */
  private static final int MEMORY_FOR_A_BYTE = 20;

  /** Where the code of the proof is: other code finds something else. */
  private static final Pattern CODE = Pattern.compile("(io/rmigate/gateway/scan|org/objectweb)/.*");

  private final List<Path> jars;

  /** Marks of each jar when it was read. */
  private final Map<Path, String> marks;

  private final Optional<Path> state;

  /** By the classes in no jar that are permitted, too. */
  private final Map<Set<String>, Set<String>> known = new HashMap<>();

  /** Null until a message has a reference to an object around it. */
  private Set<String> askingNoOthers;

  private ProvenClasses(List<Path> jars, Map<Path, String> marks, Optional<Path> state) {
    this.jars = List.copyOf(jars);
    this.marks = Map.copyOf(marks);
    this.state = state;
  }

  /**
   * The proof of jars.
   *
   * @param state directory in which the proof is kept; it need not be there yet
   * @throws IOException a jar cannot be read
   */
  public static ProvenClasses of(List<Path> jars, Optional<Path> state) throws IOException {
    Map<Path, String> marks = new HashMap<>();
    for (Path jar : jars) {
      marks.put(jar, mark(jar));
    }
    return new ProvenClasses(jars, marks, state);
  }

  /**
   * Makes the proof at once if this gateway has needed one before, of these jars or of others.
   *
   * @param withoutJar names of classes that are permitted and in none of the jars
   * @throws IOException the state directory cannot be read
   */
  public void makeIfNeededBefore(Set<String> withoutJar) throws IOException {
    if (state.isPresent() && !files(state.get()).isEmpty()) {
      names(withoutJar);
    }
  }

  private static String mark(Path jar) throws IOException {
    return Files.size(jar) + " " + Files.getLastModifiedTime(jar).to(TimeUnit.NANOSECONDS);
  }

  /**
   * Whether a class is proven harmless.
   *
   * @param withoutJar names of classes that are permitted and in none of the jars
   */
  public boolean has(String className, Set<String> withoutJar) {
    return names(withoutJar).contains(className);
  }

  /**
   * Whether an object of a class of the jars may ask others when it is hashed or compared: see
   * {@link HarmlessClasses#askingNoOthers}.
   */
  public synchronized boolean asks(String className) {
    if (askingNoOthers == null) {
      askingNoOthers = findAskingNoOthers();
    }
    return !askingNoOthers.contains(className);
  }

  private Set<String> findAskingNoOthers() {
    try {
      if (haveChanged()) {
        return Set.of();
      }
      JarClassFiles files = JarClassFiles.of(jars);
      return hasRoom(files) ? HarmlessClasses.askingNoOthers(files) : Set.of();
    } catch (IOException | RuntimeException e) {
      LOG.warn(
          "the jars cannot be read, so keys of their classes that refer to objects around them are"
              + " refused: {}",
          e.toString());
      return Set.of();
    }
  }

  private synchronized Set<String> names(Set<String> withoutJar) {
    Set<String> names = known.get(withoutJar);
    if (names == null) {
      names = jars.isEmpty() ? Set.of() : find(withoutJar);
      known.put(withoutJar, names);
    }
    return names;
  }

  private Set<String> find(Set<String> withoutJar) {
    try {
      if (haveChanged()) {
        return Set.of();
      }
      String name = PREFIX + hashOfJars() + "-" + hash(withoutJar) + SUFFIX;
      Optional<Set<String>> kept = read(name);
      if (kept.isPresent()) {
        return kept.get();
      }
      long start = System.nanoTime();
      JarClassFiles files = JarClassFiles.of(jars);
      if (!hasRoom(files)) {
        return Set.of();
      }
      Set<String> names = HarmlessClasses.of(files, withoutJar).names();
      LOG.info(
          "{} of the {} classes in {} jars are proven harmless and may stand anywhere in a message"
              + " ({} ms); policy explain --class NAME says why a class is not",
          names.size(),
          files.byName().size(),
          jars.size(),
          TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
      keep(name, names);
      return names;
    } catch (IOException | RuntimeException e) {
      LOG.warn("no class counts as proven harmless: {}", e.toString());
      return Set.of();
    }
  }

  private boolean haveChanged() throws IOException {
    for (Path jar : jars) {
      if (!mark(jar).equals(marks.get(jar))) {
        LOG.warn(
            "{} has changed since it was read: no class counts as proven harmless until"
                + " the configuration is read again",
            jar);
        return true;
      }
    }
    return false;
  }

  /** Whether the proof has enough memory: if the JVM runs out of it, all calls suffer. */
  @SuppressWarnings("deprecation") // who else knows how long a class file is
  private static boolean hasRoom(JarClassFiles files) {
    long code =
        files.byName().values().stream()
            .flatMap(List::stream)
            .mapToLong(file -> file.b.length)
            .sum();
    Runtime jvm = Runtime.getRuntime();
    long free = jvm.maxMemory() - jvm.totalMemory() + jvm.freeMemory();
    long wanted = code * MEMORY_FOR_A_BYTE;
    if (wanted > free) {
      LOG.warn(
          "no class counts as proven harmless: checking {} MB of classes takes up to {} MB of"
              + " memory, and {} MB are free; give the gateway's JVM more (-Xmx)",
          code >> 20,
          wanted >> 20,
          free >> 20);
    }
    return wanted <= free;
  }

  /** Hash of the jars, and of the code that checks them. */
  private String hashOfJars() throws IOException {
    MessageDigest digest = sha256();
    digest.update(Runtime.version().toString().getBytes(StandardCharsets.UTF_8));
    Map<String, byte[]> code = new TreeMap<>();
    addCode(HarmlessClasses.class.getName().replace('.', '/'), code);
    code.values().forEach(digest::update);
    for (Path jar : jars) {
      digest.update(sha256().digest(Files.readAllBytes(jar)));
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  /** Adds a class and what it names, by name. */
  private static void addCode(String name, Map<String, byte[]> code) throws IOException {
    if (!CODE.matcher(name).matches() || code.containsKey(name)) {
      return;
    }
    try (InputStream file = HarmlessClasses.class.getResourceAsStream("/" + name + ".class")) {
      if (file == null) {
        return;
      }
      code.put(name, file.readAllBytes());
    }
    ClassReader reader = new ClassReader(code.get(name));
    char[] buffer = new char[reader.getMaxStringLength()];
    for (int item = 1; item < reader.getItemCount(); item++) {
      int at = reader.getItem(item);
      if (at > 0 && reader.readByte(at - 1) == CLASS_ITEM) {
        addCode(reader.readUTF8(at, buffer), code);
      }
    }
  }

  private static String hash(Set<String> names) {
    byte[] lines = String.join("\n", new TreeSet<>(names)).getBytes(StandardCharsets.UTF_8);
    return HexFormat.of().formatHex(sha256().digest(lines), 0, 8);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // each JDK has it
    }
  }

  private Optional<Set<String>> read(String name) throws IOException {
    if (state.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(new HashSet<>(Files.readAllLines(state.get().resolve(name))));
    } catch (NoSuchFileException none) {
      return Optional.empty();
    }
  }

  /** In the place of those of other jars. */
  private void keep(String name, Collection<String> names) {
    if (state.isEmpty()) {
      return;
    }
    try {
      Files.createDirectories(state.get());
      String ofJars = name.substring(0, name.lastIndexOf('-') + 1);
      for (Path old : files(state.get())) {
        if (!old.getFileName().toString().startsWith(ofJars)) {
          Files.deleteIfExists(old);
        }
      }
      Path part = Files.createTempFile(state.get(), PREFIX, ".part");
      Files.write(part, names);
      Files.move(
          part,
          state.get().resolve(name),
          StandardCopyOption.ATOMIC_MOVE,
          StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      LOG.warn(
          "the proof of the jars cannot be saved, and is repeated after the next start: {}",
          e.toString());
    }
  }

  private static List<Path> files(Path state) throws IOException {
    if (!Files.isDirectory(state)) {
      return List.of();
    }
    List<Path> all = new ArrayList<>();
    try (Stream<Path> files = Files.list(state)) {
      files
          .filter(
              file ->
                  file.getFileName().toString().startsWith(PREFIX)
                      && file.getFileName().toString().endsWith(SUFFIX))
          .forEach(all::add);
    }
    return all;
  }
}
