package io.rmigate.protocol.jrmp.message;

import io.rmigate.protocol.jrmp.BigEndian;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.GrowingCall;
import io.rmigate.protocol.jrmp.GrowingMessage;
import io.rmigate.protocol.jrmp.GrowingReturn;
import io.rmigate.protocol.jrmp.MessageEnd;
import io.rmigate.protocol.jrmp.MessageEnd.Complete;
import io.rmigate.protocol.jrmp.MessageEnd.Truncated;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.StreamClass;
import io.rmigate.protocol.jrmp.StreamGrammar;
import io.rmigate.protocol.jrmp.StreamObserver;
import io.rmigate.protocol.jrmp.StreamTokens;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * Changes the endpoints of live references in one Call or Return as it passes, in pieces of any
 * length. Host and port stand in block data, whose length is made anew; where the reference is in a
 * {@code MarshalledObject}, so is the length of its array. All other bytes pass as they are.
 *
 * <p>What the grammar has understood goes on; what it has not is held, a token at most. The bytes
 * of a {@code MarshalledObject} are held until its array is whole. Behind an Externalizable whose
 * layout is not known the grammar is lost: from there on references are found by their pattern
 * ({@link LiveReferenceScan}), if the end of the message is known to the caller, and are left as
 * they are if it is not, because the last bytes would be held for ever. For one message; not
 * thread-safe.
 */
public final class ReferenceRewriter {

  /** Says where a reference leads on the other side. */
  @FunctionalInterface
  public interface Crossing {

    /**
     * The endpoint on the other side.
     *
     * @param object empty where a socket factory stands between the endpoint and the object
     * @return empty when the reference passes as it is
     * @throws IOException the message must not pass
     */
    Optional<EndpointId> across(String host, int port, Optional<ObjIdentifier> object)
        throws IOException;
  }

  /** Streams in one another. */
  private static final int MAX_NESTED = 4;

  private static final String MARSHALLED_OBJECT = "java.rmi.MarshalledObject";
  private static final String BYTES = "[B";

  /** Fewer bytes are not worth cutting out. */
  private static final int FEW_BYTES = 4 * 1024;

  /** A reference up to its end, without a factory, is no longer. */
  private static final int MAX_REFERENCE_BYTES = 64 + LiveReferenceScan.MAX_HOST_BYTES;

  private static final int MAX_SHORT_BLOCK_BYTES = 0xFF;

  /** The array of a {@code MarshalledObject}, in another one's if {@code around} is not null. */
  private record Array(int lengthAt, int length, Array around) {}

  /** A reference whose block stands at {@code at}; {@code in} is null outside of arrays. */
  private record Found(int at, int length, ReferenceBlock block, Array in) {}

  /** Bytes from one index up to another that are replaced. */
  @SuppressWarnings("ArrayRecordComponent") // wire bytes: identity, not value
  private record Edit(int from, int to, byte[] with) {}

  private final GrowingMessage grammar;
  private final Crossing crossing;

  /** Whether the last piece is told as such, so that bytes may be held at the end. */
  private final boolean knowsEnd;

  private final List<Found> found = new ArrayList<>(0);
  private final List<Edit> edits = new ArrayList<>(0);

  private byte[] bytes = new byte[0];
  private int count;

  /** Index up to which the bytes have been passed on. */
  private int gone;

  /** The grammar is lost. */
  private boolean lost;

  /** Whether the header of another stream has been seen behind where the grammar was lost. */
  private boolean holdsStream;

  private ReferenceRewriter(boolean call, Crossing crossing, boolean knowsEnd) {
    StreamObserver observer = new References(null, 0);
    this.grammar = call ? new GrowingCall(observer) : new GrowingReturn(observer);
    this.crossing = crossing;
    this.knowsEnd = knowsEnd;
  }

  /** A rewriter of a Call; {@code knowsEnd}: its last piece will be told as such. */
  public static ReferenceRewriter ofCall(Crossing crossing, boolean knowsEnd) {
    return new ReferenceRewriter(true, crossing, knowsEnd);
  }

  /** A rewriter of a Return; {@code knowsEnd}: its last piece will be told as such. */
  public static ReferenceRewriter ofReturn(Crossing crossing, boolean knowsEnd) {
    return new ReferenceRewriter(false, crossing, knowsEnd);
  }

  /**
   * The next piece.
   *
   * @param last whether nothing follows
   * @return what goes on in its place
   * @throws IOException the crossing has said that the message must not pass
   */
  public byte[] more(byte[] piece, int offset, int length, boolean last) throws IOException {
    append(piece, offset, length);
    int upTo = lost ? passLost(last) : passUnderstood(last);
    byte[] passed = pass(upTo);
    forget();
    return passed;
  }

