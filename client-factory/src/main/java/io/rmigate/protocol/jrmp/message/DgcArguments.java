package io.rmigate.protocol.jrmp.message;

import static io.rmigate.protocol.jrmp.message.DgcClasses.BYTES;
import static io.rmigate.protocol.jrmp.message.DgcClasses.ID_ARRAY;
import static io.rmigate.protocol.jrmp.message.DgcClasses.LEASE;
import static io.rmigate.protocol.jrmp.message.DgcClasses.OBJ_ID;
import static io.rmigate.protocol.jrmp.message.DgcClasses.UID;
import static io.rmigate.protocol.jrmp.message.DgcClasses.VMID;

import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.jrmp.BigEndian;
import io.rmigate.protocol.jrmp.Jrmp;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.StreamClass;
import io.rmigate.protocol.jrmp.StreamObserver;
import io.rmigate.protocol.jrmp.StreamTokens;
import io.rmigate.protocol.jrmp.VmIdentifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Gathers the arguments of a DGC call, or the lease of its Return, from the stream: five classes,
 * whose descriptors must be exactly the JDK's. What else turns up makes the call a violation once
 * it is asked for its arguments. One use, one thread.
 */
final class DgcArguments implements StreamObserver {

  /** A value: a class name, "" for a block, "null" for null; where its primitives stand; parts. */
  private static final class Value {
    static final String BLOCK = "";

    /** A value that is of no use here; has no parts. */
    static final Value OTHER = new Value("other", 0, 0);

    static final Value NULL = new Value("null", 0, 0);

    final String kind;
    int at;
    final int length;

    /** The first part, which most values have alone; null when there is none. */
    private Value first;

    private List<Value> others = List.of();

    Value(String kind, int at, int length) {
      this.kind = kind;
      this.at = at;
      this.length = length;
    }

    void add(Value part) {
      if (first == null) {
        first = part;
        return;
      }
      if (others.isEmpty()) {
        others = new ArrayList<>(2);
      }
      others.add(part);
    }

    int count() {
      return first == null ? 0 : 1 + others.size();
    }

    Value part(int index) {
      return index == 0 ? first : others.get(index - 1);
    }
  }

  /** Header, ObjID[], sequence, VMID, strong. */
  private static final List<String> CLEAN =
      List.of(Value.BLOCK, ID_ARRAY, Value.BLOCK, VMID, Value.BLOCK);

  /** Header, ObjID[], sequence, Lease. */
  private static final List<String> DIRTY = List.of(Value.BLOCK, ID_ARRAY, Value.BLOCK, LEASE);

  private final byte[] bytes;
  private final int maxParts;
  private final Value arguments = new Value("arguments", 0, 0);
  private final List<Value> open = new ArrayList<>(List.of(arguments));

  /** Values in the order of their handles; null for a value that is of no use here. */
  private Value[] byHandle = new Value[16];

  /**
   * By descriptor, each equal only to itself, so that an object of one costs no look at its name.
   */
  private final Map<StreamClass, String> kinds = new HashMap<>();

  /** Once there is one nothing more is gathered. */
  private String oddity;

  /**
   * @param maxParts of anything; that is, objects named
   */
  DgcArguments(byte[] bytes, int maxParts) {
    this.bytes = bytes;
    this.maxParts = maxParts;
  }

  @Override
  public void onClassDescriptor(StreamClass descriptor) {
    if (oddity == null) {
      Optional<String> kind = DgcClasses.of(descriptor);
      if (kind.isPresent()) {
        kinds.put(descriptor, kind.get());
      } else {
        odd("class " + descriptor.label());
      }
    }
  }

  @Override
  public void beginAnnotation(StreamClass descriptor) {
    if (oddity == null) {
      open.add(Value.OTHER);
    }
  }

  @Override
  public void beginObject(int handle, StreamClass type) {
    begin(handle, type, -1, 0);
  }

  @Override
  public void onClassData(StreamClass type, int primitivesAt) {
    if (oddity == null) {
      innermost().at = primitivesAt;
    }
  }

  @Override
  public void beginArray(int handle, StreamClass type, int length, int elementsAt) {
    begin(handle, type, elementsAt, length);
  }

  @Override
  public void beginEnum(int handle, StreamClass type) {
    odd("an enum");
  }

  @Override
  public void onClass(int handle, StreamClass type) {
    add(Value.OTHER);
  }

  @Override
  public void onString(int handle, int at, int length) {
    add(Value.OTHER);
  }

  @Override
  public void onBlockData(int at, int length) {
    if (oddity == null && innermost() == arguments) {
      add(new Value(Value.BLOCK, at, length));
    }
  }

  @Override
  public void onReference(int handle) {
    if (oddity == null) {
      int at = handle - StreamTokens.BASE_WIRE_HANDLE;
      Value known = at < byHandle.length ? byHandle[at] : null;
      add(known == null ? Value.OTHER : known);
    }
  }

  @Override
  public void onNull() {
    add(Value.NULL);
  }

  @Override
  public void onEnd() {
    if (oddity == null) {
      open.remove(open.size() - 1);
    }
  }

  @Override
  public void onReset() {
    odd("a reset");
  }

