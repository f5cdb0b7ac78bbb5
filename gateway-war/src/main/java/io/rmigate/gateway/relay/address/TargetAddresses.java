package io.rmigate.gateway.relay.address;

import io.rmigate.protocol.LogText;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks up where a target is. Blocks in the name service: for {@link NameLookups} only. */
public final class TargetAddresses {
  private static final Logger LOG = LoggerFactory.getLogger(TargetAddresses.class);

  private TargetAddresses() {}

  /**
   * The addresses that may be connected to, the stand-in's if the target itself has none.
   *
   * @return an empty list when none of them may be, empty when the name is unknown
   */
  public static Optional<List<InetAddress>> of(
      Target target, OwnListeners ownListeners, NameService names, LocalAddresses local) {
    try {
      Optional<List<InetAddress>> own =
          ownListeners.address(target.host(), target.port()).map(List::of);
      if (own.isPresent()) {
        return own;
      }
      Optional<List<InetAddress>> found = foreign(target, names);
      found.ifPresent(
          addresses ->
              addresses.stream()
                  .filter(address -> !ownListeners.isOne(address, target.port()))
                  .filter(local::isNews)
                  .forEach(address -> sayItIsHere(target, address)));
      return found;
    } catch (RuntimeException unusable) {
      LOG.debug("{}: {}", target, unusable.toString());
      return Optional.empty();
    }
  }

  private static Optional<List<InetAddress>> foreign(Target target, NameService names) {
    Optional<List<InetAddress>> found = usable(target, names, target.host(), target.addresses());
    Optional<Target.Substitute> substitute = target.substitute();
    if (substitute.isPresent() && found.map(List::isEmpty).orElse(true)) {
      LOG.debug("{}: not a place to go to, {} stands in", target, substitute.get().host());
      return usable(target, names, substitute.get().host(), substitute.get().addresses());
    }
    return found;
  }

  /**
   * What guards a registry against bind of others is that its caller is on its own machine (THREATS
   * T16). Which targets are here may show only now: a name may stand for somewhere else than at the
   * gateway's start, and some are not in its configuration.
   */
  private static void sayItIsHere(Target target, InetAddress address) {
    LOG.warn(
        "target {} is on the machine of this gateway, at {}: a registry there treats all calls of"
            + " the gateway as calls of a local program, so that only the gateway's policy keeps"
            + " clients from bind, rebind and unbind; logged once",
        LogText.of(target.toString()),
        address.getHostAddress());
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
