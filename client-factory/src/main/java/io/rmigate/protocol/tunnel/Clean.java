package io.rmigate.protocol.tunnel;

import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import java.util.List;

/**
 * The agent's JVM holds no reference to these objects any more.
 *
 * @param objects one or more, all at the endpoint; at most {@link ObjectList#MAX_OBJECTS}
 */
public record Clean(EndpointId endpoint, List<ObjIdentifier> objects) implements Frame {
  public Clean {
    objects = List.copyOf(objects);
  }

  @Override
  public FrameType type() {
    return FrameType.CLEAN;
  }

  @Override
  public String detail() {
    return endpoint + " " + objects.size() + " objects";
  }

  @Override
  public void encodeBody(FrameOutput out) {
    ObjectList.encode(out, endpoint, objects);
  }

  static Clean decode(int stream, FrameInput in) throws ProtocolViolationException {
    return new Clean(ObjectList.endpoint(in), ObjectList.objects(in));
  }
}
