package io.rmigate.client.transport.proxy;

import io.rmigate.client.pac.PacNetwork;
import io.rmigate.client.transport.net.Deadline;
import io.rmigate.client.transport.net.NameLookup;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What this machine tells a PAC file, in one evaluation; confined to its thread. The evaluation
 * gets half of the time for the connection, the names in it a third: the connection itself needs
 * time, too. A name that is not there by then is one that does not exist for the file.
 */
final class PacWorld implements PacNetwork {
  private static final Duration MOST_FOR_A_NAME = Duration.ofSeconds(3);

  /** RFC 5737: assigned to no network, so that its route is the default route. */
  private static final InetSocketAddress FAR_AWAY = new InetSocketAddress("192.0.2.1", 9);

  private static final int SHARE_OF_ALL = 2;
  private static final int SHARE_OF_NAMES = 3;

  private final Deadline all;
  private final Deadline forNames;
  private final NameLookup names;
  private final Map<String, Optional<InetAddress>> known = new HashMap<>();

  PacWorld(Deadline deadline, NameLookup names) {
    this.all = Deadline.in(deadline.remaining().dividedBy(SHARE_OF_ALL));
    this.forNames = Deadline.in(deadline.remaining().dividedBy(SHARE_OF_NAMES));
    this.names = names;
  }

  @Override
  public boolean isOutOfTime() {
    return all.remaining().isZero();
  }

  @Override
  public Optional<InetAddress> addressOf(String host) throws IOException {
    Optional<InetAddress> before = known.get(host);
    if (before != null) {
      return before;
    }
    Duration left = forNames.remaining();
    if (left.isZero()) {
      return Optional.empty();
    }
    Optional<InetAddress> found;
    try {
      InetAddress[] all =
          names.addressesOf(host, left.compareTo(MOST_FOR_A_NAME) < 0 ? left : MOST_FOR_A_NAME);
      found =
          Arrays.stream(all)
              .filter(Inet4Address.class::isInstance)
              .findFirst()
              .or(() -> Arrays.stream(all).findFirst());
    } catch (UnknownHostException | SocketTimeoutException e) {
      found = Optional.empty(); // which is an answer in such a file
    }
    known.put(host, found);
    return found;
  }

  /** Address of the interface that leads to the world; nothing is sent. */
  @Override
  public InetAddress ownAddress() {
    try (DatagramSocket socket = new DatagramSocket()) {
      socket.connect(FAR_AWAY);
      return socket.getLocalAddress();
    } catch (SocketException e) {
      return InetAddress.getLoopbackAddress(); // no network at all
    }
  }

  @Override
  public ZonedDateTime now() {
    return ZonedDateTime.now(ZoneId.systemDefault());
  }
}
