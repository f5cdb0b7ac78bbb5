package io.rmigate.client.mediator;

import io.rmigate.protocol.DestinationPatterns;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.message.LiveReference;
import java.lang.ref.WeakReference;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Loopback endpoints that mean another machine: they stand in stubs that came through the tunnel,
 * of servers that do not know their own name. The gateway knows where those are, if it maps them;
 * by themselves such endpoints would never go through the tunnel.
 *
 * <p>What runs beside the application must stay reachable under the same names. So an endpoint that
 * this JVM has reached directly before, and a port at which it listens itself, stay direct for all
 * stubs: a server inside cannot draw calls to local servers to itself. Bounded. Thread-safe.
 */
public final class LoopbackServers implements Consumer<LiveReference> {
  private static final int MAX_ENDPOINTS = 1024;

  private final ReentrantLock lock = new ReentrantLock();
  private final Map<EndpointId, Boolean> inside = bounded();
  private final Map<EndpointId, Boolean> direct = bounded();
  private final List<WeakReference<ServerSocket>> listening = new ArrayList<>();

  private static Map<EndpointId, Boolean> bounded() {
    return new LinkedHashMap<>() {
      private static final long serialVersionUID = 1L;

      @Override
      protected boolean removeEldestEntry(Map.Entry<EndpointId, Boolean> eldest) {
        return size() > MAX_ENDPOINTS;
      }
    };
  }

  /** {@link #learn}. */
  @Override
  public void accept(LiveReference reference) {
    learn(reference);
  }

  /** A reference stood in a Return that came through the tunnel, from a gateway that maps. */
  public void learn(LiveReference reference) {
    if (reference.host().isEmpty() || !DestinationPatterns.isLoopback(reference.host())) {
      return; // no frame can ask for the empty name
    }
    EndpointId endpoint = key(reference.host(), reference.port());
    boolean isNew;
    lock.lock();
    try {
      isNew =
          !direct.containsKey(endpoint)
              && !listensAt(endpoint.port())
              && inside.put(endpoint, true) == null;
    } finally {
      lock.unlock();
    }
    if (isNew) {
      System.getLogger(LoopbackServers.class.getName())
          .log(
              System.Logger.Level.INFO,
              "{0} stands in a stub from behind the gateway, whose server does not know its name;"
                  + " it is reached through the gateway from now on",
              endpoint);
    }
  }

  /** Whether an endpoint that a stub names is to be reached through the tunnel. */
  public boolean isInside(String host, int port) {
    lock.lock();
    try {
      return inside.containsKey(key(host, port)) && !listensAt(port);
    } finally {
      lock.unlock();
    }
  }

  /** The application has reached an endpoint without the tunnel. */
  public void reachedDirectly(String host, int port) {
    if (DestinationPatterns.isLoopback(host)) {
      lock.lock();
      try {
        direct.put(key(host, port), true);
      } finally {
        lock.unlock();
      }
    }
  }

  /** The JVM listens for its own exported objects. */
  public void listens(ServerSocket socket) {
    lock.lock();
    try {
      listening.removeIf(
          known -> {
            ServerSocket before = known.get();
            return before == null || before.isClosed();
          });
      listening.add(new WeakReference<>(socket));
    } finally {
      lock.unlock();
    }
  }

  /** Whether the JVM listens at that port itself. */
  public boolean isListening(int port) {
    lock.lock();
    try {
      return listensAt(port);
    } finally {
      lock.unlock();
    }
  }

  private boolean listensAt(int port) {
    for (WeakReference<ServerSocket> known : listening) {
      ServerSocket socket = known.get();
      if (socket != null && !socket.isClosed() && socket.getLocalPort() == port) {
        return true;
      }
    }
    return false;
  }

  private static EndpointId key(String host, int port) {
    return new EndpointId(host.toLowerCase(Locale.ROOT), port);
  }
}
