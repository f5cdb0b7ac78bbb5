package io.rmigate.gateway.scan;

import java.io.Externalizable;
import java.io.IOException;
import java.io.ObjectInput;
import java.io.ObjectInputStream;
import java.io.ObjectOutput;
import java.io.ObjectOutputStream;
import java.io.OptionalDataException;
import java.io.Serializable;
import java.util.List;

/**
 * Classes of applications that read their data themselves: some leave the stream in the middle of
 * something, as no shape may call declared, and some do not.
 */
@SuppressWarnings({"UnusedVariable", "UnusedMethod", "serial"})
final class OwnReaders {
  /** What they need besides is there, too. */
  static final List<Class<?>> ALL =
      List.of(
          Versioned.class,
          Lenient.class,
          Inheriting.class,
          Framed.class,
          Early.class,
          Torn.class,
          Careful.class);

  /** Reads what a later version of it has added, if it is there. */
  public static final class Versioned implements Externalizable {
    private static final long serialVersionUID = 1L;
    private Object added;

    @Override
    public void writeExternal(ObjectOutput out) throws IOException {
      out.writeObject(added);
    }

    @Override
    public void readExternal(ObjectInput in) throws IOException, ClassNotFoundException {
      try {
        added = in.readObject();
      } catch (OptionalDataException older) {
        added = null;
      }
    }
  }

  /** No Externalizable itself. */
  public static class Lenient {
    private Object value;

    public void writeExternal(ObjectOutput out) throws IOException {
      out.writeObject(value);
    }

    public void readExternal(ObjectInput in) throws ClassNotFoundException {
      try {
        value = in.readObject();
      } catch (IOException none) {
        value = null;
      }
    }
  }

  public static final class Inheriting extends Lenient implements Externalizable {
    private static final long serialVersionUID = 1L;
  }

  /** Honest. */
  public static final class Framed implements Externalizable {
    private static final long serialVersionUID = 1L;
    private int number;
    private Object value;

    @Override
    public void writeExternal(ObjectOutput out) throws IOException {
      out.writeInt(number);
      out.writeObject(value);
    }

    @Override
    public void readExternal(ObjectInput in) throws IOException, ClassNotFoundException {
      number = in.readInt();
      value = in.readObject();
    }
  }

  /** Looks for something optional before it reads its fields. */
  static final class Early implements Serializable {
    private static final long serialVersionUID = 1L;
    long a;
    long b;
    long c;
    long d;
    long e;
    long f;
    long g;
    long h;
    long i;
    long j;
    long k;
    long l;

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      Class.forName("com.acme.Optional");
      in.defaultReadObject();
    }
  }

  /** Takes a failure of the stream for a class that is missing. */
  static final class Torn implements Serializable {
    private static final long serialVersionUID = 1L;
    private transient Object added;

    private void writeObject(ObjectOutputStream out) throws IOException {
      out.writeObject(added);
    }

    private void readObject(ObjectInputStream in) throws ClassNotFoundException {
      try {
        added = in.readObject();
      } catch (IOException none) {
        throw new ClassNotFoundException("com.acme.Optional", none);
      }
    }
  }

  /** Honest: it does without, and misses a class when all has been read. */
  static final class Careful implements Serializable {
    private static final long serialVersionUID = 1L;
    private long number;
    private transient Class<?> optional;

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      try {
        optional = Class.forName("com.acme.Optional");
      } catch (ClassNotFoundException absent) {
        optional = null;
      }
      in.defaultReadObject();
      if (number == 1) {
        throw new ClassNotFoundException("com.acme.Optional");
      }
    }
  }

  private OwnReaders() {}
}
