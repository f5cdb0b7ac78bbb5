package io.rmigate.gateway.relay.address;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** Looks up the addresses of hosts. Thread-safe; may block for any time. */
@FunctionalInterface
public interface NameService {

  /** The machine's own. */
  NameService SYSTEM = InetAddress::getAllByName;

  /** All addresses of a host, which may be others the next time; at least one. */
  InetAddress[] addresses(String host) throws UnknownHostException;
}
