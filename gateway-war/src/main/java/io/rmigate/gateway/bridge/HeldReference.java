package io.rmigate.gateway.bridge;

import io.rmigate.gateway.login.Principal;
import io.rmigate.protocol.jrmp.EndpointId;
import java.util.List;

/**
 * A hold on a remote object: as long as it is not closed the gateway renews a lease, so that the
 * object's server keeps it. Knows no classes, and so survives that a publication is loaded anew.
 * May be used by any thread.
 */
public interface HeldReference extends AutoCloseable {

  /** The principal that holds the reference. */
  Principal principal();

  /** The server as its stubs name it; for people. */
  EndpointId endpoint();

  /** The object as {@code java.rmi.server.ObjID} prints it; for people. */
  String object();

  /** The names of the remote interfaces that its stub has, as far as the publication had them. */
  List<String> interfaces();

  /** Lets it go. Idempotent; blocks for nothing. */
  @Override
  void close();
}
