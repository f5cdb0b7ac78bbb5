package io.rmigate.perf.amplification;

import io.rmigate.protocol.tunnel.Frame;
import java.io.IOException;
import java.util.List;

/** Frames of the link that ask for something, sent at once. */
final class FramesRequest implements Request {
  /** Makes the frames of a request, by its number, from 1. */
  interface Frames {
    List<Frame> make(long number) throws IOException;
  }

  /** Whether a request has had its end, by its number. */
  interface End {
    boolean isSeen(Inbox inbox, long number);
  }

  private final String name;
  private final InnerGateway gateway;
  private final Frames frames;
  private final End end;
  private long number;

  /** Null until there is need of one: who is silent for long is given up. */
  private LinkClient client;

  FramesRequest(InnerGateway gateway, String name, Frames frames, End end) {
    this.name = name;
    this.frames = frames;
    this.end = end;
    this.gateway = gateway;
  }

  /** Of which the end is that of taking them. */
  FramesRequest(InnerGateway gateway, String name, Frames frames) {
    this(gateway, name, frames, (inbox, any) -> true);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public long once(Meter meter) throws IOException {
    if (client == null) {
      client = gateway.client(InnerGateway.Link.PLAIN);
    }
    long before = client.sentBytes();
    number++;
    client.say(meter, () -> frames.make(number));
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
