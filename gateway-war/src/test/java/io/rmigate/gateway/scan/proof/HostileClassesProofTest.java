package io.rmigate.gateway.scan.proof;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.scan.shape.JarClassFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.objectweb.asm.ClassReader;

/**
 * Hostile classes, each of which was once called proven: none is. Each file of {@code
 * src/test/resources/hostile} is a program of its own, and its head lists those classes of it.
 */
@TestInstance(Lifecycle.PER_CLASS)
class HostileClassesProofTest {
  private static final Path SOURCES = Path.of("src/test/resources/hostile");
  private static final Pattern EXPECTED = Pattern.compile("^// {3}([\\w$]+)$");
  private static final int LEAST_REFUSED = 220;

  @TempDir static Path classes;

  @BeforeAll
  static void compile() throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    String[] arguments =
        Stream.concat(
                Stream.of("-nowarn", "-Xlint:none", "--release", "17", "-d", classes.toString()),
                programs().map(name -> SOURCES.resolve(name + ".java").toString()))
            .toArray(String[]::new);
    assertThat(compiler.run(null, null, null, arguments)).isZero();
  }

  static Stream<String> programs() throws IOException {
    try (Stream<Path> files = Files.list(SOURCES)) {
      return files
          .map(file -> file.getFileName().toString().replace(".java", ""))
          .sorted()
          .toList()
          .stream();
    }
  }

  private static Set<String> hostile(String program) throws IOException {
    Set<String> hostile = new TreeSet<>();
    for (String line : Files.readAllLines(SOURCES.resolve(program + ".java"), UTF_8)) {
      Matcher matcher = EXPECTED.matcher(line);
      if (matcher.matches()) {
        hostile.add(matcher.group(1));
      }
    }
    return hostile;
  }

  private static JarClassFiles files(String program) throws IOException {
    Map<String, List<ClassReader>> files = new TreeMap<>();
    Path directory = classes.resolve("hostile").resolve(program.toLowerCase(Locale.ROOT));
    try (Stream<Path> all = Files.list(directory)) {
      for (Path file : all.toList()) {
        ClassReader read = new ClassReader(Files.readAllBytes(file));
        files.put(read.getClassName(), List.of(read));
      }
    }
    return new JarClassFiles(files, Set.of());
  }

  @Test
  void thereAreMany() throws IOException {
    int all = 0;
    for (String program : programs().toList()) {
      all += hostile(program).size();
    }
    assertThat(all).isGreaterThanOrEqualTo(LEAST_REFUSED);
  }

  @ParameterizedTest
  @MethodSource("programs")
  void noneIsProven(String program) throws IOException {
    String prefix = "hostile." + program.toLowerCase(Locale.ROOT) + '.';
    HarmlessClasses harmless = HarmlessClasses.of(files(program), Set.of());
    assertThat(hostile(program)).isNotEmpty().noneMatch(name -> harmless.has(prefix + name));
    assertThat(harmless.verdicts())
        .extracting(Verdict::className)
        .containsAll(hostile(program).stream().map(prefix::concat).toList());
  }
}
