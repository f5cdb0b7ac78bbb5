package io.rmigate.gateway.bridge.marshal;

import io.rmigate.protocol.LogText;
import io.rmigate.protocol.jrmp.Jrmp;
import io.rmigate.protocol.jrmp.message.LiveReference;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectStreamClass;
import java.io.ObjectStreamException;
import java.io.UTFDataFormatException;
import java.rmi.server.RemoteStub;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads Returns as {@code sun.rmi.server.MarshalInputStream} does, with the classes of one
 * publication, and lets nothing in but what {@link ReplyFilter} allows.
 */
public final class ReplyReader extends ObjectInputStream {
  private final ReplyRules rules;
  private final ReplyFilter filter;
  private final HashCosts costs = new HashCosts();
  private boolean inAnnotation;
  private long objects;
  private final List<LiveReference> references = new ArrayList<>();

  private ReplyReader(InputStream in, ReplyRules rules, ReplyFilter filter) throws IOException {
    super(in);
    this.rules = rules;
    this.filter = filter;
    setObjectInputFilter(filter);
    enableResolveObject(true);
  }

  /**
   * Reads one Return to its end and not a byte further, unless what is in it is refused.
   *
   * @param resultType of the method
   * @throws AnswerRefusedException it is not let in; what is left of it is not read
   * @throws IOException of the stream below
   */
  public static Reply read(InputStream in, Class<?> resultType, ReplyRules rules)
      throws IOException {
    ReplyFilter filter = new ReplyFilter(rules);
    try {
      int code = in.read();
      if (code != Jrmp.RETURN) {
        throw new AnswerRefusedException("expected a Return, got 0x" + Integer.toHexString(code));
      }
      ReplyReader reply = new ReplyReader(new MeasuredInput(in, rules.allowance()), rules, filter);
      int kind = reply.readByte();
      byte[] acknowledge = new byte[Jrmp.UID_BYTES];
      reply.readFully(acknowledge);
      return switch (kind) {
        case Jrmp.NORMAL_RETURN -> {
          Object value = reply.readResult(resultType);
          if (filter.hasRefused()) { // and a class that reads itself has hidden it
            throw filter.refusal(null);
          }
          yield new Reply.Result(value, reply.references, acknowledge);
        }
        case Jrmp.EXCEPTIONAL_RETURN -> reply.readException();
        default -> throw new AnswerRefusedException("a Return of the kind " + kind);
      };
    } catch (ObjectStreamException | UTFDataFormatException malformed) {
      throw refusal(filter, malformed);
    }
  }

  private static AnswerRefusedException refusal(ReplyFilter filter, Throwable thrown) {
    if (filter.hasRefused()) {
      return filter.refusal(thrown);
    }
    return thrown instanceof AnswerRefusedException refused
        ? refused
        : AnswerRefusedException.unreadable(thrown);
  }

  private Object readResult(Class<?> type) throws IOException {
    if (type == void.class) {
      return null;
    }
    if (!type.isPrimitive()) {
      Object value = readAny();
      if (value != null && !type.isInstance(value)) {
        throw new AnswerRefusedException(
            "expected " + type.getName() + ", got " + value.getClass().getName());
      }
      return value;
    }
    if (type == int.class) {
      return readInt();
    } else if (type == boolean.class) {
      return readBoolean();
    } else if (type == byte.class) {
      return readByte();
    } else if (type == char.class) {
      return readChar();
    } else if (type == short.class) {
      return readShort();
    } else if (type == long.class) {
      return readLong();
    } else if (type == float.class) {
      return readFloat();
    }
    return readDouble();
  }

  private Reply readException() throws IOException {
    try {
      return readAny() instanceof Throwable exception
          ? new Reply.Thrown(exception)
          : new Reply.ThrownUnread(new AnswerRefusedException("what was thrown is no exception"));
    } catch (ObjectStreamException | UTFDataFormatException refused) {
      return new Reply.ThrownUnread(refusal(filter, refused));
    }
  }

