package io.rmigate.gateway.scan;

import java.security.SecureRandom;
import java.util.List;

/**
 * A hash code of the interfaces of a proxy, in their order, which make its class. It is equal in
 * all messages while this JVM runs. No sender can compute it, so that none can choose lists with
 * equal hash codes.
 */
final class ProxyClassHash {
  private static final long SECRET = new SecureRandom().nextLong() | 1;

  private ProxyClassHash() {}

  static long of(List<String> interfaces) {
    long hash = SECRET;
    for (String name : interfaces) {
      for (int i = 0; i < name.length(); i++) {
        hash = mix(hash ^ name.charAt(i));
      }
      hash = mix(~hash);
    }
    return hash;
  }

  private static long mix(long value) {
    long product = value * SECRET;
    return product ^ (product >>> 32);
  }
}
