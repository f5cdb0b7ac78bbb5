package io.rmigate.protocol.tunnel;

import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import java.util.List;

/**
 * Inner JVMs hold references to these objects of the agent's JVM now, and none did before: the
 * agent is to register for them there.
 *
 * @param listener at which they are exported, as in {@link Listen}
 * @param objects one or more; at most {@link ObjectList#MAX_OBJECTS}
 */
public record Hold(long listener, List<ObjIdentifier> objects) implements Frame {
  public Hold {
    objects = List.copyOf(objects);
  }

  @Override
  public FrameType type() {
    return FrameType.HOLD;
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

  static Hold decode(int stream, FrameInput in) throws ProtocolViolationException {
    return new Hold(Listen.decodeNumber(in), ObjectList.objects(in));
  }
}
