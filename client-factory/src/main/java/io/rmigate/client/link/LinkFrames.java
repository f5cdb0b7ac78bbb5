package io.rmigate.client.link;

import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.tunnel.Ack;
import io.rmigate.protocol.tunnel.Close;
import io.rmigate.protocol.tunnel.Credit;
import io.rmigate.protocol.tunnel.Data;
import io.rmigate.protocol.tunnel.Deadline;
import io.rmigate.protocol.tunnel.Frame;
import io.rmigate.protocol.tunnel.FrameLog;
import io.rmigate.protocol.tunnel.FrameSink;
import io.rmigate.protocol.tunnel.Goodbye;
import io.rmigate.protocol.tunnel.Heartbeat;
import io.rmigate.protocol.tunnel.HeartbeatAck;
import io.rmigate.protocol.tunnel.Refused;
import io.rmigate.protocol.tunnel.ReturnEnd;
import io.rmigate.protocol.tunnel.Welcome;

/**
 * What the agent does with each type of frame that comes from the gateway: frames of streams go to
 * the stream, frames of the link to its parts, and all others to the {@link LinkListener}. The
 * compiler demands a case for each type. By the reader of the link.
 */
final class LinkFrames implements FrameSink {
  private static final System.Logger FRAMES = System.getLogger(Link.FRAME_LOG);

  private final Link link;
  private final LinkListener listener;

  LinkFrames(Link link, LinkListener listener) {
    this.link = link;
    this.listener = listener;
  }

  @Override
  public void onFrame(Frame frame) throws ProtocolViolationException {
    if (FRAMES.isLoggable(System.Logger.Level.TRACE)) {
      FRAMES.log(System.Logger.Level.TRACE, FrameLog.line(false, frame));
    }
    switch (frame.type()) {
      case DATA, DATA_LAST -> {
        Data data = (Data) frame;
        link.stream(frame).onData(data.bytes(), data.endOfRequest());
      }
      case CREDIT -> link.stream(frame).onCredit(((Credit) frame).moreBytes());
      case RETURN_END -> link.stream(frame).onReturnEnd((ReturnEnd) frame);
      case REFUSED -> link.stream(frame).onRefused((Refused) frame);
      case CLOSE -> link.stream(frame).onClose((Close) frame);
      case DEADLINE -> link.stream(frame).onDeadline((Deadline) frame);
      case HEARTBEAT -> link.tellLater(new HeartbeatAck(((Heartbeat) frame).number()));
      case ACK -> link.onAck((Ack) frame);
      case DRAIN -> link.onDrain();
      case GOODBYE -> link.onGoodbye((Goodbye) frame);
      case WELCOME -> {
        if (link.greeting().isWelcomed()) {
          listener.onFrame(link, frame);
        } else {
          link.onWelcome((Welcome) frame);
        }
      }
      case HEARTBEAT_ACK -> {
        checkWelcomed(frame);
        link.onHeartbeatAck((HeartbeatAck) frame);
      }
      case BOUND -> {
        checkWelcomed(frame);
        listener.onFrame(link, frame);
        link.greeting().onBound();
      }
      case HELLO,
          REPORT,
          LEAVING,
          OPEN,
          OPEN_RAW,
          SEQUENCE,
          DIRTY,
          CLEAN,
          DGC_ACK,
          LEASED,
          LOOKUP,
          UNBOUND,
          FORGOT,
          LISTEN,
          LISTENING,
          UNLISTEN,
          ACCEPT,
          HOLD,
          RELEASE,
          GRANT,
          CODED,
          CODED_FRESH,
          CODING -> {
        checkWelcomed(frame);
        listener.onFrame(link, frame);
      }
    }
  }

  private void checkWelcomed(Frame frame) throws ProtocolViolationException {
    if (!link.greeting().isWelcomed()) {
      throw new ProtocolViolationException("expected WELCOME first, got " + frame.type());
    }
  }
}
