package io.rmigate.gateway.amplification;

import io.rmigate.protocol.tunnel.Frame;
import java.io.IOException;
import java.util.List;

/** Frames that form one request and are sent at once. */
final class FramesRequest implements Request {
  /** Makes the frames of a request by its number, which begins at 1. */
  interface Frames {
    List<Frame> make(long number) throws IOException;
  }

  /** Tells whether the request of a number has ended. */
  interface End {
    boolean isSeen(Inbox inbox, long number);
  }

  private final String name;
  private final MeasuredGateway gateway;
  private final Frames frames;
  private final End end;
  private long number;

  /** Null until the first request: the gateway gives up a client that is silent for long. */
  private LinkClient client;

  FramesRequest(MeasuredGateway gateway, String name, Frames frames, End end) {
    this.name = name;
    this.frames = frames;
    this.end = end;
    this.gateway = gateway;
  }

  /** A request that has ended when the gateway has taken its frames. */
  FramesRequest(MeasuredGateway gateway, String name, Frames frames) {
    this(gateway, name, frames, (inbox, any) -> true);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public long once(Meter meter) throws IOException {
    if (client == null) {
      client = gateway.client(MeasuredGateway.Link.PLAIN);
    }
    long before = client.sentBytes();
    number++;
    client.send(meter, () -> frames.make(number));
    client.await(meter, inbox -> end.isSeen(inbox, number));
    return client.sentBytes() - before;
  }

  @Override
  public void close() throws IOException {
    if (client != null) {
      client.close();
    }
  }
}
