package io.rmigate.perf.amplification;

import io.rmigate.gateway.login.Principal;
import io.rmigate.protocol.tunnel.Frame;
import java.io.IOException;
import java.util.List;

/**
 * A frame that is different each time and has its worth in a session of which something has come
 * before. After so many of them there is a new session; the client remains who it is.
 */
abstract class SessionRequest implements Request {
  /** In one session. */
  static final int REQUESTS = 50;

  private final String name;
  private final InnerGateway gateway;
  private final Principal principal;
  private int number;

  /** Null until there is need of one. */
  private LinkClient client;

  SessionRequest(InnerGateway gateway, String name) {
    this.gateway = gateway;
    this.name = name;
    this.principal = gateway.stranger();
  }

  /** What has to come before, in a new session. */
  void prepare(LinkClient speaker) throws IOException {}

  /** The next of the session, by its number, from 1. The client has it before. */
  abstract Frame frame(int next);

  /** What the client's runtime makes besides. */
  void makeByRuntime() throws IOException {}

  /** Waits for its end, which must be the right one. */
  abstract void await(LinkClient speaker, Meter meter, int latest) throws IOException;

  final InnerGateway gateway() {
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
    client.say(
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
    client = gateway.client(InnerGateway.Link.PLAIN, principal);
    number = 0;
    prepare(client);
  }

  @Override
  public final void close() throws IOException {
    if (client != null) {
      client.close();
      gateway.meters().awaitHeld(0); // what is held is cleaned behind the goodbye
    }
  }
}
