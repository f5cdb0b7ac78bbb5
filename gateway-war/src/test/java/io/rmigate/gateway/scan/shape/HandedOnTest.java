package io.rmigate.gateway.scan.shape;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.Externalizable;
import java.io.IOException;
import java.io.ObjectInput;
import java.io.ObjectInputStream;
import java.io.ObjectOutput;
import java.io.Serializable;
import java.rmi.server.ObjID;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassReader;

/** What byte code proves where a reader hands the stream on: to code that need not be what runs. */
@SuppressWarnings({"UnusedVariable", "UnusedMethod", "serial", "ThreadLocalUsage"})
class HandedOnTest {

  static class Lenient {
    static Object read(ObjectInput in) {
      try {
        return in.readObject();
      } catch (IOException | ClassNotFoundException none) {
        return "";
      }
    }
  }

  static class Strict0 {
    static Object read(ObjectInput in) throws IOException, ClassNotFoundException {
      return in.readObject();
    }
  }

  /** With one letter of its name changed it is the one above. */
  static class Strict1 {
    static Object read(ObjectInput in) throws ClassNotFoundException {
      return Lenient.read(in);
    }
  }

  abstract static class Own implements Serializable {
    int number;
    transient Object own;
  }

  static class ByStaticMethod extends Own {
    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      own = Strict0.read(in);
    }
  }

  static class ByFunction extends Own {
    static final Function<ObjectInputStream, Object> READER = Lenient::read;

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      own = READER.apply(in);
    }
  }

  public static class Part implements Externalizable {
    Object value;

    @Override
    public void writeExternal(ObjectOutput out) {}

    @Override
    public void readExternal(ObjectInput in) {
      value = Lenient.read(in);
    }
  }

  static class ByExternalizable extends Own {
    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      Externalizable part = new Part();
      part.readExternal(in);
    }
  }

  static class Codec {
    Object read(ObjectInputStream in) throws IOException, ClassNotFoundException {
      return in.readObject();
    }
  }

  static class LenientCodec extends Codec {
    @Override
    Object read(ObjectInputStream in) {
      return Lenient.read(in);
    }
  }

  static class ByCodec extends Own {
    static final Codec[] CODECS = {new Codec(), new LenientCodec()};

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      own = CODECS[number & 1].read(in);
    }
  }

  /** Of the same class, as far as the code says, but not the same object. */
  static class ByAnother extends Own {
    ByAnother next;

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      next.read(in);
    }

    void read(ObjectInputStream in) throws IOException, ClassNotFoundException {
      own = in.readObject();
    }
  }

  static class LenientNext extends ByAnother {
    @Override
    void read(ObjectInputStream in) {
      own = Lenient.read(in);
    }
  }

  static class ByJdksHolder extends Own {
    static final ThreadLocal<ObjectInputStream> HELD = new ThreadLocal<>();

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      HELD.set(in);
      own = Lenient.read(HELD.get());
    }
  }

  static class ByJdksHolderElsewhere extends Own {
    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      ByJdksHolder.HELD.set(in);
      own = next();
    }

    private static Object next() {
      return Lenient.read(ByJdksHolder.HELD.get());
    }
  }

  static class ByItsOwnHolder extends Own {
    static Object held;

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      hold(in);
      own = next();
    }

    private static void hold(Object any) {
      held = any;
    }

    static Object next() {
      return Lenient.read((ObjectInput) held);
    }
  }

  static class ByWhatIsHandedBack extends Own {
    static Object held;

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      held = same(in);
      own = next();
    }

    private static Object same(Object any) {
      return any;
    }

    private static Object next() {
      return Lenient.read((ObjectInput) held);
    }
  }

  static class ByAnotherStream extends Own {
    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      own = new ObjectInputStream(in).readObject();
    }
  }

  static class OfTheJdksPackages extends Own {
    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      own = Lenient.read(in);
    }
  }

  static class Honest extends Own {
    Codec[] codecs;

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      own = ObjID.read(Objects.requireNonNull(in));
      read(in);
      reread(in);
      new Final().read(in);
    }

    private void read(ObjectInputStream in) throws IOException, ClassNotFoundException {
      own = Strict0.read(in);
    }

    void reread(ObjectInputStream in) throws IOException, ClassNotFoundException {
      read(in);
    }
  }

  static class HonestSub extends Honest {
    void read(ObjectInputStream in) {
      Lenient.read(in); // overrides nothing: that one is private
    }
  }

  static final class Final extends Codec {
    @Override
    Object read(ObjectInputStream in) throws IOException, ClassNotFoundException {
      return super.read(in).hashCode() + in.readUTF();
    }
  }

  private static Reading readingOf(Class<?> type) throws IOException {
    return ReadObjectTest.shapeOf(type, Set.of()).reading();
  }

  @Test
  void whoHandsItToWhatRunsForCertainReadsAsDeclared() throws IOException {
    assertThat(readingOf(ByStaticMethod.class)).isEqualTo(Reading.AS_DECLARED);
    assertThat(readingOf(Honest.class)).isEqualTo(Reading.AS_DECLARED);
    assertThat(readingOf(HonestSub.class)).isEqualTo(Reading.AS_DECLARED);
  }

  @Test
  void whoHandsItToWhatTheApplicationImplementsIsUnproven() throws IOException {
    assertThat(readingOf(ByFunction.class)).isEqualTo(Reading.UNPROVEN);
    assertThat(readingOf(ByExternalizable.class)).isEqualTo(Reading.UNPROVEN);
  }

  @Test
  void whoHandsItToWhatIsOverriddenIsUnproven() throws IOException {
    assertThat(readingOf(ByCodec.class)).isEqualTo(Reading.UNPROVEN);
    assertThat(readingOf(ByAnother.class)).isEqualTo(Reading.UNPROVEN);
    assertThat(ReadObjectTest.shapeOf(ByCodec.class, Set.of(LenientCodec.class)).reading())
        .isEqualTo(Reading.AS_DECLARED);
    assertThat(ReadObjectTest.shapeOf(ByAnother.class, Set.of(LenientNext.class)).reading())
        .isEqualTo(Reading.AS_DECLARED);
  }

  @Test
  void whoLetsItBeKeptIsUnproven() throws IOException {
    assertThat(readingOf(ByJdksHolder.class)).isEqualTo(Reading.UNPROVEN);
    assertThat(readingOf(ByJdksHolderElsewhere.class)).isEqualTo(Reading.UNPROVEN);
    assertThat(readingOf(ByItsOwnHolder.class)).isEqualTo(Reading.UNPROVEN);
    assertThat(readingOf(ByWhatIsHandedBack.class)).isEqualTo(Reading.UNPROVEN);
  }

  /** What it reads stands in a block, in which the scanner looks for no objects. */
  @Test
  void whoMakesAnotherStreamOfItIsUnproven() throws IOException {
    assertThat(readingOf(ByAnotherStream.class)).isEqualTo(Reading.UNPROVEN);
  }

  @Test
  void aNameLikeThoseOfTheJdkProvesNothing() throws IOException {
    String lenient = Lenient.class.getName().replace('.', '/');
    Function<byte[], List<byte[]>> renamed =
        file -> List.of(renamed(file, lenient, lenient.replace("io/rmigate", "javax/acme")));
    assertThat(ReadObjectTest.shapeOf(OfTheJdksPackages.class, Set.of(), renamed).reading())
        .isEqualTo(Reading.UNPROVEN);
  }

  @Test
  void allVersionsOfAClassCount() throws IOException {
    String strict = Strict0.class.getName().replace('.', '/');
    String other = Strict1.class.getName().replace('.', '/');
    byte[] another = renamed(ReadObjectTest.find(other).orElseThrow(), other, strict);
    Function<byte[], List<byte[]>> both =
        file ->
            new ClassReader(file).getClassName().equals(strict)
                ? List.of(file, another)
                : List.of(file);
    assertThat(ReadObjectTest.shapeOf(ByStaticMethod.class, Set.of(), both).reading())
        .isEqualTo(Reading.UNPROVEN);
  }

  /** With a name that is as long. */
  private static byte[] renamed(byte[] file, String name, String another) {
    return new String(file, ISO_8859_1).replace(name, another).getBytes(ISO_8859_1);
  }
}
