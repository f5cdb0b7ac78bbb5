package io.rmigate.gateway.amplification;

import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.tunnel.Clean;
import io.rmigate.protocol.tunnel.Dirty;
import io.rmigate.protocol.tunnel.Frame;
import java.io.IOException;
import java.rmi.dgc.Lease;
import java.rmi.dgc.VMID;
import java.rmi.server.ObjID;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;

/**
 * Takes leases of objects that have none yet, or releases leases. The RMI runtime writes a DGC call
 * for both, from which the agent makes a frame; the client is charged for that call.
 */
final class LeaseRequest extends SessionRequest {
  private final EndpointId server;
  private final int count;
  private final boolean lettingGo;
  private final Object[] arguments;

  private LeaseRequest(MeasuredGateway gateway, String name, int count, boolean lettingGo) {
    super(gateway, name);
    this.server = gateway.registry();
    this.count = count;
    this.lettingGo = lettingGo;
    ObjID[] ids = new ObjID[count];
    Arrays.setAll(ids, i -> new ObjID()); // these cost as much to write as the objects of the frame
    this.arguments = new Object[] {ids, new Lease(new VMID(), 0)};
  }

  /** Takes leases of {@code count} objects, and waits until the server has granted them. */
  static LeaseRequest taking(MeasuredGateway gateway, int count) {
    String name = count == 1 ? "a lease" : "leases of " + count;
    return new LeaseRequest(gateway, name, count, false);
  }

  /** Releases leases of {@code count} objects, and waits until the server has been told. */
  static LeaseRequest lettingGo(MeasuredGateway gateway, int count) {
    return new LeaseRequest(gateway, "letting go of " + count, count, true);
  }

  @Override
  void prepare(LinkClient client) throws IOException {
    for (int i = 1; lettingGo && i <= REQUESTS; i++) {
      Dirty dirty = dirty(i);
      client.send(Meter.unread(), () -> List.of(dirty));
      awaitLease(client, Meter.unread(), i);
    }
  }

  @Override
  Frame frame(int next) {
    return lettingGo ? new Clean(server, objects(next)) : dirty(next);
  }

  private Dirty dirty(int number) {
    return new Dirty(number, server, objects(number));
  }

  private List<ObjIdentifier> objects(int number) {
    return LongStream.range(0, count)
        .mapToObj(i -> new ObjIdentifier((long) number * count + i, 1, 2, (short) 3))
        .toList();
  }

  @Override
  void makeByRuntime() throws IOException {
    CallMaker.callWith(arguments);
  }

  @Override
  void await(LinkClient client, Meter meter, int latest) throws IOException {
    if (lettingGo) {
      gateway().meters().awaitHeld((long) (REQUESTS - latest) * count);
    } else {
      awaitLease(client, meter, latest);
    }
  }

  private static void awaitLease(LinkClient client, Meter meter, int number) throws IOException {
    client.await(meter, inbox -> inbox.leases() >= number);
  }
}
