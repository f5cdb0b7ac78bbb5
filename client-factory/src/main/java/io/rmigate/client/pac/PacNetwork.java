package io.rmigate.client.pac;

import java.io.IOException;
import java.net.InetAddress;
import java.time.ZonedDateTime;
import java.util.Optional;

/** The network facts that a PAC file may ask for. Called by the thread that evaluates. */
public interface PacNetwork {

  /** Whether the evaluation has to end; asked again and again. */
  boolean isOutOfTime();

  /**
   * The address of a name, IPv4 if it has one; empty if there is none, or none in time.
   *
   * @throws IOException it cannot be asked for
   */
  Optional<InetAddress> addressOf(String host) throws IOException;

  /** The address of this machine that others see. */
  InetAddress ownAddress();

  /** The time here, in the zone of this machine. */
  ZonedDateTime now();
}
