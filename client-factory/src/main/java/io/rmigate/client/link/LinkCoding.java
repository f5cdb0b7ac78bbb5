package io.rmigate.client.link;

import io.rmigate.client.jvm.NanoClock;
import io.rmigate.client.transport.Transport;
import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.coding.CodedWriter;
import io.rmigate.protocol.coding.CodingFigures;
import io.rmigate.protocol.coding.Compression;
import io.rmigate.protocol.coding.ContentCoding;
import io.rmigate.protocol.tunnel.Coding;
import io.rmigate.protocol.tunnel.Frame;
import io.rmigate.protocol.tunnel.Heartbeat;
import io.rmigate.protocol.tunnel.HeartbeatAck;
import java.util.OptionalLong;

/**
 * Compression of one link: what is offered and picked, and whether it is in use. What the agent
 * decides holds for both directions: the gateway is told with the next frame that is sent anyway.
 *
 * <p>Threads: the welcome, acks and reads come on the reader of the link; writes on any thread.
 */
final class LinkCoding {
  private final Compression mode;
  private final LinkOutbound outbound;
  private final LinkInbound inbound;
  private final LinkGauge gauge = new LinkGauge(NanoClock.SYSTEM);

  /** Empty unless the gateway has taken the hello with the handshake of the transport. */
  private final OptionalLong helloRoundTripNanos;

  private long helloNanos;

  // Set once by the welcome, before anything else is sent.
  private volatile ContentCoding coding = ContentCoding.IDENTITY;
  private volatile CodedWriter writer;

  /** Null unless it is for us to decide. Confined to the reader. */
  private CodingChoice choice;

  /**
   * @param helloRoundTripNanos see {@link Transport#helloNanos}
   */
  LinkCoding(
      Compression mode,
      LinkOutbound outbound,
      LinkInbound inbound,
      OptionalLong helloRoundTripNanos) {
    this.mode = mode;
    this.outbound = outbound;
    this.inbound = inbound;
    this.helloRoundTripNanos = helloRoundTripNanos;
  }

  Compression mode() {
    return mode;
  }

  /** The hello is sent next. */
  void greets() {
    helloNanos = System.nanoTime();
  }

  /** The gateway has picked. */
  void onWelcome(String picked) throws ProtocolViolationException {
    gauge.onRoundTrip(helloRoundTripNanos.orElse(System.nanoTime() - helloNanos));
    if (!ContentCoding.offered(mode).contains(picked)) {
      throw new ProtocolViolationException("expected a coding that was offered, got " + picked);
    }
    coding = ContentCoding.named(picked).orElseThrow();
    if (coding.isIdentity()) {
      return;
    }
    writer = new CodedWriter(coding);
    inbound.decodeWith(coding);
    outbound.codeWith(writer);
    if (mode == Compression.ON) {
      turn(true);
    } else {
      decideFromNowOn();
    }
  }

  private void decideFromNowOn() {
    CodingChoice deciding = new CodingChoice(gauge, NanoClock.SYSTEM);
    choice = deciding;
    Measuring measuring = new Measuring(deciding);
    outbound.probeWith(measuring);
    inbound.rateWith(measuring);
    turn(deciding.decide());
  }

  /** Measurements of the link's traffic, for the choice of coding. */
  private final class Measuring implements LinkOutbound.Probes, LinkInbound.RateSink {
    private final CodingChoice deciding;

    Measuring(CodingChoice deciding) {
      this.deciding = deciding;
    }

    @Override
    public boolean isDue(long nowNanos) {
      return deciding.isProbeDue(nowNanos);
    }

    @Override
    public Frame heartbeat() {
      return gauge.heartbeat();
    }

    @Override
    public void onRead(int bytes, long nanos) {
      if (gauge.onRead(bytes, nanos)) {
        turn(deciding.decide());
      }
    }
  }

  private void turn(boolean on) {
    if (on != writer.isOn()) {
      writer.turn(on);
      outbound.sendWithNext(new Coding(on));
    }
  }

  /** A heartbeat, to be sent at once. */
  Heartbeat heartbeat() {
    return gauge.heartbeat();
  }

  void onAck(HeartbeatAck ack) {
    if (gauge.onAck(ack.number()) && choice != null) {
      turn(choice.decide());
    }
  }

  /** The agreed content coding; {@code identity} before the welcome. */
  ContentCoding coding() {
    return coding;
  }

  /** Whether sent frames are coded now, if that makes them shorter. */
  boolean isOn() {
    CodedWriter coder = writer;
    return coder != null && coder.isOn();
  }

  CodingFigures sent() {
    CodedWriter coder = writer;
    return coder == null ? CodingFigures.NONE : coder.figures();
  }

  CodingFigures received() {
    return inbound.figures();
  }

  /** Whether a heartbeat is unanswered. */
  boolean isWaiting() {
    return gauge.isWaiting();
  }

  /** The shortest of the latest round trips; empty before the welcome. */
  OptionalLong roundTripNanos() {
    return gauge.roundTripNanos();
  }
}
