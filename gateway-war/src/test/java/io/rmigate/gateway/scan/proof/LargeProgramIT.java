package io.rmigate.gateway.scan.proof;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.testing.BuiltArtefacts;
import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.protocol.jrmp.StreamClass;
import io.rmigate.testing.Tier;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.analysis.Analyzer;

/**
 * The proof of ten thousand classes in a hundred jars, in a JVM that has no more than {@value
 * #HEAP}: each value of the program is proven, and no class that does harm. How long it took and
 * how much memory is printed.
 */
@Tag(Tier.FULL)
class LargeProgramIT {
  private static final String HEAP = "-Xmx256m";
  private static final Duration SOON = Duration.ofMinutes(5);
  private static final Pattern LINE =
      Pattern.compile("^proof (\\d+) jars (\\d+) classes (\\d+) proven (\\d+) ms (\\d+) MB$");

  @TempDir Path directory;

  @Test
  void tenThousandClassesAreProvenInLittleMemory() throws Exception {
    LargeProgram program = new LargeProgram(100, 100);
    program.write(directory);
    Path[] classPath =
        Stream.of(
                ProofSpeed.class,
                HarmlessClasses.class,
                StreamClass.class,
                ClassReader.class,
                ClassNode.class,
                Analyzer.class)
            .map(BuiltArtefacts::codeSource)
            .distinct()
            .toArray(Path[]::new);
    try (ChildJvm jvm =
        ChildJvm.named("proof", directory)
            .jvmOptions(HEAP)
            .classPath(classPath)
            .main(ProofSpeed.class.getName())
            .arguments(directory.toString())
            .start()) {
      Matcher line = jvm.awaitLine(LINE, SOON);
      System.out.println(line.group());
      assertThat(line.group(1)).isEqualTo("100");
      assertThat(line.group(2)).isEqualTo(Integer.toString(program.values() + program.harmful()));
      assertThat(line.group(3)).isEqualTo(Integer.toString(program.values()));
    }
  }
}
