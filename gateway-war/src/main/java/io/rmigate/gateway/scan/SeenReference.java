package io.rmigate.gateway.scan;

import io.rmigate.protocol.jrmp.message.LiveReference;
import java.util.List;

/**
 * A live reference in a message, and what holds it.
 *
 * @param reference endpoint, object and kind
 * @param holder the class of the object that holds it: {@code
 *     java.rmi.server.RemoteObjectInvocationHandler} or a static stub
 * @param interfaces those of the dynamic proxy around the holder, in order; empty without one
 * @param factory the class of the client socket factory; empty without one
 */
public record SeenReference(
    LiveReference reference, String holder, List<String> interfaces, String factory) {

  /** Its own list. */
  public SeenReference {
    interfaces = List.copyOf(interfaces);
  }
}
