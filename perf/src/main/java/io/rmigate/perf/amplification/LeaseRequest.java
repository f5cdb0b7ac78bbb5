package io.rmigate.perf.amplification;

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
 * Leases of objects that nobody has held yet, at a server of the JDK's; or letting go of such that
 * are held. RMI's runtime asks for both: it writes a Call of the collector, of which the agent
 * makes the frame.
 */
final class LeaseRequest extends SessionRequest {
  private final EndpointId server;
  private final int count;
  private final boolean lettingGo;
  private final Object[] arguments;

  private LeaseRequest(InnerGateway gateway, String name, int count, boolean lettingGo) {
    super(gateway, name);
    this.server = gateway.registry();
    this.count = count;
    this.lettingGo = lettingGo;
    ObjID[] ids = new ObjID[count];
    Arrays.setAll(ids, i -> new ObjID()); // others would take as long
    this.arguments = new Object[] {ids, new Lease(new VMID(), 0)};
  }

  /** Takes a lease of so many, and waits until the server has granted it. */
  static LeaseRequest taking(InnerGateway gateway, int count) {
    String name = count == 1 ? "a lease" : "leases of " + count;
    return new LeaseRequest(gateway, name, count, false);
  }

  /** Lets go of so many, and waits until the server has been told. */
  static LeaseRequest lettingGo(InnerGateway gateway, int count) {
    return new LeaseRequest(gateway, "letting go of " + count, count, true);
  }

  @Override
  void prepare(LinkClient speaker) throws IOException {
    for (int i = 1; lettingGo && i <= REQUESTS; i++) {
      Dirty dirty = dirty(i);
      speaker.say(Meter.nobodys(), () -> List.of(dirty));
      awaitLease(speaker, Meter.nobodys(), i);
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
  void await(LinkClient speaker, Meter meter, int latest) throws IOException {
    if (lettingGo) {
      gateway().meters().awaitHeld((long) (REQUESTS - latest) * count);
    } else {
      awaitLease(speaker, meter, latest);
    }
  }

  private static void awaitLease(LinkClient speaker, Meter meter, int number) throws IOException {
    speaker.await(meter, inbox -> inbox.leases() >= number);
  }
}