  /**
   * Whether this is the beginning of a call, of which nothing is wrong but that some is missing.
   */
  boolean lackOnly(int operation) {
    List<String> kinds = operation == 0 ? CLEAN : DIRTY;
    int count = arguments.count();
    if (oddity != null || count >= kinds.size()) {
      return false;
    }
    return IntStream.range(0, count).allMatch(i -> arguments.part(i).kind.equals(kinds.get(i)));
  }

  /** The call by the number of its operation: 0 clean, 1 dirty. */
  DgcCall call(int operation) throws ProtocolViolationException {
    return operation == 0 ? clean() : dirty();
  }

  private DgcCall.Clean clean() throws ProtocolViolationException {
    expectArguments(CLEAN.size());
    expectHeaderOf(Jrmp.CALL_HEADER_BYTES);
    Value strong = part(arguments, 4, Value.BLOCK);
    if (strong.length != 1) {
      throw violation("a boolean, got " + strong.length + " bytes");
    }
    return new DgcCall.Clean(
        ids(), sequence(), vmId(part(arguments, 3, VMID)), bytes[strong.at] != 0);
  }

  private DgcCall.Dirty dirty() throws ProtocolViolationException {
    expectArguments(DIRTY.size());
    expectHeaderOf(Jrmp.CALL_HEADER_BYTES);
    LeaseReturn asked = leaseAt(3);
    return new DgcCall.Dirty(ids(), sequence(), asked.client(), asked.durationMillis());
  }

  LeaseReturn lease() throws ProtocolViolationException {
    // Header, Lease
    expectArguments(2);
    expectHeaderOf(Jrmp.RETURN_HEADER_BYTES);
    return leaseAt(1);
  }

  private LeaseReturn leaseAt(int index) throws ProtocolViolationException {
    Value lease = part(arguments, index, LEASE);
    Optional<VmIdentifier> client =
        lease.part(0) == Value.NULL ? Optional.empty() : Optional.of(vmId(part(lease, 0, VMID)));
    return new LeaseReturn(client, BigEndian.int64(bytes, lease.at));
  }

  private void expectArguments(int count) throws ProtocolViolationException {
    if (oddity != null) {
      throw violation("nothing but the JDK's own classes, got " + oddity);
    }
    if (arguments.count() != count) {
      throw violation(count + " contents, got " + arguments.count());
    }
  }

  private void expectHeaderOf(int bytes) throws ProtocolViolationException {
    if (arguments.part(0).length != bytes) {
      throw violation("nothing but the header in its block");
    }
  }

  private List<ObjIdentifier> ids() throws ProtocolViolationException {
    Value array = part(arguments, 1, ID_ARRAY);
    List<ObjIdentifier> ids = new ArrayList<>(array.count());
    for (int i = 0; i < array.count(); i++) {
      Value id = part(array, i, OBJ_ID);
      Value uid = part(id, 0, UID);
      ids.add(new ObjIdentifier(BigEndian.int64(bytes, id.at), unique(uid), time(uid), count(uid)));
    }
    return ids;
  }

  private long sequence() throws ProtocolViolationException {
    Value block = part(arguments, 2, Value.BLOCK);
    if (block.length != Long.BYTES) {
      throw violation("a sequence number of 8 bytes, got " + block.length);
    }
    return BigEndian.int64(bytes, block.at);
  }

  private VmIdentifier vmId(Value vmId) throws ProtocolViolationException {
    Value address = part(vmId, 0, BYTES);
    if (address.length != Long.BYTES) {
      throw violation("a VMID's address of 8 bytes, got " + address.length);
    }
    Value uid = part(vmId, 1, UID);
    return new VmIdentifier(BigEndian.int64(bytes, address.at), unique(uid), time(uid), count(uid));
  }

  private short count(Value uid) {
    return BigEndian.int16(bytes, uid.at);
  }

  private long time(Value uid) {
    return BigEndian.int64(bytes, uid.at + 2);
  }

  private int unique(Value uid) {
    return BigEndian.int32(bytes, uid.at + 10);
  }

  private static Value part(Value whole, int index, String kind) throws ProtocolViolationException {
    Value part = whole.part(index);
    if (!part.kind.equals(kind)) {
      throw violation((kind.isEmpty() ? "a block" : kind) + ", got " + part.kind);
    }
    return part;
  }

  private static ProtocolViolationException violation(String expectedAndGot) {
    return new ProtocolViolationException("DGC call: expected " + expectedAndGot);
  }

  private void begin(int handle, StreamClass type, int at, int length) {
    if (oddity == null) {
      Value value = new Value(kinds.get(type), at, length);
      int index = handle - StreamTokens.BASE_WIRE_HANDLE;
      if (index >= byHandle.length) {
        byHandle = Arrays.copyOf(byHandle, Math.max(index + 1, 2 * byHandle.length));
      }
      byHandle[index] = value;
      add(value);
      open.add(value);
    }
  }

  private void add(Value value) {
    if (oddity == null && innermost() != Value.OTHER) {
      innermost().add(value);
      if (innermost().count() > maxParts) {
        odd("more than " + maxParts + " of them at once");
      }
    }
  }

  private Value innermost() {
    return open.get(open.size() - 1);
  }

  private void odd(String what) {
    if (oddity == null) {
      oddity = what;
    }
  }
}
