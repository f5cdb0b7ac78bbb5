package io.rmigate.gateway.scan.shape;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.rmigate.protocol.jrmp.StreamClass.Field;
import java.io.Externalizable;
import java.io.IOException;
import java.io.ObjectInput;
import java.io.ObjectOutput;
import java.io.ObjectStreamClass;
import java.io.ObjectStreamField;
import java.io.OutputStream;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;

/** Shapes of application classes, from a jar. */
@SuppressWarnings({"GetClassOnEnum", "UnusedVariable", "UnusedMethod", "serial"})
class JarShapesTest {
  @TempDir Path directory;

  /** With members of all kinds, for its default serialVersionUID. */
  public abstract static class Account extends ArrayList<String> implements Comparable<Account> {
    static final List<String> ALL = new ArrayList<>();
    protected transient volatile int skipped;
    String name;
    int[] numbers;
    private long balance;
    char kind;

    protected Account(String name) {
      this.name = name;
    }

    private Account() {}

    @Override
    public int compareTo(Account other) {
      return 0;
    }

    abstract void touch(Account[] others);

    static synchronized void all(int more) {}
  }

  interface WithMethod extends Serializable {
    void method();
  }

  record Pair(String left, int right) implements Serializable {}

  enum Colour {
    RED {
      @Override
      int code() {
        return 1;
      }
    };

    abstract int code();
  }

  static class ByList implements Serializable {
    private static final long serialVersionUID = -2L;
    private static final ObjectStreamField[] serialPersistentFields = {
      new ObjectStreamField("b", String.class),
      new ObjectStreamField("a", Object[].class, true),
      new ObjectStreamField("z", boolean.class),
    };
  }

  static class Computed implements Serializable {
    private static final ObjectStreamField[] serialPersistentFields = fields();

    private static ObjectStreamField[] fields() {
      return new ObjectStreamField[0];
    }
  }

  public static class External implements Externalizable {
    @Override
    public void writeExternal(ObjectOutput out) {}

    @Override
    public void readExternal(ObjectInput in) {}
  }

  static class NotSerializable {}

  private static final List<Class<?>> CLASSES =
      List.of(
          Account.class,
          WithMethod.class,
          Pair.class,
          Colour.class,
          Colour.RED.getClass(),
          ByList.class,
          Computed.class,
          External.class,
          NotSerializable.class);

  private JarShapes shapes() throws IOException {
    return JarShapes.of(List.of(jarOf(directory.resolve("a.jar"), CLASSES)));
  }

  /** A jar of classes in the class path. */
  static Path jarOf(Path jar, List<Class<?>> classes) throws IOException {
    try (OutputStream out = Files.newOutputStream(jar);
        ZipOutputStream zip = new ZipOutputStream(out)) {
      for (Class<?> type : classes) {
        String name = type.getName().replace('.', '/');
        zip.putNextEntry(new ZipEntry(name + ".class"));
        zip.write(ReadObjectTest.find(name).orElseThrow());
      }
    }
    return jar;
  }

  private Shape shapeOf(Class<?> type) throws IOException {
    return shapes().shapes().stream()
        .filter(shape -> shape.name().equals(type.getName()))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void serialVersionUidIsThatOfTheJdk() throws IOException {
    for (Class<?> type : List.of(Account.class, Pair.class, ByList.class, External.class)) {
      assertThat(shapeOf(type).serialVersionUid())
          .as(type.getName())
          .isEqualTo(ObjectStreamClass.lookup(type).getSerialVersionUID());
    }
  }

  @Test
  void fieldsAreThoseOfTheJdkInItsOrder() throws IOException {
    for (Class<?> type : List.of(Account.class, Pair.class, ByList.class)) {
      List<Field> expected = new ArrayList<>();
      for (ObjectStreamField field : ObjectStreamClass.lookup(type).getFields()) {
        expected.add(new Field(field.getName(), field.getType().descriptorString()));
      }
      assertThat(shapeOf(type).fields()).as(type.getName()).isEqualTo(expected).isNotEmpty();
    }
  }

  @Test
  void theSuperclassMayBeOneOfTheJdk() throws IOException {
    assertThat(shapeOf(Account.class).superclass()).isEqualTo("java.util.ArrayList");
    assertThat(shapeOf(Colour.class).superclass()).isEqualTo("java.lang.Enum");
    assertThat(shapeOf(Pair.class).superclass()).isEmpty();
  }

  @Test
  void formIsHowObjectsAreWritten() throws IOException {
    assertThat(shapeOf(Account.class).form()).isEqualTo(Shape.Form.FIELDS);
    assertThat(shapeOf(Pair.class).form()).isEqualTo(Shape.Form.RECORD);
    assertThat(shapeOf(Colour.class).form()).isEqualTo(Shape.Form.ENUM);
    assertThat(shapeOf(External.class).form()).isEqualTo(Shape.Form.EXTERNAL);
  }

  @Test
  void whatIsComputedWhenTheClassIsLoadedStaysUnexplained() throws IOException {
    assertThat(shapes().unexplained()).containsExactly(Computed.class.getName());
  }

  @Test
  void whatHasNoObjectsHasNoShape() throws IOException {
    assertThat(shapes().shapes())
        .extracting(Shape::name)
        .isNotEmpty()
        .doesNotContain(WithMethod.class.getName(), NotSerializable.class.getName());
  }

  @Test
  void severalVersionsOfAClassHaveAShapeEach() throws IOException {
    Path jar = directory.resolve("b.jar");
    String name = Pair.class.getName().replace('.', '/');
    ClassWriter older = new ClassWriter(0);
    older.visit(
        Opcodes.V1_8, 0, name, null, "java/lang/Object", new String[] {"java/io/Serializable"});
    older.visitEnd();
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(jar))) {
      zip.putNextEntry(new ZipEntry("BOOT-INF/classes/" + name + ".class"));
      zip.write(older.toByteArray());
      zip.putNextEntry(new ZipEntry("META-INF/versions/17/" + name + ".class"));
      zip.write(ReadObjectTest.find(name).orElseThrow());
    }
    assertThat(JarShapes.of(List.of(jar)).shapes())
        .extracting(Shape::name, Shape::form)
        .containsExactlyInAnyOrder(
            tuple(Pair.class.getName(), Shape.Form.FIELDS),
            tuple(Pair.class.getName(), Shape.Form.RECORD));
  }

  @Test
  void aDamagedClassFileIsToldAndTheOthersAreRead() throws IOException {
    Path jar = directory.resolve("c.jar");
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(jar))) {
      zip.putNextEntry(new ZipEntry("x/Bad.class"));
      zip.write(new byte[] {1, 2, 3});
      zip.putNextEntry(new ZipEntry("x/Y.class"));
      zip.write(ReadObjectTest.find(Pair.class.getName().replace('.', '/')).orElseThrow());
    }
    JarShapes shapes = JarShapes.of(List.of(jar));
    assertThat(shapes.unexplained()).containsExactly("x/Bad.class");
    assertThat(shapes.shapes()).hasSize(1);
  }

  /** But for what is asked of classes of jars only: the order of its objects, and its reads. */
  @Test
  void aLineOfTheTableSaysAllOfAShape() throws IOException {
    for (Shape shape : shapes().shapes()) {
      Shape parsed = ShapeTable.parse(ShapeTable.line(shape)).withSequence(shape.sequence());
      assertThat(shape.isOrdered() ? parsed.ordered() : parsed).isEqualTo(shape);
    }
  }
}
