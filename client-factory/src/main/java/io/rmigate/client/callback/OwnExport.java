package io.rmigate.client.callback;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A port at which the RMI runtime of this JVM listens locally, and at which the gateway listens for
 * it once that is needed.
 */
final class OwnExport {
  private final SharedServerSocket socket;
  private final RuntimeSite site;

  /** Held while the gateway is asked, so that it is asked once. */
  private final ReentrantLock opening = new ReentrantLock();

  /** Listeners at the gateway; the listener of a port asked for by number is the first. */
  private final List<Listener> listeners = new CopyOnWriteArrayList<>();

  /** Host that references to the objects here name; null before one has crossed. */
  private volatile String host;

  OwnExport(SharedServerSocket socket, RuntimeSite site) {
    this.socket = socket;
    this.site = site;
  }

  int port() {
    return socket.getLocalPort();
  }

  SharedServerSocket socket() {
    return socket;
  }

  RuntimeSite site() {
    return site;
  }

  ReentrantLock opening() {
    return opening;
  }

  /** Listeners at the gateway; several where it has not given an earlier port back. */
  List<Listener> listeners() {
    return listeners;
  }

  String host() {
    return host;
  }

  void named(String byReferences) {
    host = byReferences;
  }

  /** Whether the gateway has given this port that one. */
  boolean isReachedAt(int gatewayPort) {
    return listeners.stream()
        .anyMatch(listener -> listener.hasBegun() && listener.port() == gatewayPort);
  }
}
