package io.rmigate.client.transport.net;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;

/** Opens the TCP connection everything else lies on, to the gateway or to the HTTP proxy. */
public final class TcpDialer {
  /** Enough for a live host far away, so that the last of many addresses gets its chance too. */
  private static final int LEAST_MILLIS = 250;

  private TcpDialer() {}

  /**
   * Connects to the first address that answers.
   *
   * @param what for messages: {@code the gateway}, {@code the HTTP proxy}
   * @throws UnknownHostException there is no such name
   * @throws ConnectException no address answers
   */
  public static Socket dial(String what, String host, int port, Deadline deadline)
      throws IOException {
    Duration timeout = deadline.remaining();
    InetAddress[] addresses;
    try {
      addresses = NameLookup.SYSTEM.addressesOf(host, timeout);
    } catch (UnknownHostException e) {
      UnknownHostException explained =
          new UnknownHostException(
              what + " " + host + " has no address: is the name right, and does DNS work here?");
      explained.initCause(e);
      throw explained;
    } catch (SocketTimeoutException e) {
      ConnectException explained =
          new ConnectException(
              what + " " + host + ": no answer from DNS within " + timeout.toMillis() + " ms");
      explained.initCause(e);
      throw explained;
    }
    IOException last = null;
    for (int i = 0; i < addresses.length; i++) {
      long remaining = deadline.remaining().toMillis();
      if (remaining <= 0) {
        break;
      }
      long share = Math.max(remaining / (addresses.length - i), LEAST_MILLIS);
      try {
        return dial(
            new InetSocketAddress(addresses[i], port),
            (int) Math.min(share, remaining),
            deadline.watch());
      } catch (ConnectException | NoRouteToHostException | SocketTimeoutException e) {
        if (last != null) {
          e.addSuppressed(last);
        }
        last = e;
      }
    }
    String problem =
        last instanceof SocketTimeoutException || last == null
            ? " does not answer within "
                + timeout.toMillis()
                + " ms: does a firewall drop the packets, or is an HTTP proxy needed (proxy=)?"
            : " cannot be reached (" + last.getMessage() + "): is it up, and is the port right?";
    ConnectException explained = new ConnectException(what + " " + host + ":" + port + problem);
    if (last != null) {
      explained.initCause(last);
    }
    throw explained;
  }

  private static Socket dial(InetSocketAddress address, int timeoutMillis, ConnectWatch watch)
      throws IOException {
    // Never by -DsocksProxyHost or the application's ProxySelector, which would decide about our
    // own link; door 3 would send the tunnel through itself.
    Socket socket = new ArrivalSocket();
    try {
      watch.opened(socket);
      socket.setTcpNoDelay(true);
      socket.setKeepAlive(true);
      socket.connect(address, timeoutMillis);
      return socket;
    } catch (IOException e) {
      SocketTeardown.close(socket);
      throw e;
    }
  }
}
