package io.rmigate.gateway.scan;

import java.io.DataInput;
import java.io.DataInputStream;
import java.io.Externalizable;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectInput;
import java.io.ObjectOutput;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.Function;

/**
 * Externalizables as applications write them, with what makes one of each at random. Their byte
 * code shows where their data end; that of {@link UnclearExternals} does not.
 */
@SuppressWarnings({"serial", "UnusedVariable", "StatementSwitchToExpressionSwitch"})
final class Externals {
  /** Makes one of each. */
  static final Map<Class<?>, Function<Random, Externalizable>> DERIVED = new LinkedHashMap<>();

  static {
    DERIVED.put(Straight.class, r -> new Straight(r));
    DERIVED.put(Branch.class, r -> new Branch(r.nextInt(3)));
    DERIVED.put(Choice.class, r -> new Choice(r.nextInt(5)));
    DERIVED.put(Loop.class, r -> new Loop(r.nextInt(5)));
    DERIVED.put(CountsDown.class, r -> new CountsDown(r.nextInt(5)));
    DERIVED.put(Nested.class, r -> new Nested(r));
    DERIVED.put(Chain.class, r -> Chain.of(r.nextInt(6)));
    DERIVED.put(Helpers.class, r -> new Helpers(r.nextInt(4)));
    DERIVED.put(Child.class, r -> new Child(r.nextInt(4)));
    DERIVED.put(Inheriting.class, r -> new Inheriting(r.nextInt(4)));
    DERIVED.put(Filled.class, r -> new Filled(r.nextInt(300)));
    DERIVED.put(FilledField.class, r -> new FilledField(r.nextInt(30)));
    DERIVED.put(Elements.class, r -> new Elements(r.nextInt(6)));
    DERIVED.put(Optional.class, r -> new Optional(r.nextBoolean()));
    DERIVED.put(Texts.class, r -> new Texts(r.nextInt(4)));
    DERIVED.put(Parts.class, r -> new Parts(r));
    DERIVED.put(Table.class, r -> new Table(r.nextInt(6)));
    DERIVED.put(Masked.class, r -> new Masked(r.nextInt(8)));
    DERIVED.put(Marked.class, r -> new Marked(r.nextInt(4)));
    DERIVED.put(Checked.class, r -> new Checked(r.nextInt(4)));
    DERIVED.put(Dispatching.class, r -> new Dispatching(r.nextInt(3)));
    DERIVED.put(Ternary.class, r -> new Ternary(r.nextInt(3)));
    DERIVED.put(Locked.class, r -> new Locked(r.nextInt(3)));
    DERIVED.put(LastArray.class, r -> new LastArray(r.nextInt(4), r.nextInt(4)));
    DERIVED.put(Empty.class, r -> new Empty());
    DERIVED.put(Idle.class, r -> new Idle(r.nextInt(20)));
    DERIVED.put(Blob.class, r -> new Blob(any(r.nextInt(4)), new byte[r.nextInt(9)]));
    DERIVED.put(Fixed.class, r -> new Fixed());
    DERIVED.put(Trailing.class, r -> new Trailing(any(r.nextInt(4))));
    DERIVED.put(Held.class, r -> new Held(any(r.nextInt(4))));
  }

  private Externals() {}

  static void note(int number) {
    assert number > Integer.MIN_VALUE;
  }

  /** Something that may stand in one: null, a text, a list, another one. */
  private static Object any(int kind) {
    return switch (kind % 5) {
      case 0 -> null;
      case 1 -> "text" + kind;
      case 2 -> new ArrayList<>(List.of(kind, "element"));
      case 3 -> new int[] {kind, kind};
      default -> new Loop(2);
    };
  }

  /** All primitives, and a text. */
  public static final class Straight implements Externalizable {
    private static final long serialVersionUID = 1L;
    private long seed;

    public Straight() {}

    Straight(Random random) {
      seed = random.nextLong();
    }

    @Override
    public void writeExternal(ObjectOutput out) throws IOException {
      out.writeBoolean(seed > 0);
      out.writeByte((int) seed);
      out.writeShort((int) seed);
      out.writeChar((int) seed);
      out.writeInt((int) seed);
      out.writeLong(seed);
      out.writeFloat((float) seed);
      out.writeDouble((double) seed);
      out.writeUTF(Long.toString(seed));
    }

