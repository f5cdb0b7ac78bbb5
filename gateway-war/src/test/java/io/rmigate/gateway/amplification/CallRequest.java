package io.rmigate.gateway.amplification;

import java.io.IOException;

/** A Call over the link. After a refusal, the next one comes from a client of another name. */
final class CallRequest implements Request {
  private final MeasuredGateway gateway;
  private final Graph graph;
  private final MeasuredGateway.Link link;
  private final Object argument;
  private final int callBytes;
  private LinkClient client;

  CallRequest(MeasuredGateway gateway, Graph graph, MeasuredGateway.Link link) throws IOException {
    this.gateway = gateway;
    this.graph = graph;
    this.link = link;
    this.argument = graph.make();
    this.callBytes = CallMaker.callWith(argument).length;
    this.client = gateway.client(link);
  }

  @Override
  public String name() {
    return graph + ", " + link;
  }

  @Override
  public long once(Meter meter) throws IOException {
    gateway.server().expect(callBytes);
    long before = client.sentBytes();
    boolean executed = client.call(meter, () -> CallMaker.callWith(argument));
    long bytes = client.sentBytes() - before;
    if (executed == (graph == Graph.FOREIGN)) {
      throw new IllegalStateException(name() + " is " + (executed ? "not refused" : "refused"));
    }
    if (!executed) {
      client.close();
      client = gateway.client(link);
    }
    return bytes;
  }

  @Override
  public void close() throws IOException {
    client.close();
  }
}
