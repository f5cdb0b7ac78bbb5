package io.rmigate.gateway.callback;

import io.rmigate.protocol.AddressOwner;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/** A connection that is one of a host's, and rests for as long as a test says. */
final class Visitor implements ConnectionPlaces.Guest {
  private final AddressOwner sharer;
  private final List<Visitor> asked;

  /** For how long it has rested. */
  long rested = -1;

  /** It does not rest any more when it is asked to leave. */
  boolean talksAgain;

  /** What it does when it gives way. */
  Runnable whenGone = () -> {};

  /**
   * @param host of 10.0.0.0/24
   * @param asked gets those who have been asked to leave
   */
  Visitor(int host, List<Visitor> asked) {
    try {
      sharer = AddressOwner.of(InetAddress.getByAddress(new byte[] {10, 0, 0, (byte) host}));
    } catch (UnknownHostException impossible) {
      throw new AssertionError(impossible);
    }
    this.asked = asked;
  }

  @Override
  public AddressOwner sharer() {
    return sharer;
  }

  @Override
  public long restedNanos(long now) {
    return rested;
  }

  @Override
  public boolean giveWay(long now) {
    asked.add(this);
    boolean gives = !talksAgain && rested >= ConnectionPlaces.RESTED.toNanos();
    if (gives) {
      rested = -1; // it is gone
      whenGone.run();
    }
    return gives;
  }
}
