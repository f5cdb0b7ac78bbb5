package io.rmigate.gateway.scan;

import java.io.ByteArrayInputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.Externalizable;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectInput;
import java.io.ObjectInputStream;
import java.io.ObjectOutput;
import java.util.ArrayList;
import java.util.List;

/** Externalizables whose byte code does not show where their data end. */
@SuppressWarnings({"serial", "UnusedVariable"})
final class UnclearExternals {
  static final List<Class<?>> ALL =
      List.of(
          Available.class,
          ByStatic.class,
          ByClassOfObject.class,
          ByNull.class,
          ByText.class,
          Cast.class,
          CatchesAndReads.class,
          LengthUnknown.class,
          LacksAConstant.class,
          LooksForAClass.class,
          OnOthersField.class,
          OwnLoop.class,
          Recursive.class,
          SetFromOutside.class,
          Skips.class,
          SingleRead.class,
          TwoTypes.class,
          CallsBack.class,
          HandlerReads.class,
          HelperMisses.class,
          Misses.class,
          ReadsBeforeItThrows.class,
          WrittenFromOtherStream.class);

  /** What they are made of. */
  static final List<Class<?>> HELPERS = List.of(Unknown.class, Part.class, LongPart.class);

  private UnclearExternals() {}

  /** Writes nothing. */
  abstract static class Unknown implements Externalizable {
    private static final long serialVersionUID = 1L;

    @Override
    public void writeExternal(ObjectOutput out) {}
  }

  public static final class Available extends Unknown {
    @Override
    public void readExternal(ObjectInput in) throws IOException {
      if (in.available() > 0) {
        in.readInt();
      }
    }
  }

  public static final class ByStatic extends Unknown {
    static int count;

    @Override
    public void readExternal(ObjectInput in) throws IOException {
      for (int i = 0; i < count; i++) {
        in.readInt();
      }
    }
  }

  public static final class ByClassOfObject extends Unknown {
    @Override
    public void readExternal(ObjectInput in) throws IOException, ClassNotFoundException {
      if (in.readObject() instanceof String) {
        in.readInt();
      }
    }
  }

  public static final class ByNull extends Unknown {
    @Override
    public void readExternal(ObjectInput in) throws IOException, ClassNotFoundException {
      if (in.readObject() != null) {
        in.readInt();
      }
    }
  }

  public static final class ByText extends Unknown {
    @Override
    public void readExternal(ObjectInput in) throws IOException {
      int count = in.readUTF().length();
      for (int i = 0; i < count; i++) {
        in.readInt();
      }
    }
  }

  public static final class Cast extends Unknown {
    @Override
    public void readExternal(ObjectInput in) throws IOException {
      ((ObjectInputStream) in).readInt();
    }
  }

  public static final class CatchesAndReads extends Unknown {
    @Override
    public void readExternal(ObjectInput in) throws IOException {
      String text = in.readUTF();
      try {
        Integer.parseInt(text);
      } catch (NumberFormatException noNumber) {
        in.readInt();
      }
    }
  }

  public static final class LengthUnknown extends Unknown {
    private byte[] bytes = {1, 2, 3};

    @Override
    public void readExternal(ObjectInput in) throws IOException {
      in.readFully(bytes);
    }
  }

  /** Where the class is missing there is a number more. */
  public static final class LacksAConstant extends Unknown {
    private Object value;

    @Override
    public void readExternal(ObjectInput in) throws IOException {
      Object read;
      try {
        read = Part.class;
      } catch (NoClassDefFoundError missing) {
        read = null;
        in.readInt();
      }
      value = read;
    }
  }

  /** Where that is missing the receiver stops in the middle. */
  public static final class LooksForAClass extends Unknown {
    @Override
    public void readExternal(ObjectInput in) throws IOException, ClassNotFoundException {
      Class.forName(in.readUTF());
      in.readInt();
    }
  }

  public static final class OnOthersField extends Unknown {
    private final Externals.Loop other = new Externals.Loop(3);

    @Override
    public void readExternal(ObjectInput in) throws IOException {
      other.numbers = new int[in.readInt()];
      for (int i = 0; i < other.numbers.length; i++) {
        in.readInt();
      }
    }
  }

  /** The number of rounds is not known. */
  public static final class OwnLoop extends Unknown {
    private List<Object> all = new ArrayList<>();

