package io.rmigate.perf.amplification;

import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.tunnel.Clean;
import io.rmigate.protocol.tunnel.Close;
import io.rmigate.protocol.tunnel.CloseCause;
import io.rmigate.protocol.tunnel.Dirty;
import io.rmigate.protocol.tunnel.Frame;
import io.rmigate.protocol.tunnel.Grant;
import io.rmigate.protocol.tunnel.Heartbeat;
import io.rmigate.protocol.tunnel.Lookup;
import io.rmigate.protocol.tunnel.ObjectList;
import io.rmigate.protocol.tunnel.Open;
import io.rmigate.protocol.tunnel.RegistryName;
import java.rmi.dgc.Lease;
import java.rmi.dgc.VMID;
import java.rmi.server.ObjID;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/** The frames that ask the gateway for work. */
final class LinkFrames {
  private static final int MANY = 256;

  /** Those of agents are odd; 1 is in use. */
  private static final int FIRST_STREAM = 3;

  private static final byte[] SEALED = new byte[120];

  static List<Request> requests(InnerGateway gateway) {
    EndpointId server = new EndpointId("127.0.0.1", gateway.server().port());
    List<ObjIdentifier> many = objects(ObjectList.MAX_OBJECTS);
    List<ObjIdentifier> granted = objects(Grant.MAX_OBJECTS);
    Map<String, FramesRequest.Frames> kinds = new LinkedHashMap<>();
    kinds.put("a ping", number -> List.of(new Heartbeat(number)));
    kinds.put(MANY + " pings at once", number -> Collections.nCopies(MANY, new Heartbeat(number)));
    kinds.put("a grant", number -> List.of(new Grant(server, List.of(), SEALED)));
    kinds.put(
        "a grant of " + granted.size() + " objects",
        number -> List.of(new Grant(server, granted, SEALED)));
    kinds.put("a lease", ofRuntime(1, new Dirty(0, server, objects(1))));
    kinds.put("leases of " + many.size(), ofRuntime(many.size(), new Dirty(0, server, many)));
    kinds.put("letting go of " + many.size(), ofRuntime(many.size(), new Clean(server, many)));
    kinds.put("a stream, opened and closed", number -> openAndClose(server, 1));
    kinds.put(MANY + " streams, opened and closed at once", number -> openAndClose(server, MANY));
    List<Request> requests = new ArrayList<>();
    for (Map.Entry<String, FramesRequest.Frames> kind : kinds.entrySet()) {
      requests.add(new FramesRequest(gateway, kind.getKey(), kind.getValue()));
    }
    RegistryName nothing = new RegistryName(gateway.registry(), "nothing");
    requests.add(
        new FramesRequest(
            gateway,
            "a lookup that asks the registry",
            number -> {
              CallMaker.callWith(nothing.name()); // by RMI's runtime
              return List.of(new Lookup(number, true, nothing));
            },
            (inbox, number) -> inbox.lookups() >= number));
    return requests;
  }

  /** What RMI's runtime asks for: it writes a Call of the collector, of which the frame is made. */
  private static FramesRequest.Frames ofRuntime(int objects, Frame frame) {
    ObjID[] ids = new ObjID[objects];
    Arrays.setAll(ids, i -> new ObjID());
    Object[] arguments = {ids, new Lease(new VMID(), 0)};
    return number -> {
      CallMaker.callWith(arguments);
      return List.of(frame);
    };
  }

  private static List<ObjIdentifier> objects(int count) {
    return LongStream.range(0, count)
        .mapToObj(number -> new ObjIdentifier(number, 1, 2, (short) 3))
        .toList();
  }

  private static List<Frame> openAndClose(EndpointId server, int streams) {
    List<Frame> frames = new ArrayList<>();
    for (int i = 0; i < streams; i++) {
      int stream = FIRST_STREAM + 2 * i;
      frames.add(new Open(stream, server.host(), server.port(), Duration.ZERO, Duration.ZERO));
      frames.add(new Close(stream, CloseCause.DONE));
    }
    return frames;
  }

  private LinkFrames() {}
}