    @Override
    public void readExternal(ObjectInput in) throws IOException {
      in.readBoolean();
      in.readByte();
      in.readShort();
      in.readChar();
      in.readInt();
      seed = in.readLong();
      in.readFloat();
      in.readDouble();
      in.readUTF();
    }
  }

  /** Versions of its form. */
  public static final class Branch implements Externalizable {
    private static final long serialVersionUID = 1L;
    private int version;

    public Branch() {}

    Branch(int version) {
      this.version = version;
    }

    @Override
    public void writeExternal(ObjectOutput out) throws IOException {
      out.writeByte(version);
      out.writeInt(7);
      if (version >= 1) {
        out.writeUTF("one");
      }
      if (version == 2) {
        out.writeObject("two");
      }
    }

    @Override
    public void readExternal(ObjectInput in) throws IOException, ClassNotFoundException {
      int read = in.readByte();
      if (read > 2) {
        throw new InvalidObjectException("version " + read);
      }
      in.readInt();
      if (read >= 1) {
        in.readUTF();
      }
      if (read == 2) {
        in.readObject();
      }
      version = read;
    }
  }

  public static final class Choice implements Externalizable {
    private static final long serialVersionUID = 1L;
    private int kind;

    public Choice() {}

    Choice(int kind) {
      this.kind = kind;
    }

    @Override
    public void writeExternal(ObjectOutput out) throws IOException {
      out.writeByte(kind);
      switch (kind) {
        case 0 -> out.writeByte(0);
        case 1 -> out.writeInt(0);
        case 2 -> out.writeLong(0);
        default -> out.writeUTF("");
      }
      out.writeShort(1);
    }

    @Override
    public void readExternal(ObjectInput in) throws IOException {
      kind = in.readUnsignedByte();
      switch (kind) {
        case 0:
          in.readByte();
          break;
        case 1:
          in.readInt();
          break;
        case 2:
          in.readLong();
          break;
        default:
          in.readUTF();
      }
      in.readUnsignedShort();
    }
  }

  public static final class Loop implements Externalizable {
    private static final long serialVersionUID = 1L;
    int[] numbers = {};

    public Loop() {}

    Loop(int count) {
      numbers = new int[count];
    }

    @Override
    public void writeExternal(ObjectOutput out) throws IOException {
      out.writeInt(numbers.length);
      for (int number : numbers) {
        out.writeInt(number);
      }
    }

    @Override
    public void readExternal(ObjectInput in) throws IOException {
      int count = in.readInt();
      numbers = new int[count];
      for (int i = 0; i < count; i++) {
        numbers[i] = in.readInt();
      }
    }
  }

  public static final class CountsDown implements Externalizable {
    private static final long serialVersionUID = 1L;
    private final List<Object> all = new ArrayList<>();

    public CountsDown() {}

    CountsDown(int count) {
      for (int i = 0; i < count; i++) {
        all.add(any(i));
      }
    }

    @Override
    public void writeExternal(ObjectOutput out) throws IOException {
      out.writeShort(all.size());
      for (Object one : all) {
        out.writeObject(one);
      }
    }

    @Override
    public void readExternal(ObjectInput in) throws IOException, ClassNotFoundException {
      int left = in.readShort();
      while (left-- > 0) {
        all.add(in.readObject());
      }
    }
  }

  public static final class Nested implements Externalizable {
    private static final long serialVersionUID = 1L;
    private Object first;
    private Object second;
    private int behind;

    public Nested() {}

    Nested(Random random) {
      first = any(random.nextInt(10));
      second = random.nextBoolean() ? first : any(random.nextInt(10));
      behind = random.nextInt(1000);
    }

    @Override
    public void writeExternal(ObjectOutput out) throws IOException {
      out.writeObject(first);
      out.writeObject(second);
      out.writeInt(behind);
    }

    @Override
    public void readExternal(ObjectInput in) throws IOException, ClassNotFoundException {
      first = in.readObject();
      second = in.readObject();
      behind = in.readInt();
    }
  }

  /** One within the other. */
  public static final class Chain implements Externalizable {
    private static final long serialVersionUID = 1L;
    private int number;
    private Chain next;

    public Chain() {}

    static Chain of(int length) {
      Chain chain = new Chain();
      chain.number = length;
      chain.next = length == 0 ? null : of(length - 1);
      return chain;
    }

    @Override
    public void writeExternal(ObjectOutput out) throws IOException {
      out.writeObject(next);
      out.writeInt(number);
    }

