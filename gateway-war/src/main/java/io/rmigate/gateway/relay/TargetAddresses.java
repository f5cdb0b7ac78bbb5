package io.rmigate.gateway.relay;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks up where a target is. Blocks in the name service: for {@link NameLookups} only. */
final class TargetAddresses {
  private static final Logger LOG = LoggerFactory.getLogger(TargetAddresses.class);

  private TargetAddresses() {}

  /**
   * The addresses that may be connected to, the stand-in's if the target itself has none.
   *
   * @return an empty list when none of them may be, empty when the name is unknown
   */
  static Optional<List<InetAddress>> of(
      Target target, OwnListeners ownListeners, NameService names) {
    try {
      Optional<List<InetAddress>> found =
          ownListeners
              .address(target.host(), target.port())
              .map(List::of)
              .or(() -> usable(target, names, target.host(), target.addresses()));
      Optional<Target.StandIn> standIn = target.standIn();
      if (standIn.isPresent() && found.map(List::isEmpty).orElse(true)) {
        LOG.debug("{}: not a place to go to, {} stands in", target, standIn.get().host());
        return usable(target, names, standIn.get().host(), standIn.get().addresses());
      }
      return found;
    } catch (RuntimeException unusable) {
      LOG.debug("{}: {}", target, unusable.toString());
      return Optional.empty();
    }
  }

  private static Optional<List<InetAddress>> usable(
      Target target, NameService names, String host, AddressRule rule) {
    try {
      return Optional.of(
          Stream.of(names.addresses(host))
              .map(EmbeddedAddresses::unmapped)
              .filter(address -> rule.allows(host, address))
              .toList());
    } catch (UnknownHostException unknown) {
      LOG.debug("{}: {}", target, unknown.toString());
      return Optional.empty();
    }
  }
}
