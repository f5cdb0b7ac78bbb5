package io.rmigate.gateway.scan.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.rmigate.gateway.scan.proof.KnownChains.Chain;
import io.rmigate.gateway.scan.shape.JarClassFiles;
import io.rmigate.testing.Tier;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * T01: of the chains that are publicly known none gets through, though the libraries are configured
 * jars: each needs a class that is not proven. The short tier has those of a few libraries.
 */
@TestInstance(Lifecycle.PER_CLASS)
class KnownChainsIT {
  private static final int LEAST_CHAINS = 40;
  private static final long MOST_BYTES = 2 << 20;
  private static final long LARGE_BYTES = 3_400_000;

  /** Those of which several chains are made are analysed once. */
  private final Map<List<String>, HarmlessClasses> analysed = new HashMap<>();

  /** With {@code -Drmigate.test.chains.large=true} those of large libraries, too: minutes. */
  static Stream<Chain> chains() throws IOException {
    boolean large = Boolean.getBoolean("rmigate.test.chains.large");
    return KnownChains.all().stream()
        .filter(chain -> Tier.isFull() || chain.isThere())
        .filter(chain -> large || bytes(chain) < LARGE_BYTES);
  }

  private static long bytes(Chain chain) {
    return chain.files().stream().mapToLong(path -> path.toFile().length()).sum();
  }

  /** Those of several classes, in libraries that are read once more quickly. */
  static Stream<Chain> shortChains() throws IOException {
    return chains()
        .filter(
            chain ->
                chain.needed().size() > chain.sinks().size()
                    && !chain.sinks().isEmpty()
                    && bytes(chain) < MOST_BYTES);
  }

  private HarmlessClasses harmless(Chain chain) throws IOException {
    HarmlessClasses known = analysed.get(chain.jars());
    if (known == null) {
      known = HarmlessClasses.of(JarClassFiles.of(chain.files()), Set.of());
      analysed.put(chain.jars(), known);
    }
    return known;
  }

  private static void assumeThere(Chain chain) {
    assumeTrue(
        chain.isThere(), "the build has not brought " + chain.jars() + " (mvn verify -Pfull does)");
  }

  @Test
  void thereAreManyChains() throws IOException {
    List<Chain> all = KnownChains.all();
    assertThat(all).hasSizeGreaterThanOrEqualTo(LEAST_CHAINS);
    assertThat(all).extracting(Chain::name).doesNotHaveDuplicates();
    assertThat(chains()).hasSizeGreaterThan(10);
    if (Tier.isFull()) {
      assertThat(all).filteredOn(Chain::isThere).hasSizeGreaterThanOrEqualTo(LEAST_CHAINS);
    }
  }

  @ParameterizedTest
  @MethodSource("chains")
  void aClassThatItNeedsIsNotProven(Chain chain) throws IOException {
    assumeThere(chain);
    HarmlessClasses harmless = harmless(chain);
    Set<String> there = JarClassFiles.of(chain.files()).byName().keySet();
    assertThat(there)
        .as("the classes of the chain in its jars")
        .containsAll(chain.needed().stream().map(name -> name.replace('.', '/')).toList());
    assertThat(chain.needed()).as(chain.name()).anyMatch(name -> !harmless.has(name));
  }

  @ParameterizedTest
  @MethodSource("chains")
  void theClassThatDoesTheHarmFailsByItself(Chain chain) throws IOException {
    assumeThere(chain);
    HarmlessClasses harmless = harmless(chain);
    chain
        .sinks()
        .forEach(
            (name, words) -> {
              Verdict verdict = harmless.verdict(name);
              assertThat(verdict.proven()).as(name).isFalse();
              assertThat(verdict.reason()).as("%s: %s", name, verdict.path()).contains(words);
              assertThat(verdict.reason()).as(name).doesNotContain("no serializable class");
            });
  }

  /** Not even where the configuration permits what does the harm, which a jar does not have. */
  @ParameterizedTest
  @MethodSource("shortChains")
  void whatLeadsToAPermittedClassIsNotProvenEither(Chain chain) throws IOException {
    assumeThere(chain);
    HarmlessClasses harmless = harmless(chain);
    Set<String> sinks = chain.sinks().keySet();
    List<String> leading =
        chain.needed().stream()
            .filter(name -> !sinks.contains(name) && !harmless.has(name))
            .toList();
    HarmlessClasses without = HarmlessClasses.of(jarsWithout(sinks, chain.files()), sinks);
    assertThat(leading).as(chain.name()).noneMatch(without::has);
  }

  private static JarClassFiles jarsWithout(Set<String> names, List<Path> jars) throws IOException {
    JarClassFiles all = JarClassFiles.of(jars);
    JarClassFiles rest = new JarClassFiles(new TreeMap<>(all.byName()), all.damaged());
    names.forEach(name -> rest.byName().remove(name.replace('.', '/')));
    return rest;
  }
}
