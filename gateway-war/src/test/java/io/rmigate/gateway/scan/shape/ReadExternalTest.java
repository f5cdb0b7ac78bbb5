package io.rmigate.gateway.scan.shape;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInput;
import java.io.EOFException;
import java.io.Externalizable;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectInput;
import java.io.ObjectInputStream;
import java.io.ObjectOutput;
import java.io.OptionalDataException;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What byte code proves about {@code readExternal}. */
@SuppressWarnings({"serial", "UnusedVariable"})
class ReadExternalTest {

  abstract static class Base implements Externalizable {
    Object value;

    @Override
    public void writeExternal(ObjectOutput out) throws IOException {
      out.writeObject(value);
    }
  }

  static class Plain extends Base {
    @Override
    public void readExternal(ObjectInput in) throws IOException, ClassNotFoundException {
      value = in.readObject();
    }
  }

  static class BySuper extends Plain {
    @Override
    public void readExternal(ObjectInput in) throws IOException, ClassNotFoundException {
      super.readExternal(Objects.requireNonNull(in));
    }
  }

  static class MissesAClass extends Base {
    @Override
    public void readExternal(ObjectInput in) throws IOException {
      try {
        value = in.readObject();
      } catch (ClassNotFoundException absent) {
        value = null;
      }
    }
  }

  static class ReadsOnInTheEnd extends Base {
    @Override
    public void readExternal(ObjectInput in) throws IOException, ClassNotFoundException {
      try {
        value = in.readObject();
      } catch (OptionalDataException older) {
        throw new InvalidObjectException("too old");
      } finally {
        in.readInt();
      }
    }
  }

  static class Refuses extends Base {
    @Override
    public void readExternal(ObjectInput in) {
      throw new UnsupportedOperationException();
    }
  }

  static class Swallows extends Base {
    @Override
    public void readExternal(ObjectInput in) throws IOException, ClassNotFoundException {
      try {
        value = in.readObject();
      } catch (OptionalDataException older) {
        value = null;
      }
    }
  }

  static class SwallowsTheEnd extends Base {
    @Override
    public void readExternal(ObjectInput in) throws IOException, ClassNotFoundException {
      try {
        value = in.readObject();
      } catch (EOFException older) {
        value = null;
      }
    }
  }

  static class SwallowsBySuper extends Swallows {
    @Override
    public void readExternal(ObjectInput in) throws IOException, ClassNotFoundException {
      super.readExternal(in);
    }
  }

  /** Is no Externalizable itself. */
  static class Reader {
    Object value;

    public void readExternal(ObjectInput in) throws ClassNotFoundException {
      value = Helper.read(in);
    }
  }

  static class Inherits extends Reader implements Externalizable {
    @Override
    public void writeExternal(ObjectOutput out) {}
  }

  abstract static class Template extends Base {
    @Override
    public void readExternal(ObjectInput in) throws IOException, ClassNotFoundException {
      read(in);
    }

    void read(ObjectInput in) throws IOException, ClassNotFoundException {
      value = in.readObject();
    }
  }

  static class FillsIn extends Template {}

  static class SwallowsInTemplate extends Template {
    @Override
    void read(ObjectInput in) throws ClassNotFoundException {
      value = Helper.read(in);
    }
  }

  static class Helper {
    static Object read(ObjectInput in) throws ClassNotFoundException {
      try {
        return in.readObject();
      } catch (IOException none) {
        return "";
      }
    }

    static int number(DataInput in) {
      try {
        return in.readInt();
      } catch (IOException none) {
        return 0;
      }
    }
  }

  static class Other {
    static Object read(ObjectInput in) throws IOException, ClassNotFoundException {
      return in.readObject();
    }
  }

  static class ReadsElsewhere extends Base {
    @Override
    public void readExternal(ObjectInput in) throws IOException, ClassNotFoundException {
      value = Other.read(in);
    }
  }

