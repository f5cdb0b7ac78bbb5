package io.rmigate.protocol.tunnel;

import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.Jrmp;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** An endpoint and objects at it, as the frames of leases carry them. */
public final class ObjectList {
  /** Most objects that surely fit the body of a frame beside the longest host. */
  public static final int MAX_OBJECTS = 512;

  /** Whether frames can name the endpoint, to the letter: else no server is there either. */
  public static boolean canName(EndpointId endpoint) {
    return canCarry(endpoint.host())
        && !endpoint.host().isEmpty()
        && endpoint.port() > 0
        && endpoint.port() <= 0xFFFF;
  }

  /** Whether a text of a frame can be this one: not too long, and no half characters. */
  static boolean canCarry(String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    return utf8.length <= Tunnel.MAX_TEXT_BYTES
        && text.equals(new String(utf8, StandardCharsets.UTF_8));
  }

  static void encode(FrameOutput out, EndpointId endpoint, List<ObjIdentifier> objects) {
    out.text(endpoint.host());
    out.u16(endpoint.port());
    encode(out, objects);
  }

  static void encode(FrameOutput out, List<ObjIdentifier> objects) {
    if (objects.isEmpty() || objects.size() > MAX_OBJECTS) {
      throw new IllegalStateException(objects.size() + " objects");
    }
    for (ObjIdentifier object : objects) {
      out.raw(object.encode(), 0, Jrmp.OBJ_ID_BYTES);
    }
  }

  static EndpointId endpoint(FrameInput in) throws ProtocolViolationException {
    EndpointId endpoint = new EndpointId(in.text(), in.u16());
    if (endpoint.host().isEmpty() || endpoint.port() == 0) {
      throw new ProtocolViolationException("expected a host and a port from 1, got none");
    }
    return endpoint;
  }

  /** Reads ObjIDs to the end of the body. */
  static List<ObjIdentifier> objects(FrameInput in) throws ProtocolViolationException {
    int bytes = in.remaining();
    int count = bytes / Jrmp.OBJ_ID_BYTES;
    if (bytes == 0 || bytes % Jrmp.OBJ_ID_BYTES != 0 || count > MAX_OBJECTS) {
      throw new ProtocolViolationException(
          "expected 1 to %d ObjIDs of %d bytes, got %d bytes"
              .formatted(MAX_OBJECTS, Jrmp.OBJ_ID_BYTES, bytes));
    }
    List<ObjIdentifier> objects = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      objects.add(ObjIdentifier.decode(in.bytes(Jrmp.OBJ_ID_BYTES), 0));
    }
    return objects;
  }

  private ObjectList() {}
}
