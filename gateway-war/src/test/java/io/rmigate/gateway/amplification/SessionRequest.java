package io.rmigate.gateway.amplification;

import io.rmigate.gateway.login.Principal;
import io.rmigate.protocol.tunnel.Frame;
import java.io.IOException;
import java.util.List;

/**
 * A frame that differs in each request of a session and may need frames before it. After {@link
 * #REQUESTS} of them the same principal opens a new session.
 */
abstract class SessionRequest implements Request {
  /** Requests in one session. */
  static final int REQUESTS = 50;

  private final String name;
  private final MeasuredGateway gateway;
  private final Principal principal;
  private int number;

  /** Null until the first request. */
  private LinkClient client;

  SessionRequest(MeasuredGateway gateway, String name) {
    this.gateway = gateway;
    this.name = name;
    this.principal = gateway.stranger();
  }

  /** Sends the frames that a new session needs before the first request. */
  void prepare(LinkClient speaker) throws IOException {}

  /** The frame of a request by its number in the session, from 1. Making it is not measured. */
  abstract Frame frame(int next);

  /** Makes the objects of the RMI runtime, for which the client is charged. */
  void makeByRuntime() throws IOException {}

  /** Waits for the end of the request; fails if it ended otherwise than expected. */
  abstract void await(LinkClient speaker, Meter meter, int latest) throws IOException;

  final MeasuredGateway gateway() {
    return gateway;
  }

  final Principal principal() {
    return principal;
  }

  @Override
  public final String name() {
    return name;
  }

  @Override
  public final long once(Meter meter) throws IOException {
    if (client == null || number == REQUESTS) {
      meter.aside(this::begin);
    }
    number++;
    Frame frame = frame(number);
    long before = client.sentBytes();
    client.send(
        meter,
        () -> {
          makeByRuntime();
          return List.of(frame);
        });
    await(client, meter, number);
    return client.sentBytes() - before;
  }

  private void begin() throws IOException {
    close();
    client = gateway.client(MeasuredGateway.Link.PLAIN, principal);
    number = 0;
    prepare(client);
  }

  @Override
  public final void close() throws IOException {
    if (client != null) {
      client.close();
      gateway.meters().awaitHeld(0); // the gateway cleans leases after the goodbye
    }
  }
}
