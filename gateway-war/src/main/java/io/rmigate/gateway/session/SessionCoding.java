package io.rmigate.gateway.session;

import io.rmigate.gateway.view.GatewayView;
import io.rmigate.gateway.view.SessionMeters;
import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.coding.CodedReader;
import io.rmigate.protocol.coding.CodedWriter;
import io.rmigate.protocol.coding.CodingFigures;
import io.rmigate.protocol.coding.Compression;
import io.rmigate.protocol.coding.ContentCoding;
import io.rmigate.protocol.tunnel.Coding;
import java.util.List;

/**
 * Compression of one session: what is picked of the agent's offer, and whether the gateway codes
 * what it sends. With {@code auto} that is as the agent wishes, who knows the link; what the agent
 * sends is for the agent to decide in any case.
 *
 * <p>Confined to the edge's thread, except {@link #view}.
 */
final class SessionCoding {
  private final OutboundQueue outbound;
  private final CodedReader reader;
  private final SessionMeters meters;
  private Compression mode = Compression.OFF;
  private volatile ContentCoding coding = ContentCoding.IDENTITY;
  private volatile CodedWriter writer;
  private CodingFigures counted = CodingFigures.NONE;
  private long countedContexts;

  SessionCoding(OutboundQueue outbound, CodedReader reader, SessionMeters meters) {
    this.outbound = outbound;
    this.reader = reader;
    this.meters = meters;
  }

  /** Picks the content coding for both directions; returns its name for WELCOME. */
  String pick(List<String> offered, Compression allowed) {
    mode = allowed;
    coding = ContentCoding.picked(offered, allowed);
    reader.begin(coding);
    return coding.name();
  }

  /** WELCOME has left: what follows may be coded. */
  void welcomed() {
    if (coding.isIdentity()) {
      return;
    }
    CodedWriter coder = new CodedWriter(coding);
    coder.turn(mode == Compression.ON);
    outbound.codeWith(coder);
    writer = coder;
  }

  /** The agent says what it would have the gateway do. */
  void onWish(Coding wish) throws ProtocolViolationException {
    if (coding.isIdentity()) {
      throw new ProtocolViolationException("expected no CODING without a coding");
    }
    if (mode == Compression.AUTO) {
      writer.turn(wish.wanted());
    }
  }

  /**
   * Reports what has come coded since the last time.
   *
   * @return how many contexts were begun for it: each one takes as long as a chore does
   */
  long count() {
    if (coding.isIdentity()) {
      return 0;
    }
    if (reader.codedBytes() != counted.codedBytes()) {
      CodingFigures now = reader.figures();
      meters.codedFromAgent(now.since(counted));
      counted = now;
    }
    long begun = reader.contexts() - countedContexts;
    countedContexts += begun;
    return begun;
  }

  /** A snapshot; from any thread. */
  GatewayView.CodingView view() {
    CodedWriter coder = writer;
    return new GatewayView.CodingView(
        coding.name(),
        coder != null && coder.isOn(),
        GatewayView.CodedView.of(reader.figures()),
        GatewayView.CodedView.of(coder == null ? CodingFigures.NONE : coder.figures()));
  }
}
