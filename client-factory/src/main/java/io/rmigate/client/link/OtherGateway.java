package io.rmigate.client.link;

/** Where a JVM can go whose session cannot go on, since its gateway is not there. */
@FunctionalInterface
public interface OtherGateway {
  /** There is one gateway only. */
  OtherGateway NOWHERE =
      new OtherGateway() {
        @Override
        public boolean isFound(Link lost) {
          return false;
        }
      };

  /**
   * Whether the JVM has another session now, at another gateway, so that this one need not be gone
   * on with. Blocks while that is tried; on a thread of the link's own, with no lock held.
   */
  boolean isFound(Link lost);
}
