package io.rmigate.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;

/**
 * A port of loopback at which connections are refused, as they are where a server has died. It is
 * held, so that no other program is given it meanwhile.
 */
public final class RefusingPort implements AutoCloseable {
  private final Socket bound = new Socket(); // and never listening

  /** Takes one. */
  public RefusingPort() throws IOException {
    bound.setReuseAddress(false); // else the kernel may give it a second time
    bound.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
  }

  /** Its number. */
  public int number() {
    return bound.getLocalPort();
  }

  @Override
  public void close() throws IOException {
    bound.close();
  }
}
