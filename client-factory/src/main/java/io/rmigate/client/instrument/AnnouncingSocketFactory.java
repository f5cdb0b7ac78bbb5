package io.rmigate.client.instrument;

import io.rmigate.client.config.ClientConfig;
import io.rmigate.client.jvm.DefaultLogLevel;
import io.rmigate.client.jvm.Privileged;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.rmi.server.RMISocketFactory;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Passes everything on and says once, when RMI is used for the first time, that it does and where
 * to. Not earlier: see the package comment. Thread-safe.
 */
final class AnnouncingSocketFactory extends RMISocketFactory {
  private final RMISocketFactory tunnelling;
  private final ClientConfig config;
  private final AtomicBoolean announced = new AtomicBoolean();
  private volatile DefaultFactorySlot slot; // null until installed, which is before any use

  AnnouncingSocketFactory(RMISocketFactory tunnelling, ClientConfig config) {
    this.tunnelling = tunnelling;
    this.config = config;
  }

  void installedIn(DefaultFactorySlot slot) {
    this.slot = slot;
  }

  @Override
  public Socket createSocket(String host, int port) throws IOException {
    announce();
    return tunnelling.createSocket(host, port);
  }

  @Override
  public ServerSocket createServerSocket(int port) throws IOException {
    announce();
    return tunnelling.createServerSocket(port);
  }

  private void announce() {
    if (!announced.get() && announced.compareAndSet(false, true)) {
      if (Privileged.isNeeded()) {
        Privileged.run(this::say);
      } else {
        say();
      }
    }
  }

  private void say() {
    DefaultLogLevel.applyPrepared();
    System.getLogger(Premain.class.getName())
        .log(
            slot == DefaultFactorySlot.GLOBAL
                ? System.Logger.Level.WARNING
                : System.Logger.Level.INFO,
            "rmigate: {0}; installed as {1}",
            config,
            slot.description());
  }
}
