package io.rmigate.client.callback;

import io.rmigate.client.link.LinkStream;
import io.rmigate.client.stats.Account;
import io.rmigate.client.virtual.MemorySocket;
import io.rmigate.protocol.tunnel.Listening;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.util.Optional;

/**
 * Objects that this JVM exports: its RMI runtime accepts the connections of inner JVMs from {@link
 * #queue}, and those on which we ask it to hold its own objects.
 */
final class RuntimeSite implements ExportSite {
  private final Account account;
  private final AcceptQueue queue = new AcceptQueue();
  private volatile int port;
  private volatile CollectorCalls calls;

  RuntimeSite(Account account) {
    this.account = account;
  }

  /** What waits to be accepted. */
  AcceptQueue queue() {
    return queue;
  }

  @Override
  public void begin(int given) {
    port = given;
    calls = new CollectorCalls(queue, given);
  }

  @Override
  public boolean accept(LinkStream stream, InetAddress peer, int peerPort) {
    try {
      return queue.offer(new CallbackSocket(stream, peer, peerPort, port, account));
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
    return queue.offer(pair.accepted()) ? Optional.of(pair.connecting()) : Optional.empty();
  }

  @Override
  public IOException refusal(Listening answer, int asked) {
    return ListenRefusal.asException(answer, asked);
  }

  @Override
  public void close() throws IOException {
    queue.close();
  }
}
