package io.rmigate.client.link;

import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.tunnel.Feature;
import io.rmigate.protocol.tunnel.Frame;
import java.io.IOException;
import java.util.Set;

/**
 * What belongs to the session rather than to a stream, handed up: a link carries frames and does
 * not know what they are about. Called by the thread that reads the link, in the order of the link;
 * must not block.
 */
public interface LinkListener {

  /** Wants nothing. */
  LinkListener NONE =
      new LinkListener() {
        @Override
        public Set<Feature> offers() {
          return Set.of();
        }

        @Override
        public void onFrame(Link link, Frame frame) throws ProtocolViolationException {
          throw new ProtocolViolationException(
              "expected no " + frame.type() + " from a gateway now");
        }

        @Override
        public void onEnded(Link link, IOException cause) {}
      };

  /** The features that hello is to offer. */
  Set<Feature> offers();

  /**
   * A frame that no stream and not the link itself has use for.
   *
   * @throws ProtocolViolationException a gateway may not send this now
   */
  void onFrame(Link link, Frame frame) throws ProtocolViolationException;

  /**
   * The gateway is going away: the link carries on what it has begun, and new requests go
   * elsewhere. Must not block.
   */
  default void onDraining(Link link) {}

  /** The link has ended; nothing comes any more. Called once, by whichever thread is first. */
  void onEnded(Link link, IOException cause);
}