  static class SwallowsElsewhere extends Base {
    @Override
    public void readExternal(ObjectInput in) throws ClassNotFoundException {
      value = Helper.read(in);
    }
  }

  static class SwallowsAsData extends Base {
    @Override
    public void readExternal(ObjectInput in) {
      value = Helper.number(in);
    }
  }

  static class SwallowsWhatWasHandedBack extends Base {
    @Override
    public void readExternal(ObjectInput in) throws ClassNotFoundException {
      ObjectInputStream same = (ObjectInputStream) Objects.requireNonNull((Object) in);
      try {
        value = same.readObject();
      } catch (IOException none) {
        value = null;
      }
    }
  }

  interface Codec {
    Object read(ObjectInput in) throws IOException, ClassNotFoundException;
  }

  static class ByAnyCodec extends Base {
    static Codec codec = ObjectInput::readObject;

    @Override
    public void readExternal(ObjectInput in) throws IOException, ClassNotFoundException {
      value = codec.read(in);
    }
  }

  static class KeepsTheStream extends Base {
    ObjectInput kept;

    @Override
    public void readExternal(ObjectInput in) {
      kept = in;
    }
  }

  private static Reading readingOf(Class<?> type) throws IOException {
    return ReadObjectTest.shapeOf(type, Set.of()).reading();
  }

  @Test
  void whoLeavesFailuresToTheStreamReadsAsDeclared() throws IOException {
    assertThat(readingOf(Plain.class)).isEqualTo(Reading.AS_DECLARED);
    assertThat(readingOf(BySuper.class)).isEqualTo(Reading.AS_DECLARED);
    assertThat(readingOf(FillsIn.class)).isEqualTo(Reading.AS_DECLARED);
    assertThat(readingOf(MissesAClass.class)).isEqualTo(Reading.AS_DECLARED);
  }

  @Test
  void whoReadsOnAfterAFailureIsUnproven() throws IOException {
    assertThat(readingOf(Swallows.class)).isEqualTo(Reading.UNPROVEN);
    assertThat(readingOf(SwallowsTheEnd.class)).isEqualTo(Reading.UNPROVEN);
    assertThat(readingOf(ReadsOnInTheEnd.class)).isEqualTo(Reading.UNPROVEN);
  }

  @Test
  void whoLetsAnotherMethodReadOnIsUnproven() throws IOException {
    assertThat(readingOf(SwallowsBySuper.class)).isEqualTo(Reading.UNPROVEN);
    assertThat(readingOf(Inherits.class)).isEqualTo(Reading.UNPROVEN);
    assertThat(readingOf(SwallowsInTemplate.class)).isEqualTo(Reading.UNPROVEN);
    assertThat(readingOf(SwallowsElsewhere.class)).isEqualTo(Reading.UNPROVEN);
    assertThat(readingOf(SwallowsAsData.class)).isEqualTo(Reading.UNPROVEN);
  }

  @Test
  void whoHandsTheStreamToWhatIsNotSeenIsUnproven() throws IOException {
    assertThat(readingOf(SwallowsWhatWasHandedBack.class)).isEqualTo(Reading.UNPROVEN);
    assertThat(readingOf(ByAnyCodec.class)).isEqualTo(Reading.UNPROVEN);
    assertThat(readingOf(KeepsTheStream.class)).isEqualTo(Reading.UNPROVEN);
    assertThat(readingOf(ReadsElsewhere.class)).isEqualTo(Reading.AS_DECLARED);
    assertThat(ReadObjectTest.shapeOf(ReadsElsewhere.class, Set.of(Other.class)).reading())
        .isEqualTo(Reading.UNPROVEN);
  }

  /** Their objects may be of subclasses that do read. */
  @Test
  void whoReadsNothingMayBeASuperclass() throws IOException {
    assertThat(readingOf(Base.class)).isEqualTo(Reading.AS_DECLARED);
    assertThat(readingOf(Refuses.class)).isEqualTo(Reading.AS_DECLARED);
  }
}
