package io.rmigate.gateway.container.ordinary.api;

import java.io.IOException;
import java.io.Serializable;
import java.net.Socket;
import java.rmi.server.RMIClientSocketFactory;
import java.rmi.server.RMISocketFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts the sockets that the JVM's own factory makes for it. */
@SuppressWarnings("serial")
public final class CountedSockets implements RMIClientSocketFactory, Serializable {
  private static final AtomicInteger MADE = new AtomicInteger();

  private final String purpose;

  public CountedSockets(String purpose) {
    this.purpose = purpose;
  }

  /** How many there were in this JVM. */
  public static int made() {
    return MADE.get();
  }

  @Override
  public Socket createSocket(String host, int port) throws IOException {
    MADE.incrementAndGet();
    RMISocketFactory factory = RMISocketFactory.getSocketFactory();
    return (factory == null ? RMISocketFactory.getDefaultSocketFactory() : factory)
        .createSocket(host, port);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof CountedSockets factory && factory.purpose.equals(purpose);
  }

  @Override
  public int hashCode() {
    return purpose.hashCode();
  }
}
