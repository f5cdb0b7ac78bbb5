package io.rmigate.gateway.session;

import io.rmigate.gateway.login.Principal;
import io.rmigate.protocol.coding.Compression;
import java.util.List;
import java.util.Set;

/**
 * The principals whose links are compressed. Immutable: a reload makes a new one, which new
 * sessions obey.
 *
 * @param mode for principals that no exception names
 * @param exceptions the first that names a principal counts
 */
public record CompressionPolicy(Compression mode, List<ForSome> exceptions) {
  /** As each agent decides. */
  public static final CompressionPolicy DEFAULT =
      new CompressionPolicy(Compression.AUTO, List.of());

  public CompressionPolicy {
    exceptions = List.copyOf(exceptions);
  }

  /** Another mode for some principals. */
  public record ForSome(Set<String> principals, Compression mode) {
    public ForSome {
      principals = Set.copyOf(principals);
    }
  }

  Compression of(Principal principal) {
    return exceptions.stream()
        .filter(exception -> principal.isNamedBy(exception.principals()))
        .findFirst()
        .map(ForSome::mode)
        .orElse(mode);
  }
}
