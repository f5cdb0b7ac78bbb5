package io.rmigate.protocol.jrmp.message;

import io.rmigate.protocol.jrmp.StreamClass;
import io.rmigate.protocol.jrmp.StreamTokens;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The five classes of DGC messages, and arrays, exactly as every JDK describes them. */
final class DgcClasses {
  static final String ID_ARRAY = "[Ljava.rmi.server.ObjID;";
  static final String OBJ_ID = "java.rmi.server.ObjID";
  static final String UID = "java.rmi.server.UID";
  static final String VMID = "java.rmi.dgc.VMID";
  static final String LEASE = "java.rmi.dgc.Lease";
  static final String BYTES = "[B";

  /** serialVersionUID and fields of a class descriptor, in stream order. */
  record Shape(long suid, List<StreamClass.Field> fields) {}

  static final Map<String, Shape> SHAPES =
      Map.of(
          ID_ARRAY, shape(0x871300b8d02c647eL),
          OBJ_ID,
              shape(
                  0xa75efa128ddce55cL,
                  field("objNum", "J"),
                  field("space", "Ljava/rmi/server/UID;")),
          UID,
              shape(
                  0x0f12700dbf364f12L,
                  field("count", "S"),
                  field("time", "J"),
                  field("unique", "I")),
          VMID,
              shape(
                  0xf8865bafa4a56db6L, field("addr", "[B"), field("uid", "Ljava/rmi/server/UID;")),
          LEASE,
              shape(0xb0b5e2660c4adc34L, field("value", "J"), field("vmid", "Ljava/rmi/dgc/VMID;")),
          BYTES, shape(0xacf317f8060854e0L));

  /**
   * The one of these classes that a descriptor describes, exactly; empty for any other. Allocates
   * nothing in proportion to what the descriptor says.
   */
  static Optional<String> of(StreamClass descriptor) {
    if (descriptor.flags() == StreamTokens.SC_SERIALIZABLE && descriptor.superclass().isEmpty()) {
      for (Map.Entry<String, Shape> known : SHAPES.entrySet()) {
        if (descriptor.isNamed(known.getKey())
            && descriptor.serialVersionUid() == known.getValue().suid()
            && descriptor.declares(known.getValue().fields())) {
          return Optional.of(known.getKey());
        }
      }
    }
    return Optional.empty();
  }

  private static Shape shape(long suid, StreamClass.Field... fields) {
    return new Shape(suid, List.of(fields));
  }

  private static StreamClass.Field field(String name, String signature) {
    return new StreamClass.Field(name, signature);
  }

  private DgcClasses() {}
}