    @Override
    public void readExternal(ObjectInput in) throws IOException, ClassNotFoundException {
      next = (Chain) in.readObject();
      number = in.readInt();
    }
  }

  /** What reads stands elsewhere. */
  static final class Codec {
    private Codec() {}

    static int count(DataInput in) throws IOException {
      int count = in.readUnsignedByte();
      return count == 255 ? in.readInt() : count;
    }

    static List<Object> list(ObjectInput in, int count) throws IOException, ClassNotFoundException {
      List<Object> all = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        all.add(in.readObject());
      }
      return all;
    }

    static byte[] bytes(ObjectInput in) throws IOException {
      byte[] bytes = new byte[count(in)];
      in.readFully(bytes);
      return bytes;
    }
  }

  public static class Helpers implements Externalizable {
    private static final long serialVersionUID = 1L;
    private List<Object> all = List.of();

    public Helpers() {}

    Helpers(int count) {
      all = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        all.add(any(i + 1));
      }
    }

    @Override
    public void writeExternal(ObjectOutput out) throws IOException {
      if (all.size() == 3) {
        out.writeByte(255);
        out.writeInt(3);
      } else {
        out.writeByte(all.size());
      }
      for (Object one : all) {
        out.writeObject(one);
      }
      out.writeByte(2);
      out.write(new byte[2]);
    }

    @Override
    public void readExternal(ObjectInput in) throws IOException, ClassNotFoundException {
      all = Codec.list(Objects.requireNonNull(in), Codec.count(in));
      Codec.bytes(in);
    }
  }

  public static final class Child extends Helpers {
    private static final long serialVersionUID = 1L;

    public Child() {}

    Child(int count) {
      super(count);
    }

    @Override
    public void writeExternal(ObjectOutput out) throws IOException {
      super.writeExternal(out);
      out.writeUTF("child");
    }

    @Override
    public void readExternal(ObjectInput in) throws IOException, ClassNotFoundException {
      super.readExternal(in);
      in.readUTF();
    }
  }

  public static final class Inheriting extends Helpers {
    private static final long serialVersionUID = 1L;

    public Inheriting() {}

    Inheriting(int count) {
      super(count);
    }
  }

  public static final class Filled implements Externalizable {
    private static final long serialVersionUID = 1L;
    private byte[] bytes = {};

    public Filled() {}

    Filled(int count) {
      bytes = new byte[count];
      Arrays.fill(bytes, (byte) 0x73);
    }

    @Override
    public void writeExternal(ObjectOutput out) throws IOException {
      out.writeInt(bytes.length);
      out.write(bytes);
    }

    @Override
    public void readExternal(ObjectInput in) throws IOException {
      byte[] read = new byte[in.readInt()];
      in.readFully(read);
      bytes = read;
    }
  }

  public static final class FilledField implements Externalizable {
    private static final long serialVersionUID = 1L;
    private int count;
    private byte[] bytes = {};

    public FilledField() {}

    FilledField(int count) {
      this.count = count;
      bytes = new byte[count];
    }

    @Override
    public void writeExternal(ObjectOutput out) throws IOException {
      out.writeShort(count);
      out.write(bytes);
    }

    @Override
    public void readExternal(ObjectInput in) throws IOException {
      count = in.readShort();
      bytes = new byte[count];
      in.readFully(bytes, 0, bytes.length);
    }
  }

  /** The length of an array is the bound. */
  public static final class Elements implements Externalizable {
    private static final long serialVersionUID = 1L;
    private Object[] all = {};

    public Elements() {}

    Elements(int count) {
      all = new Object[count];
      Arrays.setAll(all, Externals::any);
    }

    @Override
    public void writeExternal(ObjectOutput out) throws IOException {
      out.writeInt(all.length);
      for (Object one : all) {
        out.writeObject(one);
      }
    }

    @Override
    public void readExternal(ObjectInput in) throws IOException, ClassNotFoundException {
      Object[] read = new Object[in.readInt()];
      for (int i = 0; i < read.length; i++) {
        read[i] = in.readObject();
      }
      all = read;
    }
  }

  public static final class Optional implements Externalizable {
    private static final long serialVersionUID = 1L;
    private String text;

    public Optional() {}

    Optional(boolean present) {
      text = present ? "present" : null;
    }

    @Override
    public void writeExternal(ObjectOutput out) throws IOException {
      out.writeBoolean(text != null);
      if (text != null) {
        out.writeUTF(text);
      }
    }

    @Override
    public void readExternal(ObjectInput in) throws IOException {
      text = in.readBoolean() ? in.readUTF() : null;
    }
  }

  public static final class Texts implements Externalizable {
    private static final long serialVersionUID = 1L;
    private final List<String> all = new ArrayList<>();

    public Texts() {}

    Texts(int count) {
      for (int i = 0; i < count; i++) {
        all.add("tëxt\0" + i);
      }
    }

    @Override
    public void writeExternal(ObjectOutput out) throws IOException {
      out.writeInt(all.size());
      for (String one : all) {
        out.writeUTF(one);
      }
    }

    @Override
    public void readExternal(ObjectInput in) throws IOException {
      int count = in.readInt();
      do {
        if (count-- <= 0) {
          break;
        }
        all.add(DataInputStream.readUTF(in));
      } while (true);
    }
  }

  /** Its parts read themselves. */
  public static final class Parts implements Externalizable {
    private static final long serialVersionUID = 1L;
    private Straight straight = new Straight();
    private Loop loop = new Loop();

    public Parts() {}

    Parts(Random random) {
      straight = new Straight(random);
      loop = new Loop(random.nextInt(3));
    }

    @Override
    public void writeExternal(ObjectOutput out) throws IOException {
      straight.writeExternal(out);
      loop.writeExternal(out);
    }

    @Override
    public void readExternal(ObjectInput in) throws IOException {
      straight.readExternal(in);
      loop = new Loop();
      loop.readExternal(in);
    }
  }

  /** As the maps of Trove are: a version, then the superclass's, then as many pairs as it says. */
  public abstract static class Hash implements Externalizable {
    private static final long serialVersionUID = 1L;
    private float loadFactor = 0.5f;
    private int size;
    private int[] places = {};

    @Override
    public void writeExternal(ObjectOutput out) throws IOException {
      out.writeByte(0);
      out.writeFloat(loadFactor);
      out.writeFloat(0);
    }

    @Override
    public void readExternal(ObjectInput in) throws IOException, ClassNotFoundException {
      in.readByte();
      float old = loadFactor;
      loadFactor = in.readFloat();
      in.readFloat();
      if (old != loadFactor) {
        setUp((int) Math.ceil(10 / loadFactor));
      }
    }

    void setUp(int capacity) {
      int power = 1;
      while (power < Math.min(capacity, 1024)) {
        power <<= 1;
      }
      places = new int[power];
      for (int i = 0; i < places.length; i++) {
        places[i] = -1;
      }
    }

    void count() {
      size++;
    }
  }

  public static final class Table extends Hash {
    private static final long serialVersionUID = 1L;
    private final Map<Integer, Long> all = new HashMap<>();

    public Table() {}

    Table(int size) {
      for (int i = 0; i < size; i++) {
        all.put(i, (long) i);
      }
    }

    @Override
    public void writeExternal(ObjectOutput out) throws IOException {
      out.writeByte(0);
      super.writeExternal(out);
      out.writeInt(all.size());
      for (Map.Entry<Integer, Long> one : all.entrySet()) {
        out.writeInt(one.getKey());
        out.writeLong(one.getValue());
      }
    }

    @Override
    public void readExternal(ObjectInput in) throws IOException, ClassNotFoundException {
      in.readByte();
      super.readExternal(in);
      int size = in.readInt();
      setUp(size);
      while (size-- > 0) {
        int key = in.readInt();
        long value = in.readLong();
        all.put(key, value);
        count();
      }
    }
  }

  /** Bits say what is there. */
  public static final class Masked implements Externalizable {
    private static final long serialVersionUID = 1L;
    private static final int NAME = 1;
    private static final int AGE = 2;
    private static final int REST = 4;
    private int bits;

    public Masked() {}

    Masked(int bits) {
      this.bits = bits;
    }

    @Override
    public void writeExternal(ObjectOutput out) throws IOException {
      out.writeByte(bits);
      if ((bits & NAME) != 0) {
        out.writeUTF("name");
      }
      if ((bits & AGE) != 0) {
        out.writeInt(1);
      }
      if ((bits & REST) != 0) {
        out.writeObject(null);
      }
    }

    @Override
    public void readExternal(ObjectInput in) throws IOException, ClassNotFoundException {
      bits = in.readByte();
      String name = (bits & NAME) != 0 ? in.readUTF() : "";
      int age = (bits & AGE) != 0 ? in.readInt() : -1;
      if ((bits & REST) == REST) {
        in.readObject();
      }
      if (name.isEmpty() || age != 17) {
        bits = 0;
      }
    }
  }

  /** Goes on until a mark. */
  public static final class Marked implements Externalizable {
    private static final long serialVersionUID = 1L;
    private int count;

    public Marked() {}

    Marked(int count) {
      this.count = count;
    }

    @Override
    public void writeExternal(ObjectOutput out) throws IOException {
      for (int i = 0; i < count; i++) {
        out.writeChar('x');
        out.writeObject(any(i));
      }
      out.writeChar(0);
    }

    @Override
    public void readExternal(ObjectInput in) throws IOException, ClassNotFoundException {
      char mark = in.readChar();
      while (mark != 0) {
        in.readObject();
        count++;
        mark = in.readChar();
      }
    }
  }

  /** Refuses what cannot be, by its own means. */
  public static final class Checked implements Externalizable {
    private static final long serialVersionUID = 1L;
    private int count;

    public Checked() {}

    Checked(int count) {
      this.count = count;
    }

    @Override
    public void writeExternal(ObjectOutput out) throws IOException {
      out.writeInt(count);
      out.writeUTF("magic");
      out.write(new byte[count]);
    }

    @Override
    public void readExternal(ObjectInput in) throws IOException {
      int read = in.readInt();
      if (read < 0 || read > 1000) {
        throw new InvalidObjectException("count " + read);
      }
      if (!in.readUTF().equals("magic")) {
        throw new InvalidObjectException("no magic");
      }
      try {
        byte[] bytes = new byte[read];
        in.readFully(bytes);
        count = bytes.length;
      } catch (NegativeArraySizeException impossible) {
        throw new InvalidObjectException(impossible.getMessage());
      } finally {
        note(count);
      }
    }
  }

  /** What it calls on itself is what this class has. */
  public abstract static class Template implements Externalizable {
    private static final long serialVersionUID = 1L;

    @Override
    public void readExternal(ObjectInput in) throws IOException, ClassNotFoundException {
      for (int i = 0; i < 2; i++) {
        readPart(in, i);
      }
    }

    abstract void readPart(ObjectInput in, int number) throws IOException, ClassNotFoundException;
  }

  public static final class Dispatching extends Template {
    private static final long serialVersionUID = 1L;
    private int kind;

    public Dispatching() {}

    Dispatching(int kind) {
      this.kind = kind;
    }

    @Override
    public void writeExternal(ObjectOutput out) throws IOException {
      out.writeInt(1);
      out.writeUTF("second");
    }

    @Override
    void readPart(ObjectInput in, int number) throws IOException {
      if (number == 0) {
        kind = in.readInt();
      } else {
        in.readUTF();
      }
    }
  }

  /** What depends on something else than the stream meets before the next read. */
  public static final class Ternary implements Externalizable {
    private static final long serialVersionUID = 1L;
    private int count;
    private Object value;

    public Ternary() {}

    Ternary(int count) {
      this.count = count;
    }

    @Override
    public void writeExternal(ObjectOutput out) throws IOException {
      out.writeByte(count);
      out.writeObject(any(count));
      out.write(new byte[count > 1 ? 2 : 1]);
    }

    @Override
    public void readExternal(ObjectInput in) throws IOException, ClassNotFoundException {
      int small = in.readByte();
      Object read = in.readObject();
      value = read == null ? "none" : read;
      if (value instanceof String text && text.length() > 3) {
        value = text.substring(1);
      }
      in.readFully(new byte[small > 1 ? 2 : 1]);
      count = small;
    }
  }

  public static final class Locked implements Externalizable {
    private static final long serialVersionUID = 1L;
    private int count;

    public Locked() {}

    Locked(int count) {
      this.count = count;
    }

    @Override
    public void writeExternal(ObjectOutput out) throws IOException {
      out.writeInt(count);
      out.write(new byte[count]);
    }

    @Override
    public void readExternal(ObjectInput in) throws IOException {
      synchronized (this) {
        count = in.readInt();
        for (int i = 0; i < count; i++) {
          if (in.readByte() == 1) {
            continue;
          }
          in.readFully(new byte[0]);
        }
      }
    }
  }

  /** Of the arrays that are made in one place only the last one has the last length. */
  public static final class LastArray implements Externalizable {
    private static final long serialVersionUID = 1L;
    private int first;
    private int second;

    public LastArray() {}

    LastArray(int first, int second) {
      this.first = first;
      this.second = second;
    }

    @Override
    public void writeExternal(ObjectOutput out) throws IOException {
      out.writeByte(first);
      out.write(new byte[first]);
      out.writeByte(second);
      out.write(new byte[second]);
    }

    @Override
    public void readExternal(ObjectInput in) throws IOException {
      byte[] one = Codec.bytes(in);
      byte[] two = Codec.bytes(in);
      first = one.length;
      second = two.length;
    }
  }

  /** Has no data. */
  public static final class Empty implements Externalizable {
    private static final long serialVersionUID = 1L;

    public Empty() {}

    @Override
    public void writeExternal(ObjectOutput out) {}

    @Override
    public void readExternal(ObjectInput in) {}
  }

  /** Computes without reading. */
  public static final class Idle implements Externalizable {
    private static final long serialVersionUID = 1L;
    private int rounds;

    public Idle() {}

    Idle(int rounds) {
      this.rounds = rounds;
    }

    @Override
    public void writeExternal(ObjectOutput out) throws IOException {
      out.writeInt(rounds);
      out.write(new byte[rounds]);
    }

    @Override
    public void readExternal(ObjectInput in) throws IOException {
      int read = in.readInt();
      int counted = 0;
      while (counted < read) {
        counted++;
      }
      in.readFully(new byte[counted]);
      rounds = read;
    }
  }

  /** An object stands between a length and as many bytes. */
  public static final class Blob implements Externalizable {
    private static final long serialVersionUID = 1L;
    private Object type;
    private byte[] bytes = {};

    public Blob() {}

    Blob(Object type, byte[] bytes) {
      this.type = type;
      this.bytes = bytes;
    }

    @Override
    public void writeExternal(ObjectOutput out) throws IOException {
      out.writeInt(bytes.length);
      out.writeObject(type);
      out.write(bytes);
    }

    @Override
    public void readExternal(ObjectInput in) throws IOException, ClassNotFoundException {
      byte[] read = new byte[in.readInt()];
      type = in.readObject();
      in.readFully(read);
      bytes = read;
    }
  }

  /** Bytes, always as many. */
  public static final class Fixed implements Externalizable {
    private static final long serialVersionUID = 1L;
    static final int BYTES = 96;

    public Fixed() {}

    @Override
    public void writeExternal(ObjectOutput out) throws IOException {
      out.write(new byte[BYTES]);
    }

    @Override
    public void readExternal(ObjectInput in) throws IOException {
      in.readFully(new byte[BYTES]);
    }
  }

  /** As many behind an object. */
  public static final class Trailing implements Externalizable {
    private static final long serialVersionUID = 1L;
    private Object first;

    public Trailing() {}

    Trailing(Object first) {
      this.first = first;
    }

    @Override
    public void writeExternal(ObjectOutput out) throws IOException {
      out.writeObject(first);
      out.write(new byte[Fixed.BYTES]);
    }

    @Override
    public void readExternal(ObjectInput in) throws IOException, ClassNotFoundException {
      first = in.readObject();
      in.readFully(new byte[Fixed.BYTES]);
    }
  }

  /** An object alone. */
  public static final class Held implements Externalizable {
    private static final long serialVersionUID = 1L;
    private Object held;

    public Held() {}

    Held(Object held) {
      this.held = held;
    }

    @Override
    public void writeExternal(ObjectOutput out) throws IOException {
      out.writeObject(held);
    }

    @Override
    public void readExternal(ObjectInput in) throws IOException, ClassNotFoundException {
      held = in.readObject();
    }
  }

  /** No Externalizable: it may hold some. */
  static class Holder implements Serializable {
    private static final long serialVersionUID = 1L;
    private Object held;
    private Object next;

    Holder(Object held, Object next) {
      this.held = held;
      this.next = next;
    }
  }

  /** The primitive fields of its own stand behind what the other one holds. */
  static final class Numbered extends Holder {
    private static final long serialVersionUID = 1L;
    private long number;

    Numbered(Object held, Object next, long number) {
      super(held, next);
      this.number = number;
    }
  }

  /** All, and what they call. */
  static List<Class<?>> classes() {
    List<Class<?>> all = new ArrayList<>(List.of(Externals.class.getDeclaredClasses()));
    all.add(Externals.class);
    all.add(UnclearExternals.class);
    all.addAll(UnclearExternals.ALL);
    all.addAll(UnclearExternals.HELPERS);
    return all;
  }
}
