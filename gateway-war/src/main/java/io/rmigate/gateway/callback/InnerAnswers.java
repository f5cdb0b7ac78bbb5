package io.rmigate.gateway.callback;

import io.rmigate.gateway.quota.Shares;
import io.rmigate.protocol.AddressOwner;
import io.rmigate.protocol.jrmp.ClientPreamble;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.Jrmp;
import io.rmigate.protocol.jrmp.message.DgcCall;
import io.rmigate.protocol.tunnel.CloseCause;
import java.util.function.Consumer;

/**
 * Answers an inner JVM without the agent: its preamble, Pings and calls of the collector. Guarded
 * by the stream's lock.
 */
final class InnerAnswers implements InnerMessageReader.Answers {
  private static final byte[] PING_ACK = {Jrmp.PING_ACK};
  private static final byte[] NOT_SUPPORTED = {Jrmp.PROTOCOL_NOT_SUPPORTED};

  private final CallbackListener listener;
  private final SessionCallbacks session;
  private final InnerPeer peer;
  private final InnerOutput output;
  private final Consumer<CloseCause> close;

  /**
   * @param close ends the connection behind what was answered
   */
  InnerAnswers(
      SessionCallbacks session,
      CallbackListener listener,
      InnerPeer peer,
      InnerOutput output,
      Consumer<CloseCause> close) {
    this.session = session;
    this.listener = listener;
    this.peer = peer;
    this.output = output;
    this.close = close;
  }

  @Override
  public void onPreamble() {
    session.all().meters().callbackAnswered();
    output.answer(
        ClientPreamble.acknowledgement(
            new EndpointId(peer.address().getAddress().getHostAddress(), peer.port())));
  }

  @Override
  public void onOtherProtocol() {
    output.answer(NOT_SUPPORTED);
    close.accept(CloseCause.BAD_REQUEST);
  }

  @Override
  public void onPing() {
    session.all().meters().callbackAnswered();
    output.answer(PING_ACK);
  }

  @Override
  public void onCollectorCall(DgcCall call) {
    session.all().meters().callbackAnswered();
    session
        .references()
        .answer(listener, peer.host(), call)
        .ifPresentOrElse(output::answer, () -> close.accept(CloseCause.DONE));
  }

  @Override
  public boolean mayKeep(int change) {
    if (change < 0) {
      session.kept().release(peer.sharer(), -change);
      return true;
    }
    return change == 0 || session.kept().take(peer.sharer(), change, SessionCallbacks.KEPT_BYTES);
  }

  @Override
  public void onNoRoom() {
    Shares<AddressOwner> kept = session.kept();
    String taken = kept.taken() + " kept, " + kept.of(peer.sharer()) + " of them";
    session.all().tooMuch(session, "bytes of calls of the collector", taken, peer.sharer());
    close.accept(CloseCause.DONE);
  }
}
