package io.rmigate.client.link;

import io.rmigate.client.deadline.CallClock;
import java.io.IOException;

/** Where the link in use comes from; opens one if need be. */
@FunctionalInterface
public interface LinkSource {

  /**
   * The link in use.
   *
   * @param clock of the call that needs it
   * @throws java.net.ConnectException there is none and none can be had now
   * @throws io.rmigate.client.deadline.CallTimeoutException nor was there one in time
   */
  Link link(CallClock clock) throws IOException;

  /** The link in use, or a new one, for as long as opening one may take. */
  default Link link() throws IOException {
    return link(CallClock.UNBOUNDED);
  }
}
