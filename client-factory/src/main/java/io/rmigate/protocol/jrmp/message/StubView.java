package io.rmigate.protocol.jrmp.message;

import io.rmigate.protocol.LogText;
import io.rmigate.protocol.jrmp.BigEndian;
import io.rmigate.protocol.jrmp.Jrmp;
import io.rmigate.protocol.jrmp.MessageEnd.Complete;
import io.rmigate.protocol.jrmp.MessageGrammar;
import io.rmigate.protocol.jrmp.ModifiedUtf8;
import io.rmigate.protocol.jrmp.StreamClass;
import io.rmigate.protocol.jrmp.StreamObserver;
import io.rmigate.protocol.jrmp.StreamTokens;
import java.io.ByteArrayOutputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What a serialized stub says of itself, for people: where its object is, how it is called, what it
 * is. Nothing is deserialized, no class is loaded.
 *
 * <pre>
 *  73 7D <i>n, interfaces</i> … field h: 73 72 java.rmi.server.RemoteObjectInvocationHandler …
 *     77 LL UnicastRef2 01 host port  <i>73 72 factory …</i>  77 17 ObjID bool 78
 *  73 72 <i>X_Stub</i> … java.rmi.server.RemoteStub … 77 LL UnicastRef …
 * </pre>
 *
 * @param stubClass of a static stub; empty for a dynamic proxy
 * @param interfaces of a dynamic proxy, {@code java.rmi.Remote} left out; empty for a static stub
 * @param reference where it leads
 * @param factory class of the client socket factory that it brings; empty without one
 * @param codebases where its classes are said to be had, which no JDK since 24 looks at; by way of
 *     a gateway that drops them there are none
 */
public record StubView(
    Optional<String> stubClass,
    List<String> interfaces,
    LiveReference reference,
    Optional<String> factory,
    List<String> codebases) {
  private static final int MAX_TEXT_BYTES = 500;
  private static final int MAX_INTERFACES = 64;
  private static final int MAX_CODEBASES = 8;

  public StubView {
    interfaces = List.copyOf(interfaces);
    codebases = List.copyOf(codebases);
  }

  /**
   * Reads the result of a lookup.
   *
   * @param b holds one whole normal Return in this range
   * @return empty when its result is no stub
   */
  public static Optional<StubView> ofReturn(byte[] b, int off, int len) {
    Observer observer = new Observer(b);
    if (!(MessageGrammar.endOfReply(b, off, len, observer) instanceof Complete)) {
      return Optional.empty();
    }
    List<LiveReference> references = LiveReferenceScan.scan(b, off, len);
    return references.isEmpty() ? Optional.empty() : Optional.of(observer.view(references.get(0)));
  }

  /**
   * Reads a stub that was serialized by itself, as in a JMX service URL.
   *
   * @return empty when it is none
   */
  public static Optional<StubView> ofStream(byte[] stream) {
    int header = StreamTokens.STREAM_HEADER_BYTES;
    if (stream.length < header || BigEndian.int32(stream, 0) != StreamTokens.STREAM_HEADER) {
      return Optional.empty();
    }
    ByteArrayOutputStream asReturn = new ByteArrayOutputStream(stream.length + 32);
    asReturn.write(Jrmp.RETURN);
    asReturn.write(stream, 0, header);
    asReturn.write(StreamTokens.TC_BLOCKDATA);
    asReturn.write(Jrmp.RETURN_HEADER_BYTES);
    asReturn.write(Jrmp.NORMAL_RETURN);
    asReturn.writeBytes(new byte[Jrmp.UID_BYTES]);
    asReturn.write(stream, header, stream.length - header);
    return ofReturn(asReturn.toByteArray(), 0, asReturn.size());
  }

  /** The class of a static stub, or that there is none. */
  public String kind() {
    return stubClass.map(name -> "static stub " + name).orElse("dynamic proxy");
  }

  /** Remembers the outermost object, and within its reference the one object that may be there. */
  private static final class Observer implements StreamObserver {
    private final byte[] bytes;
    private final List<String> interfaces = new ArrayList<>();
    private final Set<String> codebases = new LinkedHashSet<>();
    private Optional<String> stubClass = Optional.empty();
    private Optional<String> factory = Optional.empty();
    private boolean seen;
    private boolean factoryIsNext;
    private int annotations;
    private final Deque<Boolean> isAnnotation = new ArrayDeque<>();

    Observer(byte[] bytes) {
      this.bytes = bytes;
    }

    StubView view(LiveReference reference) {
      return new StubView(
          stubClass,
          interfaces,
          reference,
          reference.ownFactory() ? factory : Optional.empty(),
          List.copyOf(codebases));
    }

    @Override
    public void beginAnnotation(StreamClass descriptor) {
      isAnnotation.push(true);
      annotations++;
    }

    @Override
    public void beginObject(int handle, StreamClass type) {
      isAnnotation.push(false);
      if (!seen) {
        seen = true;
        outermost(type);
      }
      if (factoryIsNext) {
        factoryIsNext = false;
        factory =
            Optional.of(cut(type.isProxy() ? String.join(" ", type.interfaces()) : type.name()));
      }
    }

    private void outermost(StreamClass type) {
      if (!type.isProxy()) {
        stubClass = Optional.of(cut(type.name()));
      } else if (type.isSmall(MAX_INTERFACES, MAX_TEXT_BYTES)) {
        type.interfaces().stream()
            .filter(name -> !name.equals("java.rmi.Remote"))
            .forEach(interfaces::add);
      }
    }

    @Override
    public void beginArray(int handle, StreamClass type, int length, int elementsAt) {
      isAnnotation.push(false);
    }

    @Override
    public void beginEnum(int handle, StreamClass type) {
      isAnnotation.push(false);
    }

    @Override
    public void onEnd() {
      if (Boolean.TRUE.equals(isAnnotation.poll())) {
        annotations--;
      }
    }

    @Override
    public void onString(int handle, int at, int length) {
      if (annotations > 0 && length > 0 && codebases.size() < MAX_CODEBASES) {
        codebases.add(cut(ModifiedUtf8.decode(bytes, at, Math.min(length, MAX_TEXT_BYTES))));
      }
    }

    /** The block in front of a factory: UTF "UnicastRef2", byte 1, UTF host, port. */
    @Override
    public void onBlockData(int at, int length) {
      int name = LiveReference.UNICAST_REF2.length();
      factoryIsNext =
          factory.isEmpty()
              && length > 2 + name + 1
              && BigEndian.unsignedShort(bytes, at) == name
              && ModifiedUtf8.decode(bytes, at + 2, name).equals(LiveReference.UNICAST_REF2)
              && bytes[at + 2 + name] == 1;
    }

    private static String cut(String text) {
      String line = LogText.of(text);
      return line.length() <= MAX_TEXT_BYTES ? line : line.substring(0, MAX_TEXT_BYTES) + "…";
    }
  }
}
