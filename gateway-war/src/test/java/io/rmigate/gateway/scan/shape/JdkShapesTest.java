package io.rmigate.gateway.scan.shape;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.protocol.jrmp.MessageEnd;
import io.rmigate.protocol.jrmp.MessageGrammar;
import io.rmigate.protocol.jrmp.StreamClass;
import io.rmigate.protocol.jrmp.StreamObserver;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The table against the JDK that runs the test; the build runs on more than one. */
class JdkShapesTest {
  private static final List<Shape> TABLE = Shapes.ofJdk().all();

  private static final String STALE =
      "of JDK %s jdk-shapes.txt does not know all, so that what its programs send is refused:"
              .formatted(System.getProperty("java.version"))
          + " read what is different, and add it by gateway-war/shapes "
          + System.getProperty("java.home");

  /** Descriptors as this JDK writes them, not as the table says. */
  @Test
  void everyClassOfThisJdkIsWrittenAsOneOfItsShapes() throws IOException {
    Set<String> names =
        TABLE.stream().map(Shape::name).collect(Collectors.toCollection(TreeSet::new));
    int found = 0;
    Set<String> different = new TreeSet<>();
    for (String name : names) {
      Class<?> type = classOf(name);
      if (type == null || ObjectStreamClass.lookup(type) == null) {
        continue; // of another release
      }
      found++;
      for (StreamClass descriptor : descriptorsOf(type)) {
        if (Shapes.ofJdk().of(descriptor).stream().noneMatch(shape -> shape.matches(descriptor))) {
          different.add(descriptor.name());
        }
      }
    }
    assertThat(different).as(STALE).isEmpty();
    assertThat(found).isGreaterThan(500);
  }

  private static Class<?> classOf(String name) {
    try {
      return Class.forName(name, false, JdkShapesTest.class.getClassLoader());
    } catch (ClassNotFoundException ofAnotherRelease) {
      return null;
    }
  }

  private static List<StreamClass> descriptorsOf(Class<?> type) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(type);
    }
    List<StreamClass> descriptors = new ArrayList<>();
    StreamObserver observer =
        new StreamObserver() {
          @Override
          public void onClassDescriptor(StreamClass descriptor) {
            descriptors.add(descriptor);
          }
        };
    byte[] stream = bytes.toByteArray();
    assertThat(MessageGrammar.endOfStream(stream, 0, stream.length, observer))
        .isEqualTo(new MessageEnd.Complete(stream.length));
    return descriptors;
  }

  /** Fails when the tool, or the list of classes, has changed and the table was not made again. */
  @Test
  void theTableHoldsWhatTheToolMakesOfThisJdk() throws IOException {
    List<String> made = lines(out -> JdkShapes.print(THIS_JDK, out));
    assertThat(made).hasSizeGreaterThan(600);
    made.removeAll(table());
    assertThat(made).as(STALE).isEmpty();
  }

  /** Of releases that are not there nothing is lost. */
  @Test
  void whatIsAddedToTheTableTakesNothingFromIt() throws IOException {
    assertThat(lines(out -> JdkShapes.printWithTable(THIS_JDK, out))).isEqualTo(table());
    assertThat(lines(out -> JdkShapes.printWithTable(List.of(), out))).isEqualTo(table());
  }

  private static final List<String> THIS_JDK = List.of(System.getProperty("java.home"));

  private interface Making {
    void to(PrintStream out) throws IOException;
  }

  private static List<String> lines(Making making) throws IOException {
    ByteArrayOutputStream made = new ByteArrayOutputStream();
    making.to(new PrintStream(made, false, StandardCharsets.UTF_8));
    return made.toString(StandardCharsets.UTF_8)
        .lines()
        .filter(line -> !line.startsWith("#"))
        .collect(Collectors.toCollection(ArrayList::new));
  }

  private static List<String> table() {
    return TABLE.stream().map(ShapeTable::line).toList();
  }

  @Test
  void everyClassOfTheListHasAShape() throws IOException {
    Set<String> names = TABLE.stream().map(Shape::name).collect(Collectors.toSet());
    assertThat(JdkShapes.names())
        .doesNotHaveDuplicates()
        .allSatisfy(n -> assertThat(names).contains(n));
  }

  /**
   * One more is one more to be read by us: see {@code SerialDataLayout} for what is known of this
   * one.
   */
  @Test
  void onlyCalendarIsUnproven() {
    assertThat(TABLE)
        .filteredOn(shape -> shape.reading() == Reading.UNPROVEN)
        .extracting(Shape::name)
        .containsOnly("java.util.Calendar");
  }

  @Test
  void whatRunsCodeOfTheSendersChoiceHasNoShape() {
    assertThat(TABLE)
        .extracting(Shape::name)
        .doesNotContain(
            "java.lang.invoke.SerializedLambda",
            "java.security.SecureRandom",
            "javax.naming.Reference",
            "java.rmi.server.UnicastRemoteObject",
            "java.security.SignedObject",
            "javax.crypto.SealedObject",
            "javax.management.BadAttributeValueExpException",
            "sun.reflect.annotation.AnnotationInvocationHandler");
  }
}
