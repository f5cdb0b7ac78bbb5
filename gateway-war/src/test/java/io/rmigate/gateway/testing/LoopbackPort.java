package io.rmigate.gateway.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** Ports of loopback for what has to be told of its port before it listens. */
public final class LoopbackPort {
  private LoopbackPort() {}

  /** One that is free now. */
  public static int free() {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return free.getLocalPort();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
