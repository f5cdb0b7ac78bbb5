package io.rmigate.gateway.scan.proof;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.scan.shape.JarClassFiles;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassReader;

/**
 * The proof against a JVM: random Java sources are compiled, and random messages of the classes
 * that are proven are read. None of them does harm. {@code -Drmigate.test.sources=20000} tries more
 * sources, {@code -Drmigate.test.seed} others.
 */
class ProofAgainstJvmTest {
  private static final int SOURCES = Integer.getInteger("rmigate.test.sources", 80);
  private static final long SEED = Long.getLong("rmigate.test.seed", 100);

  /** Sources that are compiled together. */
  private static final int BATCH = 50;

  private static final int MESSAGES = 40;

  /** Of each class that is not proven, for every {@value #SAMPLED}th source. */
  private static final int FEWER_MESSAGES = 10;

  private static final int SAMPLED = 5;

  private final Map<String, Integer> reasons = new TreeMap<>();
  private final List<String> wrong = new ArrayList<>();
  private int classes;
  private int proven;
  private int harmful;
  private int needless;

  private static HarmlessClasses proof(Map<String, byte[]> files) throws Exception {
    Map<String, List<ClassReader>> readers = new TreeMap<>();
    files.forEach((name, bytes) -> readers.put(name, List.of(new ClassReader(bytes))));
    return HarmlessClasses.of(new JarClassFiles(readers, Set.of()), Set.of());
  }

  private static boolean isInterface(Verdict verdict, Map<String, byte[]> files) {
    return (new ClassReader(files.get(verdict.className().replace('.', '/'))).getAccess()
            & org.objectweb.asm.Opcodes.ACC_INTERFACE)
        != 0;
  }

  @Test
  void noMessageOfProvenClassesDoesHarm() throws Exception {
    for (long first = SEED; first < SEED + SOURCES; first += BATCH) {
      List<RandomSources.Source> sources = new ArrayList<>();
      for (long seed = first; seed < Math.min(first + BATCH, SEED + SOURCES); seed++) {
        sources.add(RandomSources.of(seed));
      }
      Map<String, Map<String, byte[]>> files = SourceWorlds.compile(sources);
      for (int i = 0; i < sources.size(); i++) {
        check(sources.get(i), files.get(sources.get(i).packageName()), first + i);
      }
    }
    System.out.printf(
        "%d sources from seed %d, %d classes: %d proven; of every %dth source %d harmful,"
            + " %d not proven though nothing was found %s%n",
        SOURCES, SEED, classes, proven, SAMPLED, harmful, needless, reasons);
    assertThat(wrong.stream().limit(5)).as("%d sources", wrong.size()).isEmpty();
    assertThat(proven).isGreaterThan(classes / 10);
  }

  private void check(RandomSources.Source source, Map<String, byte[]> files, long seed)
      throws Exception {
    HarmlessClasses harmless = proof(files);
    List<Verdict> verdicts =
        harmless.verdicts().stream().filter(verdict -> !isInterface(verdict, files)).toList();
    classes += verdicts.size();
    proven += (int) verdicts.stream().filter(Verdict::proven).count();
    HarmSearch search = new HarmSearch(files, source.layouts(), seed);
    Optional<String> found = search.find(harmless.names(), "", MESSAGES, false);
    if (found.isPresent()) {
      wrong.add("seed " + seed + ": " + found.get() + "\n" + source.text());
    }
    for (Verdict verdict : seed % SAMPLED == 0 ? verdicts : List.<Verdict>of()) {
      if (!verdict.proven()) {
        Set<String> more = new TreeSet<>(harmless.names());
        more.add(verdict.className());
        if (search.find(more, verdict.className(), FEWER_MESSAGES, true).isPresent()) {
          harmful++;
        } else {
          needless++;
          reasons.merge(ProofTable.kind(verdict.reason()), 1, Integer::sum);
        }
      }
    }
  }
}
