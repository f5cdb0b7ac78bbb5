package io.rmigate.perf.amplification;

import io.rmigate.protocol.coding.CodedWriter;
import io.rmigate.protocol.coding.ContentCoding;
import io.rmigate.protocol.tunnel.CloseCause;
import io.rmigate.protocol.tunnel.Credit;
import io.rmigate.protocol.tunnel.Feature;
import io.rmigate.protocol.tunnel.Frame;
import io.rmigate.protocol.tunnel.FrameOutput;
import io.rmigate.protocol.tunnel.Goodbye;
import io.rmigate.protocol.tunnel.Hello;
import io.rmigate.protocol.tunnel.Open;
import io.rmigate.protocol.tunnel.SessionToken;
import io.rmigate.protocol.tunnel.Tunnel;
import io.rmigate.protocol.tunnel.Welcome;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/** A client of the link: says what an agent would, with the agent's writers. */
final class LinkClient implements AutoCloseable {
  private static final int STREAM = 1;
  private static final int CREDIT_BYTES = 256 * 1024;

  /** Of a call in one frame. */
  private static final int PART_BYTES = 16 * 1024;

  /** Makes a Call. */
  interface Maker {
    byte[] make() throws IOException;
  }

  private final Road road;
  private final Inbox inbox;
  private final CodedWriter coder = new CodedWriter(ContentCoding.DEFLATE_1);
  private final FrameOutput batch = new FrameOutput(PART_BYTES + Tunnel.MAX_HEADER_BYTES);
  private long said;
  private long told;
  private long toldUntilCredit;

  private LinkClient(Road road, Inbox inbox) {
    this.road = road;
    this.inbox = inbox;
  }

  /** Opens a session, and a stream to a server. */
  static LinkClient open(Road road, Inbox inbox, boolean coded, int port) throws IOException {
    LinkClient client = new LinkClient(road, inbox);
    client.say(
        List.of(
            new Hello(
                Tunnel.VERSION,
                Tunnel.VERSION,
                Set.of(Feature.LEASES, Feature.LOOKUPS, Feature.GRANTS),
                SessionToken.NONE,
                0,
                CREDIT_BYTES,
                List.of(coded ? ContentCoding.DEFLATE_1.name() : Welcome.IDENTITY),
                Map.of())));
    client.await(Meter.nobodys(), Inbox::isWelcome);
    client.coder.turn(coded);
    client.say(List.of(new Open(STREAM, "127.0.0.1", port, Duration.ZERO, Duration.ZERO)));
    return client;
  }

  /** Makes frames. */
  interface Framing {
    List<Frame> make() throws IOException;
  }

  private void say(List<Frame> frames) throws IOException {
    say(Meter.nobodys(), () -> frames);
  }

  /** Has frames made, and says them at once. */
  void say(Meter meter, Framing frames) throws IOException {
    meter.client(
        () -> {
          batch.clear();
          frames.make().forEach(batch::append);
          sendBatch();
        });
    meter.gateway(road::take);
  }

  /** By the client. */
  private void sendBatch() throws IOException {
    FrameOutput leaving = coder.code(batch, System.nanoTime());
    road.send(leaving.array(), leaving.size());
  }

  /** Has a call made, says it, and waits until it is answered; false: it was refused. */
  boolean call(Meter meter, Maker maker) throws IOException {
    byte[][] made = new byte[1][];
    meter.client(() -> made[0] = maker.make());
    byte[] call = made[0];
    for (int from = 0; from < call.length; from += PART_BYTES) {
      int at = from;
      int length = Math.min(PART_BYTES, call.length - from);
      await(meter, () -> inbox.credit() >= said + length || inbox.refused() > 0);
      meter.client(
          () -> {
            batch.clear();
            batch.data(STREAM, at + length == call.length, call, at, length);
            sendBatch();
          });
      meter.gateway(road::take);
      said += length;
    }
    await(meter, () -> inbox.dataBytes() >= told + InnerServer.RETURN_BYTES || inbox.refused() > 0);
    told += InnerServer.RETURN_BYTES;
    toldUntilCredit += InnerServer.RETURN_BYTES;
    if (toldUntilCredit > CREDIT_BYTES / 2) {
      say(List.of(new Credit(STREAM, (int) toldUntilCredit)));
      toldUntilCredit = 0;
    }
    return inbox.refused() == 0;
  }

  /** Waits until it has been told that. */
  void await(Meter meter, Predicate<Inbox> condition) throws IOException {
    await(meter, () -> condition.test(inbox));
  }

  /**
   * Waits until it has been told that, and sends what the gateway needs to be able to say anything.
   */
  private void await(Meter meter, BooleanSupplier condition) throws IOException {
    while (!inbox.await(condition, road::isDry)) {
      meter.client(() -> road.send(new byte[0], 0));
      meter.gateway(road::take);
    }
  }

  long sentBytes() {
    return road.sentBytes();
  }

  @Override
  public void close() throws IOException {
    say(List.of(new Goodbye(CloseCause.DONE, "")));
    coder.close();
    road.close();
  }
}
