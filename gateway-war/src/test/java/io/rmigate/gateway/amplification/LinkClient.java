package io.rmigate.gateway.amplification;

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

/** A client of the link: sends the frames of an agent, with the agent's own writers. */
final class LinkClient implements AutoCloseable {
  private static final int STREAM = 1;
  private static final int CREDIT_BYTES = 256 * 1024;

  /** Bytes of a call in one frame. */
  private static final int PART_BYTES = 16 * 1024;

  /** Makes a Call. */
  interface Maker {
    byte[] make() throws IOException;
  }

  private final ClientTransport transport;
  private final Inbox inbox;
  private final CodedWriter coder = new CodedWriter(ContentCoding.DEFLATE_1);
  private final FrameOutput batch = new FrameOutput(PART_BYTES + Tunnel.MAX_HEADER_BYTES);
  private long sent;
  private long received;
  private long receivedUntilCredit;

  private LinkClient(ClientTransport transport, Inbox inbox) {
    this.transport = transport;
    this.inbox = inbox;
  }

  /** Opens a session, and a stream to a server. */
  static LinkClient open(ClientTransport transport, Inbox inbox, boolean coded, int port)
      throws IOException {
    LinkClient client = new LinkClient(transport, inbox);
    client.send(
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
    client.await(Meter.unread(), Inbox::isWelcome);
    client.coder.turn(coded);
    client.send(List.of(new Open(STREAM, "127.0.0.1", port, Duration.ZERO, Duration.ZERO)));
    return client;
  }

  /** Makes frames. */
  interface Framing {
    List<Frame> make() throws IOException;
  }

  private void send(List<Frame> frames) throws IOException {
    send(Meter.unread(), () -> frames);
  }

  /** Makes frames and sends them at once. */
  void send(Meter meter, Framing frames) throws IOException {
    meter.client(
        () -> {
          batch.clear();
          frames.make().forEach(batch::append);
          sendBatch();
        });
    meter.gateway(transport::take);
  }

  /** The client's part of sending. */
  private void sendBatch() throws IOException {
    FrameOutput leaving = coder.code(batch, System.nanoTime());
    transport.send(leaving.array(), leaving.size());
  }

  /** Makes a call, sends it, and waits for the reply; false: the gateway refused the call. */
  boolean call(Meter meter, Maker maker) throws IOException {
    byte[][] made = new byte[1][];
    meter.client(() -> made[0] = maker.make());
    byte[] call = made[0];
    for (int from = 0; from < call.length; from += PART_BYTES) {
      int at = from;
      int length = Math.min(PART_BYTES, call.length - from);
      await(meter, () -> inbox.credit() >= sent + length || inbox.refused() > 0);
      meter.client(
          () -> {
            batch.clear();
            batch.data(STREAM, at + length == call.length, call, at, length);
            sendBatch();
          });
      meter.gateway(transport::take);
      sent += length;
    }
    await(
        meter,
        () -> inbox.dataBytes() >= received + ReturningServer.RETURN_BYTES || inbox.refused() > 0);
    received += ReturningServer.RETURN_BYTES;
    receivedUntilCredit += ReturningServer.RETURN_BYTES;
    if (receivedUntilCredit > CREDIT_BYTES / 2) {
      send(List.of(new Credit(STREAM, (int) receivedUntilCredit)));
      receivedUntilCredit = 0;
    }
    return inbox.refused() == 0;
  }

  /** Waits until received frames fulfil the condition. */
  void await(Meter meter, Predicate<Inbox> condition) throws IOException {
    await(meter, () -> condition.test(inbox));
  }

  /**
   * Waits until the condition holds. Over POST, sends empty requests meanwhile, because the gateway
   * can only send in answers.
   */
  private void await(Meter meter, BooleanSupplier condition) throws IOException {
    while (!inbox.await(condition, transport::isDry)) {
      meter.client(() -> transport.send(new byte[0], 0));
      meter.gateway(transport::take);
    }
  }

  long sentBytes() {
    return transport.sentBytes();
  }

  @Override
  public void close() throws IOException {
    send(List.of(new Goodbye(CloseCause.DONE, "")));
    coder.close();
    transport.close();
  }
}
