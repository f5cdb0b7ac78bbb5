package io.rmigate.protocol.tunnel;

import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import java.util.List;

/**
 * No inner JVM holds references to these objects of the agent's JVM any more.
 *
 * @param listener at which they are exported, as in {@link Listen}
 * @param objects one or more, each held since a {@link Hold}; at most {@link
 *     ObjectList#MAX_OBJECTS}
 */
public record Release(long listener, List<ObjIdentifier> objects) implements Frame {
  public Release {
    objects = List.copyOf(objects);
  }

  @Override
  public FrameType type() {
    return FrameType.RELEASE;
  }

  @Override
  public String detail() {
    return "%d %d objects".formatted(listener, objects.size());
  }

  @Override
  public void encodeBody(FrameOutput out) {
    out.varint(listener);
    ObjectList.encode(out, objects);
  }

  static Release decode(int stream, FrameInput in) throws ProtocolViolationException {
    return new Release(Listen.decodeNumber(in), ObjectList.objects(in));
  }
}
