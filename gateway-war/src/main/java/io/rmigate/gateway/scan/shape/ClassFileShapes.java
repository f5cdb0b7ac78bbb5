package io.rmigate.gateway.scan.shape;

import io.rmigate.gateway.scan.shape.Shape.Form;
import io.rmigate.protocol.jrmp.StreamClass;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * Derives the {@link Shape} of a class from its file, as {@link java.io.ObjectStreamClass} does
 * from the loaded class (Java Object Serialization specification, sections 1.5, 1.12, 1.13 and 4.3
 * to 4.6). Confined to one thread.
 */
final class ClassFileShapes {
  private static final String OBJECT_OUTPUT = "(Ljava/io/ObjectOutputStream;)V";
  private static final String SUID = "serialVersionUID";
  private static final String FIELDS = "serialPersistentFields";
  private static final String FIELDS_TYPE = "[Ljava/io/ObjectStreamField;";
  private static final int CONSTANT = Opcodes.ACC_STATIC | Opcodes.ACC_FINAL;

  /** Serial fields as the JDK sorts them. */
  private static final Comparator<StreamClass.Field> STREAM_ORDER =
      Comparator.<StreamClass.Field, Boolean>comparing(field -> field.signature().length() > 1)
          .thenComparing(StreamClass.Field::name);

  private final ClassFiles files;
  private final Methods methods;
  private final MissingClasses missing;

  ClassFileShapes(ClassFiles files) {
    this.files = files;
    methods = new Methods(files);
    missing = new MissingClasses(methods);
  }

  /**
   * The shape of a class.
   *
   * @param name internal
   * @return empty for one that is not there, that has no objects which can be written, or whose
   *     serial form is computed in a way that its file does not show
   */
  Optional<Shape> of(String name) throws IOException {
    Optional<ClassReader> file = files.find(name);
    return file.isPresent() ? of(file.get()) : Optional.empty();
  }

  /** The shape of a class whose file is at hand. */
  Optional<Shape> of(ClassReader file) throws IOException {
    if ((file.getAccess() & Opcodes.ACC_INTERFACE) != 0
        || !files.isSerializable(file.getClassName())) {
      return Optional.empty();
    }
    ClassNode type = new ClassNode();
    file.accept(type, ClassReader.SKIP_FRAMES | ClassReader.SKIP_DEBUG);
    boolean external = files.isExternalizable(type.name);
    boolean record = "java/lang/Record".equals(type.superName);
    if (external && record) {
      return Optional.empty(); // flags say the one, and data are the other
    }
    if (files.isA(type.name, "java/lang/Enum")) {
      return Optional.of(shape(type, Form.ENUM, 0, List.of(), Reading.AS_DECLARED));
    }
    StaticValues constants = new StaticValues(type);
    Optional<Long> suid = suid(type, constants, record);
    if (external) {
      if (suid.isEmpty()) {
        return Optional.empty();
      }
      ReadObject.External result = ReadObject.ofExternal(methods, missing, type);
      Shape shape = shape(type, Form.EXTERNAL, suid.get(), List.of(), result.reading());
      boolean reads =
          result.reading() == Reading.AS_DECLARED
              && !result.looksForClasses()
              && !files.isOfPlatform(type.name);
      return Optional.of(reads ? shape.withSequence(Derivation.of(methods, type)) : shape);
    }
    Optional<List<StreamClass.Field>> fields =
        declares(type, FIELDS, FIELDS_TYPE, CONSTANT | Opcodes.ACC_PRIVATE) && !record
            ? constants.fields(FIELDS)
            : Optional.of(defaultFields(type));
    if (suid.isEmpty() || fields.isEmpty()) {
      return Optional.empty();
    }
    List<StreamClass.Field> sorted = fields.get().stream().sorted(STREAM_ORDER).toList();
    if (record) {
      return Optional.of(shape(type, Form.RECORD, suid.get(), sorted, Reading.AS_DECLARED));
    }
    boolean ownData = type.methods.stream().anyMatch(ClassFileShapes::isWriteObject);
    Form form = ownData ? Form.FIELDS_AND_OWN_DATA : Form.FIELDS;
    Reading reading = ReadObject.of(methods, missing, type, !sorted.isEmpty(), ownData);
    return Optional.of(shape(type, form, suid.get(), sorted, reading));
  }

  private Shape shape(
      ClassNode type, Form form, long suid, List<StreamClass.Field> fields, Reading reading)
      throws IOException {
    String superclass = files.isSerializable(type.superName) ? type.superName : "";
    return new Shape(
        type.name.replace('/', '.'), form, suid, fields, superclass.replace('/', '.'), reading);
  }

  private static Optional<Long> suid(ClassNode type, StaticValues constants, boolean record) {
    for (String signature : new String[] {"J", "I", "S", "C", "B"}) {
      if (declares(type, SUID, signature, CONSTANT)) {
        // The JDK accepts each integral type; an int field has the same value.
        return constants.number(SUID);
      }
    }
    return Optional.of(record ? 0 : DefaultSerialVersionUid.of(type));
  }

  private static boolean declares(ClassNode type, String name, String signature, int access) {
    return type.fields.stream()
        .anyMatch(
            field ->
                field.name.equals(name)
                    && field.desc.equals(signature)
                    && (field.access & access) == access);
  }

  private static List<StreamClass.Field> defaultFields(ClassNode type) {
    List<StreamClass.Field> fields = new ArrayList<>();
    for (FieldNode field : type.fields) {
      if ((field.access & (Opcodes.ACC_STATIC | Opcodes.ACC_TRANSIENT)) == 0) {
        fields.add(new StreamClass.Field(field.name, field.desc));
      }
    }
    return fields;
  }

  private static boolean isWriteObject(MethodNode method) {
    return method.name.equals("writeObject")
        && method.desc.equals(OBJECT_OUTPUT)
        && (method.access & Opcodes.ACC_STATIC) == 0
        && (method.access & Opcodes.ACC_PRIVATE) != 0;
  }
}
