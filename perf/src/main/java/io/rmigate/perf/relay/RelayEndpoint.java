package io.rmigate.perf.relay;

import jakarta.websocket.CloseReason;
import jakarta.websocket.Endpoint;
import jakarta.websocket.EndpointConfig;
import jakarta.websocket.MessageHandler;
import jakarta.websocket.Session;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.concurrent.Semaphore;

/**
 * One WebSocket, one TCP connection. The container's thread writes to the server what it has read;
 * a thread of this connection does the other direction and blocks for the server. That is one
 * hand-over each way, the least a relay with blocking threads can have. Public because containers
 * ask for it.
 */
public final class RelayEndpoint extends Endpoint {
  private static final int BUFFER_BYTES = 64 * 1024;

  private final String host;
  private final int port;
  private final boolean async;
  private SocketChannel server;

  RelayEndpoint(String host, int port, boolean async) {
    this.host = host;
    this.port = port;
    this.async = async;
  }

  @Override
  public void onOpen(Session session, EndpointConfig config) {
    session.setMaxIdleTimeout(0);
    session.setMaxBinaryMessageBufferSize(2 * BUFFER_BYTES);
    try {
      server = SocketChannel.open(new InetSocketAddress(host, port));
      server.setOption(StandardSocketOptions.TCP_NODELAY, true);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    session.addMessageHandler(new ToServer(server));
    Thread pump = new Thread(() -> pump(session), "relay-pump " + server.socket().getLocalPort());
    pump.setDaemon(true);
    pump.start();
  }

  @Override
  public void onClose(Session session, CloseReason reason) {
    close();
  }

  @Override
  public void onError(Session session, Throwable failure) {
    close();
  }

  private void pump(Session session) {
    ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
    Semaphore free = new Semaphore(1);
    try {
      while (server.read(buffer) >= 0) {
        buffer.flip();
        if (async) {
          free.acquireUninterruptibly();
          session.getAsyncRemote().sendBinary(buffer, result -> free.release());
          free.acquireUninterruptibly(); // the buffer is ours again; nearly always at once
          free.release();
        } else {
          session.getBasicRemote().sendBinary(buffer);
        }
        buffer.clear();
      }
      session.close();
    } catch (IOException | IllegalStateException ended) {
      close(); // the client has closed its side, and needs no message
    }
  }

  private void close() {
    try {
      if (server != null) {
        server.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A class with a name, since containers find the message type by reflection. */
  private static final class ToServer implements MessageHandler.Partial<ByteBuffer> {
    private final SocketChannel server;

    ToServer(SocketChannel server) {
      this.server = server;
    }

    @Override
    public void onMessage(ByteBuffer bytes, boolean last) {
      try {
        while (bytes.hasRemaining()) {
          server.write(bytes);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
