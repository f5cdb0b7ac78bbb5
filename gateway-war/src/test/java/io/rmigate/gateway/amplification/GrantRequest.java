package io.rmigate.gateway.amplification;

import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.tunnel.Frame;
import io.rmigate.protocol.tunnel.Grant;
import java.util.List;
import java.util.stream.LongStream;

/**
 * A grant that a client shows in a new session: one that the gateway has sealed, or a forged one. A
 * forged grant differs in the last bit, which the gateway notices only after deciphering it.
 */
final class GrantRequest extends SessionRequest {
  private static final int FIRST_PORT = 10_000;

  private final int count;
  private final boolean forged;
  private final long[] before = new long[2];

  private GrantRequest(MeasuredGateway gateway, String name, int count, boolean forged) {
    super(gateway, name);
    this.count = count;
    this.forged = forged;
  }

  /**
   * A grant as the gateway gave it to the client.
   *
   * @param count of objects; 0: a grant of an endpoint that a registry has named
   */
  static GrantRequest sealed(MeasuredGateway gateway, int count) {
    return new GrantRequest(gateway, "a grant" + of(count), count, false);
  }

  /** A grant with one bit changed. */
  static GrantRequest forged(MeasuredGateway gateway, int count) {
    return new GrantRequest(gateway, "a forged grant" + of(count), count, true);
  }

  private static String of(int count) {
    return count == 0 ? "" : " of " + count + " objects";
  }

  @Override
  Frame frame(int next) {
    before[0] = gateway().meters().accepted();
    before[1] = gateway().meters().forged();
    EndpointId endpoint = new EndpointId("127.0.0.1", FIRST_PORT + next);
    List<ObjIdentifier> objects =
        LongStream.range(0, count)
            .mapToObj(i -> new ObjIdentifier((long) next * count + i, 1, 2, (short) 3))
            .toList();
    Grant grant = gateway().sealed(principal(), endpoint, objects);
    if (forged) {
      grant.sealed()[grant.sealed().length - 1] ^= 1;
    }
    return grant;
  }

  /** The request has ended when the gateway has taken the frame. */
  @Override
  void await(LinkClient client, Meter meter, int latest) {
    long accepted = gateway().meters().accepted() - before[0];
    long refused = gateway().meters().forged() - before[1];
    if (accepted != (forged ? 0 : 1) || refused != (forged ? 1 : 0)) {
      throw new IllegalStateException(name() + ": " + accepted + " counted, not " + refused);
    }
  }
}
