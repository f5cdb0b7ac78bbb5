package io.rmigate.gateway.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.scan.shape.JarShapes;
import io.rmigate.gateway.scan.shape.Shape;
import io.rmigate.gateway.testing.SourceJar;
import io.rmigate.protocol.jrmp.CallBytes;
import io.rmigate.protocol.jrmp.Damage;
import io.rmigate.protocol.jrmp.MessageEnd;
import java.io.Externalizable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * T05: what is derived from {@code readExternal} ends where the real class stops reading, for any
 * input.
 */
class ReadSequencesTest {
  private static final long SEED = 20_261_127;
  private static final int HONEST = 100;
  private static final int DAMAGED = 20_000;

  private static Map<String, Shape> shapes() {
    return CorpusShapes.of(Externals.classes()).stream()
        .collect(Collectors.toMap(Shape::name, shape -> shape));
  }

  @Test
  void sequencesAreDerivedFromWhatTheStreamDecidesAlone() {
    Map<String, Shape> shapes = shapes();
    List<String> derived = new ArrayList<>();
    shapes.forEach((name, shape) -> shape.sequence().ifPresent(its -> derived.add(name)));
    assertThat(derived)
        .containsExactlyInAnyOrderElementsOf(
            Externals.DERIVED.keySet().stream().map(Class::getName).toList());
    assertThat(UnclearExternals.ALL).allMatch(type -> shapes.containsKey(type.getName()));
  }

  private static List<byte[]> honest(Random random) {
    List<byte[]> calls = new ArrayList<>();
    for (Function<Random, Externalizable> one : Externals.DERIVED.values()) {
      for (int i = 0; i < HONEST; i++) {
        Object value = one.apply(random);
        calls.add(CallBytes.callWith(i % 2 == 0 ? value : new Object[] {value, "behind", value}));
      }
    }
    return calls;
  }

  @Test
  void theJdkReadsHonestDataToTheSameEnd() {
    ScannerComparison comparison =
        new ScannerComparison(
            CorpusShapes.scannerOf(Externals.classes()),
            CorpusShapes.sequences(),
            new Random(SEED));
    List<byte[]> calls = honest(new Random(SEED));
    for (byte[] call : calls) {
      comparison.compare(call);
      assertThat(comparison.clean())
          .as("call %s", comparison.streams())
          .isEqualTo(comparison.streams());
      assertThat(comparison.accepted())
          .as("call %s", comparison.streams())
          .isEqualTo(comparison.streams());
    }
    assertThat(comparison.accepted()).isEqualTo(calls.size());
    assertThat(comparison.completeThoughForgotten()).isGreaterThan(calls.size() / 64);
  }

  @Test
  void theJdkReadsDamagedDataToTheSameEnd() {
    Random random = new Random(SEED);
    ScannerComparison comparison =
        new ScannerComparison(
            CorpusShapes.scannerOf(Externals.classes()), CorpusShapes.sequences(), random);
    List<byte[]> seeds = honest(random);
    for (int i = 0; i < DAMAGED; i++) {
      comparison.compare(Damage.of(seeds, random));
    }
    assertThat(comparison.clean()).isGreaterThan(DAMAGED / 25);
    assertThat(comparison.lacking()).isGreaterThan(DAMAGED / 50);
    assertThat(comparison.accepted()).isGreaterThan(DAMAGED / 50);
  }

  private static final String EXTERNAL =
      """
      package p;
      import java.io.*;
      public class E extends Base implements Externalizable {
        private static final long serialVersionUID = 1;
        public void writeExternal(ObjectOutput out) throws IOException {}
        public void readExternal(ObjectInput in) throws IOException { READ; readBase(in); }
      }
      """;

  private static final String BASE =
      """
      package p;
      import java.io.*;
      public class Base {
        void readBase(ObjectInput in) throws IOException { READ; }
      }
      """;

  private static Path jar(Path file, String external, String base) throws Exception {
    return new SourceJar(
            Map.of("p.E", EXTERNAL.replace("READ", external), "p.Base", BASE.replace("READ", base)))
        .write(file, any -> true);
  }

  private static boolean isDerived(Path... jars) throws Exception {
    List<Shape> shapes =
        JarShapes.of(List.of(jars)).shapes().stream()
            .filter(shape -> shape.name().equals("p.E"))
            .toList();
    assertThat(shapes).isNotEmpty();
    assertThat(shapes).extracting(Shape::sequence).containsOnly(shapes.get(0).sequence());
    return shapes.get(0).sequence().isPresent();
  }

