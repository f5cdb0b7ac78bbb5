package io.rmigate.gateway.scan;

import io.rmigate.protocol.jrmp.Jrmp;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.VmIdentifier;
import io.rmigate.protocol.jrmp.message.DgcCall;
import io.rmigate.protocol.jrmp.message.RegistryOperation;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;

/** The calls of {@link Bombs} at any object, at a registry and at a collector. */
public final class AddressedBombs {
  private static final int OBJECT_AT = 7;
  private static final int OPERATION_AT = 29;

  /** RMI specification, 8.3 and the stub of {@code sun.rmi.transport.DGCImpl}. */
  private static final int DIRTY = 1;

  /** By their names. */
  public static Map<String, byte[]> calls() {
    Map<String, byte[]> calls = new LinkedHashMap<>();
    Bombs.hungry().forEach((name, call) -> calls.putAll(addressed(name, call)));
    List<ObjIdentifier> others =
        LongStream.range(0, DgcCall.MAX_OBJECTS)
            .mapToObj(number -> new ObjIdentifier(number, 1, 2, (short) 3))
            .toList();
    calls.put(
        "lease of one object again and again", dirty(Collections.nCopies(10_000, others.get(0))));
    calls.put("lease of many objects", dirty(others));
    return calls;
  }

  private static byte[] dirty(List<ObjIdentifier> objects) {
    VmIdentifier client = new VmIdentifier(1, 2, 3, (short) 4);
    return new DgcCall.Dirty(objects, 1, Optional.of(client), 600_000).encode();
  }

  private static Map<String, byte[]> addressed(String name, byte[] call) {
    Map<String, byte[]> calls = new LinkedHashMap<>();
    calls.put(name, to(new ObjIdentifier(7, 1, 2, (short) 3), Jrmp.OPERATION_BY_HASH, 12345, call));
    calls.put(
        name + " at a registry",
        to(
            ObjIdentifier.REGISTRY,
            RegistryOperation.LOOKUP.number(),
            RegistryOperation.INTERFACE_HASH,
            call));
    calls.put(name + " at a collector", to(ObjIdentifier.DGC, DIRTY, DgcCall.INTERFACE_HASH, call));
    return calls;
  }

  private static byte[] to(ObjIdentifier object, int operation, long hash, byte[] call) {
    return ByteBuffer.wrap(call.clone())
        .put(OBJECT_AT, object.encode())
        .putInt(OPERATION_AT, operation)
        .putLong(OPERATION_AT + Integer.BYTES, hash)
        .array();
  }

  private AddressedBombs() {}
}
