package io.rmigate.client.callback;

import io.rmigate.protocol.tunnel.Listening;
import java.io.IOException;
import java.net.BindException;

/**
 * What the RMI runtime is told when the gateway does not listen: it makes an ExportException of it,
 * in whose message users look for what to do.
 */
final class ListenRefusal {

  /**
   * The gateway's answer as an exception.
   *
   * @param port that was asked for; 0 for any
   */
  static IOException asException(Listening answer, int port) {
    String text = answer.text().isEmpty() ? "" : ": " + answer.text();
    return switch (answer.outcome()) {
      case PORT_IN_USE ->
          new BindException("port " + port + " is in use at the rmigate gateway" + text);
      case NOT_PERMITTED ->
          new IOException(
              "the rmigate gateway does not permit callbacks to this user"
                  + text
                  + "; permit them in its configuration (callbacks), or keep exported objects local"
                  + " with export=none in the configuration of rmigate here");
      case TOO_MANY ->
          new IOException(
              "the rmigate gateway has no port left for exported objects of this user"
                  + text
                  + "; see callbacks in its configuration");
      case FAILED ->
          new IOException("the rmigate gateway could not listen for exported objects" + text);
      case LISTENING -> throw new IllegalArgumentException("listens: " + answer);
    };
  }

  private ListenRefusal() {}
}
