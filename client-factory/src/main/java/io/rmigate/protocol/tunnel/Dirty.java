package io.rmigate.protocol.tunnel;

import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import java.util.List;

/**
 * The agent's JVM holds references to these objects: the gateway is to hold a lease on them.
 *
 * @param number asks for a {@link Leased} with the same; 0 asks for none
 * @param objects one or more, all at the endpoint; at most {@link ObjectList#MAX_OBJECTS}
 */
public record Dirty(long number, EndpointId endpoint, List<ObjIdentifier> objects)
    implements Frame {
  public Dirty {
    objects = List.copyOf(objects);
  }

  @Override
  public FrameType type() {
    return FrameType.DIRTY;
  }

  @Override
  public String detail() {
    return endpoint + " " + objects.size() + " objects" + (number == 0 ? "" : " asks " + number);
  }

  @Override
  public void encodeBody(FrameOutput out) {
    out.varint(number);
    ObjectList.encode(out, endpoint, objects);
  }

  static Dirty decode(int stream, FrameInput in) throws ProtocolViolationException {
    return new Dirty(in.varlong(Long.MAX_VALUE), ObjectList.endpoint(in), ObjectList.objects(in));
  }
}
