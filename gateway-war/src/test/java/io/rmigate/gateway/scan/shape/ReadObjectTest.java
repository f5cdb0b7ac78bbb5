package io.rmigate.gateway.scan.shape;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.InvalidObjectException;
import java.io.ObjectInput;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.OptionalDataException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassReader;

/** What byte code proves about {@code readObject}. */
@SuppressWarnings({"UnusedVariable", "UnusedMethod", "serial"})
class ReadObjectTest {

  static class Plain implements Serializable {
    int field;
  }

  static class FieldsFirst extends Plain {
    String own;

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.registerValidation(null, 0);
      in.defaultReadObject();
      own = in.readUTF() + in.readObject();
    }
  }

  static class FieldsByName extends Plain {
    String own;

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      ObjectInputStream.GetField fields = in.readFields();
      own = (String) fields.get("own", "");
    }
  }

  static class FieldsOnBothPaths extends Plain {
    long own;

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      if (own == 0) {
        in.defaultReadObject();
      } else {
        in.readFields();
      }
    }
  }

  static class ObjectBeforeFields extends Plain {
    Object own;

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      own = in.readObject();
      in.defaultReadObject();
    }
  }

  static class FieldsOnOnePath extends Plain {
    long own;

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      if (own != 0) {
        in.defaultReadObject();
      }
    }
  }

  static class FieldsNever extends Plain {
    long own;

    private void readObject(ObjectInputStream in) {
      own = 1;
    }
  }

  static class StreamGivenAwayBeforeFields extends Plain {
    long own;

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      Callable<Object> later = in::readObject;
      own = later.hashCode();
      in.defaultReadObject();
    }
  }

  static class ReadsOnAfterFailure extends Plain {
    Object own;

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      try {
        own = in.readObject();
      } catch (OptionalDataException older) {
        own = null;
      }
    }
  }

  static class ReadsOnAfterFailureElsewhere extends Plain {
    Object own;

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      own = read(in);
    }

    private static Object read(ObjectInputStream in) throws ClassNotFoundException {
      try {
        return in.readObject();
      } catch (IOException none) {
        return "";
      }
    }
  }

  static class Ancestor implements Serializable {
    Object value;

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      read(in);
    }

    void read(ObjectInputStream in) throws IOException, ClassNotFoundException {
      value = in.readObject();
    }
  }

  static class OverridesWhatItsAncestorCalls extends Ancestor {
    @Override
    void read(ObjectInputStream in) throws ClassNotFoundException {
      try {
        super.read(in);
      } catch (IOException none) {
        value = "";
      }
    }
  }

  static class GivesALambdaAway extends Plain {
    Object own;

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      own = quietly(() -> in.readObject());
    }

    private static Object quietly(Callable<Object> reading) {
      try {
        return reading.call();
      } catch (Exception none) {
        return "";
      }
    }
  }

  static class ReadsOnWithWhatWasHandedBack extends Plain {
    Object own;

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      ObjectInput same = checked(in);
      try {
        own = same.readObject();
      } catch (IOException none) {
        own = "";
      }
    }

    private static ObjectInput checked(ObjectInput in) {
      return in;
    }
  }

  static class ReadsNatively extends Plain {
    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      read(in);
    }

    private native void read(ObjectInputStream in);
  }

  static class ReadsOnAfterFailureInLambda extends Plain {
    Object own;

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      Callable<Object> reading = () -> in.readObject();
      try {
        own = reading.call();
      } catch (Exception none) {
        own = "";
      }
    }
  }

  static class FailsAfterFailure extends Plain {
    Object own;

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      try {
        in.defaultReadObject();
        own = in.readObject();
      } catch (RuntimeException e) {
        throw new InvalidObjectException(e.toString());
      } finally {
        field = 1;
      }
    }
  }

  static class MissesAClass extends Plain {
    Object own;

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      try {
        own = in.readObject();
      } catch (ClassNotFoundException absent) {
        own = null;
      }
    }
  }

  static class Refuses extends Plain {
    long own;

    private void readObject(ObjectInputStream in) throws InvalidObjectException {
      throw new InvalidObjectException("proxy required");
    }
  }

  static class OwnDataWithoutFields extends Plain {
    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.readObject();
    }

    private void writeObject(ObjectOutputStream out) throws IOException {
      out.writeObject("x");
    }
  }

  /** Nothing in the stream says where these data end. */
  static class UnframedOwnData extends Plain {
    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.readObject();
    }
  }

  /**
   * By its file, in a jar with those of the test that it is in.
   *
   * @param absent of which there are no files
   */
  static Shape shapeOf(Class<?> type, Set<Class<?>> absent) throws IOException {
    return shapeOf(type, absent, List::of);
  }

  /**
   * The shape by the class's file, in a jar with those of the test that it is in.
   *
   * @param versions what the jars have in place of a file
   */
  static Shape shapeOf(Class<?> type, Set<Class<?>> absent, Function<byte[], List<byte[]>> versions)
      throws IOException {
    Map<String, List<ClassReader>> jars = new TreeMap<>();
    for (Class<?> member : type.getNestHost().getNestMembers()) {
      if (!absent.contains(member)) {
        for (byte[] file : versions.apply(find(member.getName().replace('.', '/')).orElseThrow())) {
          ClassReader read = new ClassReader(file);
          jars.computeIfAbsent(read.getClassName(), name -> new ArrayList<>()).add(read);
        }
      }
    }
    ClassFiles files = new ClassFiles(jars, name -> ofJdk(name).map(ClassReader::new));
    return new ClassFileShapes(files).of(type.getName().replace('.', '/')).orElseThrow();
  }

  private static Optional<byte[]> ofJdk(String name) throws IOException {
    return find(ClassLoader.getPlatformClassLoader(), name);
  }

  static Optional<byte[]> find(String name) throws IOException {
    return find(ReadObjectTest.class.getClassLoader(), name);
  }

  private static Optional<byte[]> find(ClassLoader loader, String name) throws IOException {
    try (InputStream in = loader.getResourceAsStream(name + ".class")) {
      return in == null ? Optional.empty() : Optional.of(in.readAllBytes());
    }
  }

  private static Reading readingOf(Class<?> type) throws IOException {
    return shapeOf(type, Set.of()).reading();
  }

  @Test
  void whoReadsTheFieldsFirstOnEveryPathReadsAsDeclared() throws IOException {
    assertThat(readingOf(Plain.class)).isEqualTo(Reading.AS_DECLARED);
    assertThat(readingOf(FieldsFirst.class)).isEqualTo(Reading.AS_DECLARED);
    assertThat(readingOf(FieldsByName.class)).isEqualTo(Reading.AS_DECLARED);
    assertThat(readingOf(FieldsOnBothPaths.class)).isEqualTo(Reading.AS_DECLARED);
  }

  @Test
  void whoMayReadSomethingElseFirstIsUnproven() throws IOException {
    assertThat(readingOf(ObjectBeforeFields.class)).isEqualTo(Reading.UNPROVEN);
    assertThat(readingOf(StreamGivenAwayBeforeFields.class)).isEqualTo(Reading.UNPROVEN);
  }

  @Test
  void whoMayLeaveTheFieldsIsUnproven() throws IOException {
    assertThat(readingOf(FieldsOnOnePath.class)).isEqualTo(Reading.UNPROVEN);
    assertThat(readingOf(FieldsNever.class)).isEqualTo(Reading.UNPROVEN);
  }

  @Test
  void whoReadsOnAfterAFailureIsUnproven() throws IOException {
    assertThat(readingOf(ReadsOnAfterFailure.class)).isEqualTo(Reading.UNPROVEN);
    assertThat(readingOf(ReadsOnAfterFailureElsewhere.class)).isEqualTo(Reading.UNPROVEN);
    assertThat(readingOf(ReadsOnAfterFailureInLambda.class)).isEqualTo(Reading.UNPROVEN);
    assertThat(readingOf(ReadsOnWithWhatWasHandedBack.class)).isEqualTo(Reading.UNPROVEN);
  }

  @Test
  void whoseCodeForTheStreamRunsWhereNobodySeesItIsUnproven() throws IOException {
    assertThat(readingOf(Ancestor.class)).isEqualTo(Reading.AS_DECLARED);
    assertThat(readingOf(OverridesWhatItsAncestorCalls.class)).isEqualTo(Reading.UNPROVEN);
    assertThat(readingOf(GivesALambdaAway.class)).isEqualTo(Reading.UNPROVEN);
    assertThat(readingOf(ReadsNatively.class)).isEqualTo(Reading.UNPROVEN);
  }

  @Test
  void whoFailsAfterAFailureOrOnlyMissesAClassReadsAsDeclared() throws IOException {
    assertThat(readingOf(FailsAfterFailure.class)).isEqualTo(Reading.AS_DECLARED);
    assertThat(readingOf(MissesAClass.class)).isEqualTo(Reading.AS_DECLARED);
  }

  @Test
  void whoNeverReturnsRefuses() throws IOException {
    assertThat(readingOf(Refuses.class)).isEqualTo(Reading.REFUSED);
  }

  @Test
  void ownDataWithoutFieldsAreProvenOnlyWithAnEnd() throws IOException {
    assertThat(readingOf(OwnDataWithoutFields.class)).isEqualTo(Reading.AS_DECLARED);
    assertThat(readingOf(UnframedOwnData.class)).isEqualTo(Reading.UNPROVEN);
  }
}
