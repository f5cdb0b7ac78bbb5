package io.rmigate.protocol.tunnel;

import java.util.EnumSet;
import java.util.Set;

/**
 * What a session may do beyond carrying calls. The agent offers, the gateway answers with those it
 * takes; frames of a feature not taken are violations.
 */
public enum Feature {
  /** Lost transport connections are replaced and frames continue. */
  RESUME(0),
  /** Leases are held by the gateway: dirty, clean and DgcAck travel one way. */
  LEASES(1),
  /** Lookups are cached at the agent and pushed by the gateway. */
  LOOKUPS(2),
  /** The gateway listens for the agent's exported objects. */
  CALLBACKS(3),
  /** The gateway hands grants to the agent: sealed records of what a session was given. */
  GRANTS(4),
  /** Streams may carry bytes that are not JRMP messages, to targets that policy lists for that. */
  RAW_STREAMS(5),
  /** Requests may have a bound, of which the gateway is told. */
  DEADLINES(6),
  /** The end of a stream may say why in words. */
  REASONS(7),
  /** Calls of several streams may be held at the gateway until it is their turn. */
  SEQUENCES(8);

  private final int bit;

  Feature(int bit) {
    this.bit = bit;
  }

  int bit() {
    return bit;
  }

  static int encode(Set<Feature> features) {
    int bits = 0;
    for (Feature feature : features) {
      bits |= 1 << feature.bit;
    }
    return bits;
  }

  /** Bits of later versions are ignored: they are offers. */
  static Set<Feature> decode(int bits) {
    EnumSet<Feature> features = EnumSet.noneOf(Feature.class);
    for (Feature feature : values()) {
      if ((bits & (1 << feature.bit)) != 0) {
        features.add(feature);
      }
    }
    return features;
  }
}
