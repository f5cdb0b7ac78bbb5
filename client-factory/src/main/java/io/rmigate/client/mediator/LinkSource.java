package io.rmigate.client.mediator;

import io.rmigate.client.link.Link;
import java.io.IOException;

/** Where the link in use comes from; opens one if need be. */
@FunctionalInterface
interface LinkSource {

  /**
   * The link in use.
   *
   * @throws java.net.ConnectException there is none and none can be had now
   */
  Link link() throws IOException;
}
