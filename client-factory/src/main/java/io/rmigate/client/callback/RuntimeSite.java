package io.rmigate.client.callback;

import io.rmigate.client.link.LinkStream;
import io.rmigate.client.stats.UsageCounters;
import io.rmigate.client.virtual.MemorySocket;
import io.rmigate.protocol.tunnel.Listening;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.util.Optional;

/**
 * Objects that this JVM exports: its RMI runtime accepts the connections of inner JVMs, and those
 * on which we ask it to hold its own objects, where they are {@link IncomingConnections}.
 */
final class RuntimeSite implements ExportSite {
  private final UsageCounters account;
  private final IncomingConnections incoming;
  private final OwnReferences references;

  /** 0 before the gateway has given one that is the port here, too. */
  private volatile int port;

  private volatile CollectorCalls calls;

  /**
   * @param port where the JVM listens; 0: at the port that the gateway gives
   * @param references of this JVM
   */
  RuntimeSite(
      UsageCounters account, IncomingConnections incoming, int port, OwnReferences references) {
    this.account = account;
    this.incoming = incoming;
    this.port = port;
    this.references = references;
  }

  @Override
  public void begin(int given) {
    if (port == 0) {
      port = given;
    }
    calls = new CollectorCalls(incoming, port);
  }

  @Override
  public boolean accept(LinkStream stream, InetAddress peer, int peerPort) {
    try {
      return incoming.offer(new CallbackSocket(stream, peer, peerPort, port, account, references));
    } catch (SocketException impossible) {
      throw new AssertionError("nothing is connected here", impossible);
    }
  }

  @Override
  public void collect(CollectorCall call) {
    calls.call(call);
  }

  @Override
  public void endCollecting() {
    calls.abandon();
  }

  @Override
  public Optional<Socket> connect() throws SocketException {
    MemorySocket.Pair pair = MemorySocket.pair(port);
    return incoming.offer(pair.accepted()) ? Optional.of(pair.connecting()) : Optional.empty();
  }

  @Override
  public IOException refusal(Listening answer, int asked) {
    return ListenRefusal.asException(answer, asked);
  }

  @Override
  public void close() throws IOException {
    incoming.close();
  }
}
