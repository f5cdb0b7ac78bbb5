package io.rmigate.client.link;

import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.tunnel.Feature;
import io.rmigate.protocol.tunnel.Frame;
import java.io.IOException;
import java.util.Set;

/**
 * Receives the frames that belong to the session and not to a stream. Called by the thread that
 * reads the link, in the order of the link; must not block.
 */
public interface LinkListener {

  /** Offers no features and accepts no frames. */
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

  /** The features to offer in the hello. */
  Set<Feature> offers();

  /**
   * A frame that neither a stream nor the link handles.
   *
   * @throws ProtocolViolationException a gateway may not send this now
   */
  void onFrame(Link link, Frame frame) throws ProtocolViolationException;

  /**
   * The gateway is going away: the link carries on what it has begun, and new requests go
   * elsewhere. Must not block.
   */
  default void onDraining(Link link) {}

  /** The link has ended; no frame comes any more. Called once, on any thread. */
  void onEnded(Link link, IOException cause);
}
