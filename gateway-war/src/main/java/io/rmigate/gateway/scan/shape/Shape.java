package io.rmigate.gateway.scan.shape;

import io.rmigate.protocol.jrmp.ReadSequence;
import io.rmigate.protocol.jrmp.StreamClass;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The descriptor of one version of a class as that class itself writes it, and whether the class
 * reads what such a descriptor says. Taken from a class file; nothing is loaded.
 *
 * @param name as in {@link Class#getName}
 * @param form how its objects are written
 * @param serialVersionUid 0 for enums
 * @param fields in stream order: primitives before objects, each by name
 * @param superclass the name of the superclass if that is serializable, else empty
 * @param reader what its {@code readObject} or {@code readExternal} does
 * @param isOrdered whether the class itself says that it is {@code Comparable} with itself; not
 *     asked of classes of the JDK
 */
public record Shape(
    String name,
    Form form,
    long serialVersionUid,
    List<StreamClass.Field> fields,
    String superclass,
    Reader reader,
    boolean isOrdered) {

  /**
   * The {@code readObject} or {@code readExternal} of a class.
   *
   * @param reading what its byte code proves
   * @param sequence the reads of a {@code readExternal}, where its byte code shows them
   */
  public record Reader(Reading reading, Optional<ReadSequence> sequence) {}

  /** Its own list of fields. */
  public Shape {
    Objects.requireNonNull(name);
    fields = List.copyOf(fields);
  }

  /** A shape of a class for which the order of objects does not matter. */
  public Shape(
      String name,
      Form form,
      long serialVersionUid,
      List<StreamClass.Field> fields,
      String superclass,
      Reading reading) {
    this(
        name,
        form,
        serialVersionUid,
        fields,
        superclass,
        new Reader(reading, Optional.empty()),
        false);
  }

  /** How the objects of a class are written. */
  public enum Form {
    /** The declared fields and nothing else. */
    FIELDS(0x02),

    /**
     * The declared fields of a record; a receiver skips nothing behind them and runs no {@code
     * readObject}.
     */
    RECORD(0x02),

    /** The declared fields, then data of its own. */
    FIELDS_AND_OWN_DATA(0x03),

    /**
     * Bytes of its own: unframed in protocol 1, which the JDK writes messages of RMI in, and framed
     * in protocol 2, in which it writes what stands in a {@link java.rmi.MarshalledObject}, and we
     * the calls of web-service clients ({@code CallWriter}).
     */
    EXTERNAL(0x04) {
      @Override
      boolean mayHave(int flags) {
        return flags == 0x04 || flags == 0x0C;
      }
    },

    /** A name. */
    ENUM(0x12);

    private final int flags;

    Form(int flags) {
      this.flags = flags;
    }

    /** Whether an honest descriptor has these SC_ flags. */
    boolean mayHave(int descriptorFlags) {
      return flags == descriptorFlags;
    }
  }

  /**
   * Whether a descriptor is what this class writes; of its superclass only the name is compared.
   */
  public boolean matches(StreamClass descriptor) {
    return form.mayHave(descriptor.flags())
        && descriptor.serialVersionUid() == serialVersionUid
        && descriptor.declares(fields)
        && superclassMatches(descriptor);
  }

  public Reading reading() {
    return reader.reading();
  }

  public Optional<ReadSequence> sequence() {
    return reader.sequence();
  }

  Shape withReading(Reading other) {
    return with(new Reader(other, sequence()), isOrdered);
  }

  Shape withSequence(Optional<ReadSequence> other) {
    return with(new Reader(reading(), other), isOrdered);
  }

  Shape ordered() {
    return with(reader, true);
  }

  private Shape with(Reader other, boolean ordered) {
    return new Shape(name, form, serialVersionUid, fields, superclass, other, ordered);
  }

  private boolean superclassMatches(StreamClass descriptor) {
    return superclass.isEmpty()
        ? descriptor.superclass().isEmpty()
        : descriptor.superclass().filter(parent -> parent.isNamed(superclass)).isPresent();
  }
}