  /** Code of the publication may run here: what it throws is as bad as what it refuses. */
  private Object readAny() throws IOException {
    try {
      return readObject();
    } catch (NotInTheJars missing) {
      String name = LogText.brief(missing.name);
      throw new AnswerRefusedException(
          "the class " + name + ", which is not in the jars", name, missing);
    } catch (ClassNotFoundException | RuntimeException | LinkageError | StackOverflowError failed) {
      throw refusal(filter, failed);
    }
  }

  /**
   * To be thrown. What follows from an exception in the midst of an object may hide it: so the
   * reason is kept.
   */
  AnswerRefusedException refused(String what) {
    filter.note(what);
    return new AnswerRefusedException(what);
  }

  @Override
  protected Object resolveObject(Object object) throws AnswerRefusedException {
    if (++objects > rules.limits().references()) {
      throw refused("more than " + rules.limits().references() + " objects");
    }
    if (!filter.isInTime()) {
      throw refused("more than can be read in time");
    }
    if (!costs.mayHash(object)) {
      throw refused("collections within collections that it would take too long to hash");
    }
    return object;
  }

  /** A stub has been read. */
  void found(LiveReference reference) throws AnswerRefusedException {
    if (references.size() == rules.limits().stubs()) {
      throw refused("more than " + rules.limits().stubs() + " stubs");
    }
    references.add(reference);
  }

  @Override
  @SuppressWarnings("deprecation") // generated stubs are, which is no reason to let them in
  protected Class<?> resolveClass(ObjectStreamClass descriptor)
      throws IOException, ClassNotFoundException {
    skipAnnotation();
    String name = descriptor.getName();
    Class<?> standIn = ReplacedClass.inPlaceOf(name);
    if (standIn != null) {
      return standIn;
    }
    Class<?> type = load(name);
    if (RemoteStub.class.isAssignableFrom(type)) {
      throw refused(
          "a generated stub (" + name + "); only dynamic ones, which rmic did not make, are read");
    }
    return type;
  }

  private Class<?> load(String name) throws ClassNotFoundException, AnswerRefusedException {
    try {
      return rules.classes().load(name);
    } catch (ClassNotFoundException missing) {
      Class<?> primitive = primitive(name);
      if (primitive == null) {
        throw new NotInTheJars(name, missing);
      }
      return primitive;
    } catch (LinkageError damaged) {
      throw new AnswerRefusedException(
          "the class " + LogText.brief(name) + ": " + damaged, damaged);
    }
  }

  /**
   * A class of the answer is not in the jars. Any other exception may come from a class that reads
   * itself.
   */
  private static final class NotInTheJars extends ClassNotFoundException {
    private static final long serialVersionUID = 1L;

    private final String name;

    NotInTheJars(String name, ClassNotFoundException cause) {
      super(name, cause);
      this.name = name;
    }
  }

  private static Class<?> primitive(String name) {
    return switch (name) {
      case "boolean" -> boolean.class;
      case "byte" -> byte.class;
      case "char" -> char.class;
      case "short" -> short.class;
      case "int" -> int.class;
      case "long" -> long.class;
      case "float" -> float.class;
      case "double" -> double.class;
      case "void" -> void.class;
      default -> null;
    };
  }

  @Override
  protected Class<?> resolveProxyClass(String[] interfaces)
      throws IOException, ClassNotFoundException {
    skipAnnotation();
    return stubClass(interfaces);
  }

  private Class<?> stubClass(String[] interfaces) throws AnswerRefusedException {
    try {
      return rules.classes().stubClass(List.of(interfaces));
    } catch (AnswerRefusedException refused) {
      filter.note(refused.getMessage());
      throw refused;
    }
  }

  /**
   * Skips a codebase, from which no class is loaded. An annotation that needs a class is refused
   * before it is read, because annotations within annotations would have no bound.
   */
  private void skipAnnotation() throws IOException, ClassNotFoundException {
    if (inAnnotation) {
      throw refused("a class annotation that is no codebase");
    }
    inAnnotation = true;
    Object codebase = readObject();
    inAnnotation = false;
    if (codebase != null && !(codebase instanceof String)) {
      throw refused("a class annotation that is no codebase");
    }
  }
}
