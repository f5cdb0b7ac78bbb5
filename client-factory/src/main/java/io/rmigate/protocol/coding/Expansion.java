package io.rmigate.protocol.coding;

import io.rmigate.protocol.tunnel.Tunnel;

/** How much coded frames may yield in one direction (PROTOCOL.md, "Coding", bounds). */
final class Expansion {

  /**
   * Whether coded frames may have yielded that many bytes.
   *
   * @param sentBytes of all frames sent in this direction
   */
  static boolean allows(long yieldedBytes, long sentBytes) {
    return yieldedBytes <= Tunnel.FREE_UNCODED_BYTES + Tunnel.MAX_EXPANSION * sentBytes;
  }

  private Expansion() {}
}
