package io.rmigate.gateway.services;

import java.util.List;
import java.util.Optional;

/**
 * What an address below {@code /services/} means.
 *
 * @param object the entry it is below
 * @param handle a contract's name and a handle's bits; empty: the published object itself is meant
 * @param rest what follows: an operation, a description, {@code lease}; empty: nothing does
 */
record ServicePath(PublishedObject object, Optional<HandleName> handle, String rest) {

  /** The two parts of an address by which a handle goes. */
  record HandleName(String contract, String id) {}

  /** Reads the parts behind an entry's path; empty if they mean nothing. */
  static Optional<ServicePath> of(PublishedObject object, List<String> parts) {
    return switch (parts.size()) {
      case 0 -> Optional.of(new ServicePath(object, Optional.empty(), ""));
      case 1 -> Optional.of(new ServicePath(object, Optional.empty(), parts.get(0)));
      case 2 -> Optional.of(new ServicePath(object, handle(parts), ""));
      case 3 -> Optional.of(new ServicePath(object, handle(parts), parts.get(2)));
      default -> Optional.empty();
    };
  }

  private static Optional<HandleName> handle(List<String> parts) {
    return Optional.of(new HandleName(parts.get(0), parts.get(1)));
  }
}