    @Override
    public void readExternal(ObjectInput in) throws IOException {
      int count = in.readInt();
      while (all.size() < count) {
        all.add(in.readInt());
      }
    }
  }

  public static final class Recursive extends Unknown {
    @Override
    public void readExternal(ObjectInput in) throws IOException {
      read(in, in.readInt());
    }

    private void read(ObjectInput in, int left) throws IOException {
      in.readInt();
      if (left > 0) {
        read(in, left - 1);
      }
    }
  }

  /** What it reads may set its field. */
  public static final class SetFromOutside extends Unknown {
    private int count;

    public void setCount(int count) {
      this.count = count;
    }

    @Override
    public void readExternal(ObjectInput in) throws IOException, ClassNotFoundException {
      count = in.readInt();
      for (int i = 0; i < count; i++) {
        in.readObject();
      }
    }
  }

  public static final class Skips extends Unknown {
    @Override
    public void readExternal(ObjectInput in) throws IOException {
      in.skip(3);
    }
  }

  public static final class SingleRead extends Unknown {
    @Override
    public void readExternal(ObjectInput in) throws IOException {
      while (in.read() > 0) {
        in.readByte();
      }
    }
  }

  static class Part {
    void read(ObjectInput in) throws IOException {
      in.readInt();
    }
  }

  static class LongPart extends Part {
    @Override
    void read(ObjectInput in) throws IOException {
      in.readLong();
    }
  }

  /** Which part it is only the object knows. */
  public static final class TwoTypes extends Unknown {
    private Part part = new LongPart();

    @Override
    public void readExternal(ObjectInput in) throws IOException {
      part.read(in);
    }
  }

  /** The field has another value when the text has been made. */
  public static final class CallsBack extends Unknown {
    private int count;

    @Override
    public void readExternal(ObjectInput in) throws IOException {
      count = in.readInt();
      Externals.note(String.valueOf(this).length());
      for (int i = 0; i < count; i++) {
        in.readInt();
      }
    }

    @Override
    public String toString() {
      count = 1;
      return "text";
    }
  }

  /** What it reads last may be an object that the bytes spell. */
  public static final class HandlerReads extends Unknown {
    @Override
    public void readExternal(ObjectInput in) throws IOException, ClassNotFoundException {
      Object read = in.readObject();
      try {
        Externals.note(((String) read).length());
      } catch (ClassCastException noText) {
        throw new InvalidObjectException("then " + in.readObject());
      }
      in.readFully(new byte[Externals.Fixed.BYTES]);
    }
  }

  /** Without the class of the object it reads no bytes behind that, but another object. */
  public static final class HelperMisses extends Unknown {
    private Object value;

    @Override
    public void readExternal(ObjectInput in) throws IOException, ClassNotFoundException {
      try {
        read(in);
      } catch (ClassNotFoundException absent) {
        value = null;
      }
      in.readObject();
    }

    private void read(ObjectInput in) throws IOException, ClassNotFoundException {
      value = in.readObject();
      in.readFully(new byte[Externals.Fixed.BYTES]);
    }
  }

  /** Without the class of an Externalizable it reads an integer of that one's data. */
  public static final class Misses extends Unknown {
    private Object value;

    @Override
    public void readExternal(ObjectInput in) throws IOException {
      try {
        value = in.readObject();
      } catch (ClassNotFoundException absent) {
        value = null;
      }
      in.readInt();
    }
  }

  /** What it reads last may be an object that the bytes spell. */
  public static final class ReadsBeforeItThrows extends Unknown {
    @Override
    public void readExternal(ObjectInput in) throws IOException, ClassNotFoundException {
      Object read = in.readObject();
      if (!(read instanceof String)) {
        throw new InvalidObjectException(read + " instead of a text, then " + in.readObject());
      }
      in.readFully(new byte[Externals.Fixed.BYTES]);
    }
  }

  /** The bytes that it has read are a stream of their own. */
  public static final class WrittenFromOtherStream extends Unknown {
    private int count;

    @Override
    public void readExternal(ObjectInput in) throws IOException, ClassNotFoundException {
      count = in.readInt();
      read(new DataInputStream(new ByteArrayInputStream(new byte[Integer.BYTES])));
      if (count == 0) {
        in.readObject();
      } else {
        in.readFully(new byte[Externals.Fixed.BYTES]);
      }
    }

    private void read(DataInput in) throws IOException {
      count = in.readInt();
    }
  }
}
