package io.rmigate.gateway.route;

import io.rmigate.gateway.relay.address.LocalAddresses;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says which targets that policy names are on the gateway's own machine. What guards a registry
 * against bind, rebind and unbind of others is that its caller is on its own machine ({@code
 * sun.rmi.registry.RegistryImpl.checkAccess}): there every client of the gateway is (THREATS T16).
 * Hosts that are matched by a wildcard need no such word: a wildcard leads no client to the
 * gateway's own machine ({@link io.rmigate.gateway.relay.address.AddressRule#ROUTABLE}). Of names
 * that stand for this machine only later, and of hosts that policy names elsewhere, {@link
 * io.rmigate.gateway.relay.address.LocalAddresses} has it said when a client goes there.
 */
public final class LocalTargets implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(LocalTargets.class);

  private final TargetPolicy policy;
  private final LocalAddresses addresses;

  /**
   * To be run by a thread that may block in the name service.
   *
   * @param addresses what is said here is not said once more when a client goes there
   */
  public LocalTargets(TargetPolicy policy, LocalAddresses addresses) {
    this.policy = policy;
    this.addresses = addresses;
  }

  @Override
  public void run() {
    List<String> local = among(policy.namedHosts(), addresses);
    if (!local.isEmpty()) {
      LOG.warn(
          "this gateway is on the machine of targets ({}): registries there treat all calls of the"
              + " gateway as calls of a local program, so that only the gateway's policy keeps"
              + " clients from bind, rebind and unbind",
          String.join(", ", local));
    }
  }

  /** The hosts that are this machine, as far as their addresses are known. */
  static List<String> among(Collection<String> hosts, LocalAddresses addresses) {
    return hosts.stream().filter(host -> isHere(host, addresses)).toList();
  }

  private static boolean isHere(String host, LocalAddresses addresses) {
    try {
      return Stream.of(InetAddress.getAllByName(host)).filter(addresses::tell).count() > 0;
    } catch (UnknownHostException unknown) {
      LOG.debug("{} is not known", host);
      return false;
    }
  }
}