  /** It is unknown which version runs. */
  @Test
  void allVersionsOfAClassAndOfWhatItCallsReadTheSame(@TempDir Path directory) throws Exception {
    Path one = jar(directory.resolve("1.jar"), "in.readInt()", "in.readUTF()");
    Path same = jar(directory.resolve("2.jar"), "in.readInt()", "in.readUTF()");
    Path other = jar(directory.resolve("3.jar"), "in.readLong()", "in.readUTF()");
    Path otherBase = jar(directory.resolve("4.jar"), "in.readInt()", "in.readInt()");
    assertThat(isDerived(one)).isTrue();
    assertThat(isDerived(one, same)).isTrue();
    assertThat(isDerived(one, other)).isFalse();
    assertThat(isDerived(one, otherBase)).isFalse();
  }

  /** What a call on the object itself runs is that of the version that the server has. */
  @Test
  void aFinalMethodIsLookedAtInEachVersionOfItsClass(@TempDir Path directory) throws Exception {
    String base =
        """
        package p;
        import java.io.*;
        public class Base {
          void start(ObjectInput in) throws IOException { readBase(in); }
          final void readBase(ObjectInput in) throws IOException { READ; }
        }
        """;
    String external = EXTERNAL.replace("READ; readBase(in);", "start(in);");
    List<Path> jars = new ArrayList<>();
    for (String read : List.of("in.readInt()", "in.readUTF()")) {
      Map<String, String> sources = Map.of("p.E", external, "p.Base", base.replace("READ", read));
      jars.add(new SourceJar(sources).write(directory.resolve(read), any -> true));
    }
    assertThat(isDerived(jars.get(0))).isTrue();
    assertThat(isDerived(jars.get(0), jars.get(0))).isTrue();
    assertThat(isDerived(jars.get(0), jars.get(1))).isFalse();
  }

  /** A JVM runs the method of the base class for objects of each subclass. */
  @Test
  void aMethodThatOverridesNothingIsNotTheOneThatRuns(@TempDir Path directory) throws Exception {
    String base =
        """
        package q;
        import java.io.*;
        public class Base {
          public static void start(Base base, ObjectInput in) throws IOException { base.read(in); }
          MODIFIER void read(ObjectInput in) throws IOException { in.readInt(); }
        }
        """;
    String external =
        """
        package p;
        import java.io.*;
        public class E extends q.Base implements Externalizable {
          private static final long serialVersionUID = 1;
          public void writeExternal(ObjectOutput out) throws IOException {}
          public void readExternal(ObjectInput in) throws IOException { start(this, in); }
          protected void read(ObjectInput in) throws IOException { in.readLong(); }
        }
        """;
    for (String modifier : List.of("", "private", "protected")) {
      Map<String, String> sources =
          Map.of("p.E", external, "q.Base", base.replace("MODIFIER", modifier));
      Path jar = new SourceJar(sources).write(directory.resolve("of" + modifier), any -> true);
      List<Integer> bytes =
          JarShapes.of(List.of(jar)).shapes().stream()
              .flatMap(shape -> shape.sequence().stream())
              .map(sequence -> (int) sequence.steps().get(0).constant())
              .toList();
      assertThat(bytes)
          .as(modifier)
          .isEqualTo(
              switch (modifier) {
                case "private" -> List.of(Integer.BYTES);
                case "protected" -> List.of(Long.BYTES);
                default -> List.of();
              });
    }
  }

  /** A wrong length would make the next argument something else. */
  @Test
  void aDescriptorThatIsNotTheJarsHasNoSequenceOfReads() {
    String name = Externals.Loop.class.getName();
    HandWritten call = HandWritten.call();
    call.object().descriptor(name, 2, 4, List.of()).nothing().data().int32(0).string("next");
    ScanResult result = CorpusShapes.scanner().request(call.toByteArray(), 0, call.length());
    assertThat(result.end())
        .isInstanceOfSatisfying(
            MessageEnd.Unparseable.class, end -> assertThat(end.externalizable()).contains(name));
    assertThat(result.findings())
        .extracting(Finding::kind)
        .containsExactly(Finding.Kind.SHAPE_MISMATCH);
  }
}
