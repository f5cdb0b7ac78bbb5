package io.rmigate.gateway.amplification;

import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.tunnel.Close;
import io.rmigate.protocol.tunnel.CloseCause;
import io.rmigate.protocol.tunnel.Frame;
import io.rmigate.protocol.tunnel.Grant;
import io.rmigate.protocol.tunnel.Heartbeat;
import io.rmigate.protocol.tunnel.Lookup;
import io.rmigate.protocol.tunnel.ObjectList;
import io.rmigate.protocol.tunnel.Open;
import io.rmigate.protocol.tunnel.RegistryName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Requests that are frames without a Call: pings, streams, grants, leases, lookups. */
final class LinkFrames {
  private static final int MANY = 256;

  /** Streams of agents have odd numbers; {@link LinkClient} uses 1. */
  private static final int FIRST_STREAM = 3;

  static List<Request> requests(MeasuredGateway gateway) {
    EndpointId server = new EndpointId("127.0.0.1", gateway.server().port());
    Map<String, FramesRequest.Frames> kinds = new LinkedHashMap<>();
    kinds.put("a ping", number -> List.of(new Heartbeat(number)));
    kinds.put(MANY + " pings at once", number -> Collections.nCopies(MANY, new Heartbeat(number)));
    kinds.put("a stream, opened and closed", number -> openAndClose(server, 1));
    kinds.put(MANY + " streams, opened and closed at once", number -> openAndClose(server, MANY));
    List<Request> requests = new ArrayList<>();
    for (Map.Entry<String, FramesRequest.Frames> kind : kinds.entrySet()) {
      requests.add(new FramesRequest(gateway, kind.getKey(), kind.getValue()));
    }
    for (int objects : new int[] {0, Grant.MAX_OBJECTS}) {
      requests.add(GrantRequest.sealed(gateway, objects));
      requests.add(GrantRequest.forged(gateway, objects));
    }
    requests.add(LeaseRequest.taking(gateway, 1));
    requests.add(LeaseRequest.taking(gateway, ObjectList.MAX_OBJECTS));
    requests.add(LeaseRequest.lettingGo(gateway, ObjectList.MAX_OBJECTS));
    RegistryName nothing = new RegistryName(gateway.registry(), "nothing");
    requests.add(
        new FramesRequest(
            gateway,
            "a lookup that asks the registry",
            number -> {
              CallMaker.callWith(nothing.name()); // the RMI runtime would write it
              return List.of(new Lookup(number, true, nothing));
            },
            (inbox, number) -> inbox.lookups() >= number));
    return requests;
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