  private void append(byte[] piece, int offset, int length) {
    if (bytes.length < count + length) {
      bytes = Arrays.copyOf(bytes, Math.max(count + length, Math.min(2 * count, 1 << 20) + count));
    }
    System.arraycopy(piece, offset, bytes, count, length);
    count += length;
  }

  private int passUnderstood(boolean last) throws IOException {
    MessageEnd end = grammar.end(bytes, count);
    resolve();
    if (end instanceof Truncated) {
      return last ? count : Math.max(gone, grammar.understood());
    }
    if (end instanceof Complete complete && complete.end() == count) {
      return count;
    }
    lost = true;
    if (end instanceof MessageEnd.Unparseable && knowsEnd) {
      int from = Math.max(gone, grammar.understood());
      Edit before = edits.isEmpty() ? null : edits.get(edits.size() - 1);
      return passPattern(before == null ? from : Math.max(from, before.to), last);
    }
    return count;
  }

  private int passLost(boolean last) throws IOException {
    return knowsEnd ? passPattern(gone, last) : count;
  }

  /** References from that index on, by their pattern. */
  private int passPattern(int from, boolean last) throws IOException {
    holdsStream |= holdsHeader(from);
    int upTo = last ? count : Math.max(from, count - MAX_REFERENCE_BYTES);
    int at = LiveReferenceScan.nextBlock(bytes, from, from, count);
    while (at >= 0) {
      int length = LiveReferenceScan.blockLength(bytes, from, at + Short.BYTES);
      int end = Math.min(count, at + length);
      found.add(new Found(at, length, ReferenceBlock.read(bytes, at, end - at), null));
      upTo = Math.max(upTo, end);
      at = LiveReferenceScan.nextBlock(bytes, from, end, count);
    }
    int editsBefore = edits.size();
    resolve();
    if (edits.size() > editsBefore && holdsStream) {
      throw new IOException(
          "a reference to an object of this JVM stands behind data of an Externalizable class"
              + " that cannot be read from outside, in a stream of its own");
    }
    return upTo;
  }

  private boolean holdsHeader(int from) {
    for (int i = from; i <= count - Integer.BYTES; i++) {
      if (bytes[i] == (byte) (StreamTokens.STREAM_HEADER >>> 24)
          && BigEndian.int32(bytes, i) == StreamTokens.STREAM_HEADER) {
        return true;
      }
    }
    return false;
  }

  /** Makes edits of the references that were found. */
  private void resolve() throws IOException {
    if (found.isEmpty()) {
      return;
    }
    List<Array> arrays = new ArrayList<>(0);
    List<Integer> longer = new ArrayList<>(0);
    for (Found each : found) {
      Optional<Edit> edit = edit(each);
      if (edit.isPresent()) {
        edits.add(edit.get());
        int more = edit.get().with.length - (edit.get().to - edit.get().from);
        for (Array array = each.in; array != null; array = array.around) {
          int known = arrays.indexOf(array);
          if (known < 0) {
            arrays.add(array);
            longer.add(more);
          } else {
            longer.set(known, longer.get(known) + more);
          }
        }
      }
    }
    found.clear();
    for (int i = 0; i < arrays.size(); i++) {
      byte[] length = new byte[Integer.BYTES];
      BigEndian.putInt32(length, 0, arrays.get(i).length + longer.get(i));
      int at = arrays.get(i).lengthAt;
      edits.add(new Edit(at, at + Integer.BYTES, length));
    }
    edits.sort(Comparator.comparingInt(Edit::from));
  }

  private Optional<Edit> edit(Found reference) throws IOException {
    if (reference.block instanceof ReferenceBlock.Whole whole) {
      LiveReference known = whole.reference();
      Optional<EndpointId> other =
          crossing.across(known.host(), known.port(), Optional.of(known.object()));
      return other.map(endpoint -> edit(reference, endpoint));
    }
    if (reference.block instanceof ReferenceBlock.WithFactory begun) {
      Optional<EndpointId> other = crossing.across(begun.host(), begun.port(), Optional.empty());
      return other.map(endpoint -> edit(reference, endpoint));
    }
    return Optional.empty();
  }

