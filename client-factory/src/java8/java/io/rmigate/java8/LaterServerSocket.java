package io.rmigate.java8;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.util.Set;

/** Additions to {@link ServerSocket}. Java 8 has these two options. */
public final class LaterServerSocket {
  private LaterServerSocket() {}

  public static Set<SocketOption<?>> supportedOptions(ServerSocket socket) {
    return LaterSet.of(StandardSocketOptions.SO_RCVBUF, StandardSocketOptions.SO_REUSEADDR);
  }

  public static <T> ServerSocket setOption(ServerSocket socket, SocketOption<T> option, T value)
      throws IOException {
    if (option.equals(StandardSocketOptions.SO_RCVBUF)) {
      socket.setReceiveBufferSize((Integer) value);
    } else if (option.equals(StandardSocketOptions.SO_REUSEADDR)) {
      socket.setReuseAddress((Boolean) value);
    } else {
      throw new UnsupportedOperationException(option + " not supported");
    }
    return socket;
  }

  public static <T> T getOption(ServerSocket socket, SocketOption<T> option) throws IOException {
    if (option.equals(StandardSocketOptions.SO_RCVBUF)) {
      return option.type().cast(socket.getReceiveBufferSize());
    } else if (option.equals(StandardSocketOptions.SO_REUSEADDR)) {
      return option.type().cast(socket.getReuseAddress());
    }
    throw new UnsupportedOperationException(option + " not supported");
  }
}
