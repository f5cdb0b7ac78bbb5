package io.rmigate.gateway.relay;

import io.rmigate.gateway.relay.address.OwnListeners;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The channel of one {@link ServerConnection} to one address, with its key at the selector. Guarded
 * by the lock of the connection.
 */
final class ServerChannel {
  private static final Logger LOG = LoggerFactory.getLogger(ServerConnection.class);

  private final RelayLoop loop;
  private final OwnListeners ownListeners;
  private final SocketChannel socket;

  /** The source address of a connection to a listener of this gateway; else null. */
  private InetSocketAddress ownSource;

  private SelectionKey key;
  private boolean connected;

  private ServerChannel(RelayLoop loop, OwnListeners ownListeners, SocketChannel socket) {
    this.loop = loop;
    this.ownListeners = ownListeners;
    this.socket = socket;
  }

  /**
   * Begins to connect. On the loop.
   *
   * @param caller address of the agent, for a connection to a listener of this gateway
   * @param owner hears of the events of the channel
   */
  static ServerChannel open(
      RelayLoop loop,
      OwnListeners ownListeners,
      Optional<InetAddress> caller,
      InetSocketAddress peer,
      SelectorListener owner)
      throws IOException {
    ServerChannel opened = new ServerChannel(loop, ownListeners, SocketChannel.open());
    boolean begun = false;
    try {
      opened.connect(caller, peer, owner);
      begun = true;
    } finally {
      if (!begun) {
        opened.close();
      }
    }
    return opened;
  }

  private void connect(Optional<InetAddress> caller, InetSocketAddress peer, SelectorListener owner)
      throws IOException {
    socket.configureBlocking(false);
    socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
    socket.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
    if (ownListeners.isOne(peer.getAddress(), peer.getPort())) {
      socket.bind(new InetSocketAddress(peer.getAddress(), 0));
      ownSource = (InetSocketAddress) socket.getLocalAddress();
      ownListeners.expect(ownSource, caller);
    }
    connected = socket.connect(peer);
    key = socket.register(loop.selector(), connected ? 0 : SelectionKey.OP_CONNECT, owner);
  }

  /** Whether the connection was made at once. */
  boolean isConnected() {
    return connected;
  }

  void finishConnect() throws IOException {
    socket.finishConnect();
  }

  /** Writes a few bytes to a connection that has just been made. */
  void writeFirst(ByteBuffer bytes) throws IOException {
    socket.write(bytes);
    if (bytes.hasRemaining()) {
      throw new IOException("a fresh connection takes no bytes");
    }
  }

  /** Whether the channel is still open, and its key registered. */
  boolean isValid() {
    return key.isValid();
  }

  void readOnly() {
    key.interestOps(SelectionKey.OP_READ);
  }

  void resumeReading() {
    key.interestOpsOr(SelectionKey.OP_READ);
  }

  void pauseReading() {
    key.interestOpsAnd(~SelectionKey.OP_READ);
  }

  SocketChannel socket() {
    return socket;
  }

  SelectionKey key() {
    return key;
  }

  void close() {
    if (ownSource != null) {
      ownListeners.forget(ownSource);
      ownSource = null;
    }
    try {
      socket.close();
    } catch (IOException harmless) {
      LOG.trace("close", harmless);
    }
    loop.selector().wakeup(); // the descriptor is freed when the key is deregistered
  }
}