  /** The whole block anew, with the token and the length in front of its data. */
  private Edit edit(Found reference, EndpointId endpoint) {
    int at = reference.at;
    int nameBytes = BigEndian.unsignedShort(bytes, at);
    boolean hasFormat = nameBytes == LiveReference.UNICAST_REF2.length();
    int hostAt = at + Short.BYTES + nameBytes + (hasFormat ? 1 : 0);
    int tailAt = hostAt + Short.BYTES + BigEndian.unsignedShort(bytes, hostAt) + Integer.BYTES;
    int end = at + reference.length;
    ByteArrayOutputStream data = new ByteArrayOutputStream();
    data.write(bytes, at, hostAt - at);
    data.writeBytes(endpoint.encode());
    data.write(bytes, tailAt, end - tailAt);
    int length = data.size();
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    if (length <= MAX_SHORT_BLOCK_BYTES) {
      block.write(StreamTokens.TC_BLOCKDATA);
      block.write(length);
    } else {
      byte[] four = new byte[Integer.BYTES];
      BigEndian.putInt32(four, 0, length);
      block.write(StreamTokens.TC_BLOCKDATALONG);
      block.writeBytes(four);
    }
    block.writeBytes(data.toByteArray());
    return new Edit(at - headerBytes(at, reference.length), end, block.toByteArray());
  }

  /** Bytes in the header of the block whose data begin at {@code at}. */
  private int headerBytes(int at, int length) {
    boolean isShort =
        bytes[at - 2] == StreamTokens.TC_BLOCKDATA && (bytes[at - 1] & 0xFF) == length;
    return isShort ? 2 : 5;
  }

  private byte[] pass(int upTo) {
    if (edits.isEmpty() || edits.get(0).to > upTo) {
      byte[] passed = Arrays.copyOfRange(bytes, gone, upTo);
      gone = upTo;
      return passed;
    }
    ByteArrayOutputStream passed = new ByteArrayOutputStream();
    while (!edits.isEmpty() && edits.get(0).to <= upTo) {
      Edit edit = edits.remove(0);
      passed.write(bytes, gone, edit.from - gone);
      passed.writeBytes(edit.with);
      gone = edit.to;
    }
    passed.write(bytes, gone, upTo - gone);
    gone = upTo;
    return passed.toByteArray();
  }

  /** How much memory its bytes take. */
  int heldBytes() {
    return bytes.length;
  }

  /** Lets go of what has gone on and is needed no more. */
  private void forget() {
    if (!edits.isEmpty()) {
      return;
    }
    if (lost) {
      System.arraycopy(bytes, gone, bytes, 0, count - gone);
      count -= gone;
      gone = 0;
      return;
    }
    int end = grammar.understood();
    if (end > gone || grammar.forgettable() < FEW_BYTES) {
      return;
    }
    int cut = grammar.forgettable();
    System.arraycopy(bytes, end, bytes, end - cut, count - end);
    grammar.forget(cut, bytes);
    count -= cut;
    gone -= cut;
  }

  /** Notes the references in one stream, and in those of its {@code MarshalledObject}s. */
  private final class References implements StreamObserver {
    /** Null outside of arrays. */
    private final Array in;

    private final int nesting;

    /** Whether what has begun and not ended is a {@code MarshalledObject}; innermost first. */
    private final Deque<Boolean> open = new ArrayDeque<>();

    References(Array in, int nesting) {
      this.in = in;
      this.nesting = nesting;
    }

    @Override
    public void beginAnnotation(StreamClass descriptor) {
      open.push(false);
    }

    @Override
    public void beginArray(int handle, StreamClass type, int length, int elementsAt) {
      open.push(false);
    }

    @Override
    public void beginEnum(int handle, StreamClass type) {
      open.push(false);
    }

    @Override
    public void beginObject(int handle, StreamClass type) {
      open.push(type.isNamed(MARSHALLED_OBJECT));
    }

    @Override
    public void onEnd() {
      open.poll();
    }

    @Override
    public void onReset() {
      open.clear();
    }

    /** Arrays whose length may have to change are waited for. */
    @Override
    public boolean takesPieces() {
      return !isInMarshalledObject();
    }

    private boolean isInMarshalledObject() {
      return !open.isEmpty() && open.peek();
    }

    @Override
    public void onPlainArray(int handle, StreamClass type, int length, int elementsAt) {
      if (nesting < MAX_NESTED && isInMarshalledObject() && type.isNamed(BYTES)) {
        Array array = new Array(elementsAt - Integer.BYTES, length, in);
        new StreamGrammar().end(bytes, elementsAt, length, new References(array, nesting + 1));
      }
    }

    @Override
    public void onBlockData(int at, int length) {
      if (length >= LiveReferenceScan.MIN_BLOCK_BYTES && LiveReferenceScan.isName(bytes, at)) {
        ReferenceBlock block = ReferenceBlock.read(bytes, at, length);
        if (!(block instanceof ReferenceBlock.Other)) {
          found.add(new Found(at, length, block, in));
        }
      }
    }
  }
}
