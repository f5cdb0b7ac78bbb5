package io.rmigate.protocol.jrmp.message;

import io.rmigate.protocol.jrmp.GrowingReturn;
import io.rmigate.protocol.jrmp.Jrmp;
import io.rmigate.protocol.jrmp.MessageEnd.Complete;
import io.rmigate.protocol.jrmp.MessageGrammar;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.StreamClass;
import io.rmigate.protocol.jrmp.StreamObserver;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * Finds the stubs in a Return that are dynamic proxies, and which interfaces each has, by the
 * stream's own descriptors: no class is loaded. A Return may come in any pieces; longer ones than
 * 64 KiB are not looked into, nor what the grammar cannot parse. Static stubs have a class name and
 * no interfaces in the stream, and are not told. For one Return; not thread-safe.
 *
 * <pre>
 *  73 7D <i>n, interfaces</i> … field h: 73 72 java.rmi.server.RemoteObjectInvocationHandler …
 *     77 LL UnicastRef… ObjID bool 78
 * </pre>
 */
public final class ReturnedProxies {
  private static final int MAX_BYTES = 64 * 1024;

  /**
   * A Return ends where its header does and behind its result; more often it is looked at never.
   */
  private static final int MAX_LOOKS = 4;

  /** Most interfaces of one proxy that are told. */
  private static final int MAX_INTERFACES = 16;

  private static final int MAX_NAME_BYTES = 256;
  private static final int LONG_BLOCK_HEADER_BYTES = 5;
  private static final String HANDLER = "java.rmi.server.RemoteObjectInvocationHandler";

  private final BiConsumer<ObjIdentifier, List<String>> sink;
  private final GrowingReturn growing = new GrowingReturn();
  private byte[] bytes = new byte[0];
  private int count;
  private int looks;

  /** Tells {@code sink} of each object with the interfaces of its stub. */
  public ReturnedProxies(BiConsumer<ObjIdentifier, List<String>> sink) {
    this.sink = sink;
  }

  /** More of the Return; {@code more} are left as they are. */
  public void onBytes(ByteBuffer more) {
    if (count < MAX_BYTES) {
      byte[] copy = new byte[more.remaining()];
      more.get(more.position(), copy);
      onBytes(copy, 0, copy.length);
    }
  }

  /** More of the Return. */
  public void onBytes(byte[] more, int offset, int length) {
    if (length > MAX_BYTES - count || looks == MAX_LOOKS) {
      count = MAX_BYTES; // nothing more of it
      bytes = new byte[0];
      return;
    }
    if (bytes.length < count + length) {
      bytes = Arrays.copyOf(bytes, Math.max(count + length, Math.min(2 * count, MAX_BYTES)));
    }
    System.arraycopy(more, offset, bytes, count, length);
    count += length;
    if (growing.end(bytes, count) instanceof Complete end && end.end() == count) {
      looks++;
      MessageGrammar.endOfReply(bytes, 0, count, new Observer());
    }
  }

  /** Keeps what has begun and not ended, of which a handler in a proxy is of interest. */
  private final class Observer implements StreamObserver {
    /** Null for what is no object. */
    private final Deque<Begun> open = new ArrayDeque<>();

    /** A thing that has begun: its type if it is an object. */
    private record Begun(StreamClass type) {
      boolean isProxy() {
        return type != null && type.isProxy();
      }

      boolean isHandler() {
        return type != null && !type.isProxy();
      }
    }

    private static final Begun OTHER = new Begun(null);

    @Override
    public void beginAnnotation(StreamClass descriptor) {
      open.push(OTHER);
    }

    @Override
    public void beginArray(int handle, StreamClass type, int length, int elementsAt) {
      open.push(OTHER);
    }

    @Override
    public void beginEnum(int handle, StreamClass type) {
      open.push(OTHER);
    }

    @Override
    public void beginObject(int handle, StreamClass type) {
      open.push(type.isProxy() || type.isNamed(HANDLER) ? new Begun(type) : OTHER);
    }

    @Override
    public void onEnd() {
      open.poll();
    }

    @Override
    public void onReset() {
      open.clear();
    }

    @Override
    public void onBlockData(int at, int length) {
      Iterator<Begun> innermost = open.iterator();
      if (open.size() < 2 || !innermost.next().isHandler()) {
        return;
      }
      Begun proxy = innermost.next();
      if (proxy.isProxy()
          && proxy.type().isSmall(MAX_INTERFACES, MAX_NAME_BYTES)
          && isReferenceEnd(at, length)) {
        sink.accept(
            ObjIdentifier.decode(bytes, at + length - 1 - Jrmp.OBJ_ID_BYTES),
            proxy.type().interfaces());
      }
    }

    /** A whole reference, or behind its factory the end of one: ObjID and a boolean. */
    private boolean isReferenceEnd(int at, int length) {
      if (length == Jrmp.OBJ_ID_BYTES + 1) {
        return true;
      }
      boolean[] whole = {false};
      LiveReferenceScan.scan(
          bytes,
          at - LONG_BLOCK_HEADER_BYTES,
          Math.min(length + LONG_BLOCK_HEADER_BYTES + 1, count - at + LONG_BLOCK_HEADER_BYTES),
          reference -> whole[0] = true);
      return whole[0];
    }
  }
}
