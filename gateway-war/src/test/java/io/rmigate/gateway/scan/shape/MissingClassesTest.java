package io.rmigate.gateway.scan.shape;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * A {@code readObject} may be left by a {@link ClassNotFoundException}, and the JDK reads on: it
 * must not be while something is unread.
 */
@SuppressWarnings({"UnusedVariable", "UnusedMethod", "serial"})
class MissingClassesTest {

  static class Fields implements Serializable {
    long field;
    transient Object found;
  }

  static class LooksForAClass extends Fields {
    long own;

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      Class.forName("com.acme.Optional");
      in.defaultReadObject();
    }
  }

  static class LoadsAClass extends Fields {
    long own;

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      found = ClassLoader.getSystemClassLoader().loadClass("com.acme.Optional");
      in.defaultReadObject();
    }
  }

  static class SaysThatOneIsMissing extends Fields {
    long own;

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      if (found == null) {
        throw new ClassNotFoundException("com.acme.Optional");
      }
      in.defaultReadObject();
    }
  }

  static class Another extends ClassNotFoundException {}

  static class SaysSoInAnotherWay extends Fields {
    long own;

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      if (found == null) {
        throw new Another();
      }
      in.defaultReadObject();
    }
  }

  static class AsksSomebody extends Fields {
    long own;

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      found = Finder.find();
      in.defaultReadObject();
    }
  }

  static class Finder {
    static Object find() throws ClassNotFoundException {
      return Class.forName("com.acme.Optional");
    }

    static Object know() {
      return "known";
    }
  }

  static class AsksWhoeverThereIs extends Fields {
    static Callable<Object> finder = Object::new;
    long own;

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      try {
        found = finder.call();
      } catch (ClassNotFoundException e) {
        throw e;
      } catch (Exception e) {
        throw new IOException(e);
      }
      in.defaultReadObject();
    }
  }

  static class ThrowsItOn extends Fields {
    long own;

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      try {
        found = Class.forName("com.acme.Optional");
      } finally {
        field = 1;
      }
      in.defaultReadObject();
    }
  }

  static class CatchesIt extends Fields {
    long own;

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      try {
        found = Class.forName("com.acme.Optional");
      } catch (ClassNotFoundException | LinkageError absent) {
        found = null;
      }
      in.defaultReadObject();
    }
  }

  static class LetsItBeCaught extends Fields {
    long own;

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      found = optional();
      in.defaultReadObject();
    }

    private static Object optional() {
      try {
        return Class.forName("com.acme.Optional");
      } catch (ClassNotFoundException absent) {
        return null;
      }
    }
  }

  static class DoesOtherThingsFirst extends Fields {
    long own;

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      found = new ReentrantLock();
      if (Objects.equals(found, Finder.know())) {
        throw new InvalidObjectException("no lock");
      }
      in.defaultReadObject();
    }
  }

  static class ThrowsWhatItMayHave extends Fields {
    long own;

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      IOException problem = null;
      if (found != null) {
        problem = new InvalidObjectException("there already");
      }
      if (problem != null) {
        throw problem;
      }
      in.defaultReadObject();
    }
  }

  static class LooksAfterwards extends Fields {
    long own;

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      try {
        in.defaultReadObject();
      } finally {
        field = 1;
      }
      found = Class.forName("com.acme.Optional");
    }
  }

  static class HasNoFields extends Fields {
    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      found = Class.forName("com.acme.Optional");
      in.defaultReadObject();
    }
  }

  static class TakesAFailureForAMissingClass extends Fields {
    long own;

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      try {
        found = in.readObject();
      } catch (IOException e) {
        throw new ClassNotFoundException("com.acme.Optional", e);
      }
    }
  }

  static class LooksForAClassAfterAFailure extends Fields {
    long own;

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      try {
        found = in.readObject();
      } catch (IOException e) {
        try {
          found = Class.forName("com.acme.Optional");
        } catch (ClassNotFoundException absent) {
          throw absent;
        }
        throw e;
      }
    }
  }

  static class ThrowsAFailureOn extends Fields {
    long own;

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      try {
        in.defaultReadObject();
        found = in.readObject();
      } catch (IOException e) {
        IOException other = new InvalidObjectException(e.getMessage());
        other.initCause(e);
        throw other;
      } catch (Exception e) {
        throw e;
      }
    }
  }

  private static Reading readingOf(Class<?> type) throws IOException {
    return ReadObjectTest.shapeOf(type, Set.of()).reading();
  }

  @Test
  void whoMayMissAClassBeforeItsFieldsIsUnproven() throws IOException {
    assertThat(readingOf(LooksForAClass.class)).isEqualTo(Reading.UNPROVEN);
    assertThat(readingOf(LoadsAClass.class)).isEqualTo(Reading.UNPROVEN);
    assertThat(readingOf(SaysThatOneIsMissing.class)).isEqualTo(Reading.UNPROVEN);
    assertThat(readingOf(SaysSoInAnotherWay.class)).isEqualTo(Reading.UNPROVEN);
    assertThat(readingOf(AsksSomebody.class)).isEqualTo(Reading.UNPROVEN);
    assertThat(readingOf(AsksWhoeverThereIs.class)).isEqualTo(Reading.UNPROVEN);
    assertThat(readingOf(ThrowsItOn.class)).isEqualTo(Reading.UNPROVEN);
  }

  @Test
  void whoAsksSomebodyThatIsNotSeenIsUnproven() throws IOException {
    assertThat(readingOf(DoesOtherThingsFirst.class)).isEqualTo(Reading.AS_DECLARED);
    assertThat(ReadObjectTest.shapeOf(DoesOtherThingsFirst.class, Set.of(Finder.class)).reading())
        .isEqualTo(Reading.UNPROVEN);
  }

  /** As Kotlin's compiler, and others', have it. */
  @Test
  void whoSaysNothingOfWhatItThrowsIsLookedInto() throws IOException {
    assertThat(
            ReadObjectTest.shapeOf(
                    AsksSomebody.class, Set.of(), file -> List.of(withoutDeclarations(file)))
                .reading())
        .isEqualTo(Reading.UNPROVEN);
  }

  private static byte[] withoutDeclarations(byte[] file) {
    ClassReader reader = new ClassReader(file);
    if (!reader.getClassName().endsWith("Finder")) {
      return file;
    }
    ClassWriter writer = new ClassWriter(0);
    reader.accept(
        new ClassVisitor(Opcodes.ASM9, writer) {
          @Override
          public MethodVisitor visitMethod(
              int access, String name, String signature, String generic, String[] exceptions) {
            return super.visitMethod(access, name, signature, generic, null);
          }
        },
        0);
    return writer.toByteArray();
  }

  @Test
  void whoCatchesWhatIsMissingOrThrowsSomethingElseReadsAsDeclared() throws IOException {
    assertThat(readingOf(CatchesIt.class)).isEqualTo(Reading.AS_DECLARED);
    assertThat(readingOf(LetsItBeCaught.class)).isEqualTo(Reading.AS_DECLARED);
    assertThat(readingOf(ThrowsWhatItMayHave.class)).isEqualTo(Reading.AS_DECLARED);
  }

  @Test
  void whoMissesAClassWhenNothingIsUnreadReadsAsDeclared() throws IOException {
    assertThat(readingOf(LooksAfterwards.class)).isEqualTo(Reading.AS_DECLARED);
    assertThat(readingOf(HasNoFields.class)).isEqualTo(Reading.AS_DECLARED);
  }

  @Test
  void whoMayMissAClassAfterAFailureIsUnproven() throws IOException {
    assertThat(readingOf(TakesAFailureForAMissingClass.class)).isEqualTo(Reading.UNPROVEN);
    assertThat(readingOf(LooksForAClassAfterAFailure.class)).isEqualTo(Reading.UNPROVEN);
    assertThat(readingOf(ThrowsAFailureOn.class)).isEqualTo(Reading.AS_DECLARED);
  }
}
