package io.rmigate.protocol.tunnel;

import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Objects of one JVM, whose ObjIDs have most of their UIDs in common: 10 bytes each instead of 22
 * (PROTOCOL.md, section 12).
 *
 * <pre>
 *   u16 number of all objects, then groups of them:
 *     u32 unique, u64 time, u16 number of objects in this group
 *       u64 object number, u16 count
 * </pre>
 */
final class PackedObjects {
  private static final int MEMBER_BYTES = 8 + 2;

  private record Common(int unique, long time) {}

  static void encode(FrameOutput out, List<ObjIdentifier> objects) {
    Map<Common, List<ObjIdentifier>> groups = new LinkedHashMap<>();
    for (ObjIdentifier object : objects) {
      groups
          .computeIfAbsent(
              new Common(object.unique(), object.time()), first -> new ArrayList<>(objects.size()))
          .add(object);
    }
    out.u16(objects.size());
    groups.forEach(
        (common, members) -> {
          out.u32(common.unique());
          out.u64(common.time());
          out.u16(members.size());
          for (ObjIdentifier member : members) {
            out.u64(member.objNum());
            out.u16(member.count() & 0xFFFF);
          }
        });
  }

  static List<ObjIdentifier> decode(FrameInput in, int max) throws ProtocolViolationException {
    int number = in.u16();
    if (number == 0 || number > max) {
      throw new ProtocolViolationException(
          "expected 1 to %d objects, got %d".formatted(max, number));
    }
    List<ObjIdentifier> objects = new ArrayList<>(Math.min(number, in.remaining() / MEMBER_BYTES));
    while (objects.size() < number) {
      int unique = in.u32();
      long time = in.u64();
      int members = in.u16();
      if (members == 0 || members > number - objects.size()) {
        throw new ProtocolViolationException(
            "expected 1 to %d objects of one UID, got %d"
                .formatted(number - objects.size(), members));
      }
      for (int i = 0; i < members; i++) {
        objects.add(new ObjIdentifier(in.u64(), unique, time, (short) in.u16()));
      }
    }
    return objects;
  }

  private PackedObjects() {}
}
