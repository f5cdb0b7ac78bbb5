package io.rmigate.client.program.sidecar;

import io.rmigate.client.callback.CollectorCall;
import io.rmigate.client.callback.ExportSite;
import io.rmigate.client.link.LinkStream;
import io.rmigate.client.stats.UsageCounters;
import io.rmigate.protocol.tunnel.Listening;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * Objects of a JVM here, for which the gateway listens: what inner JVMs call is called there, and
 * what they hold is held there, by dirty calls of the sidecar's own. How many connections there are
 * is for the gateway to say, which shares them out fairly; the link has a bound of its own. Any
 * number of threads.
 */
final class ReverseForward implements ExportSite {
  private final LocalJvm jvm;
  private final LocalCollector collector;
  private final UsageCounters account;
  private final Executor threads;
  private final Duration longestRest;
  private final Set<LinkStream> streams = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  /**
   * @param threads one for each connection and one for each call; daemons
   * @param longestRest after which inner JVMs give a connection up that they do not use
   */
  ReverseForward(
      ReversePort reverse, UsageCounters account, Executor threads, Duration longestRest) {
    this.jvm = new LocalJvm(reverse.local());
    this.collector = new LocalCollector(jvm, threads);
    this.account = account;
    this.threads = threads;
    this.longestRest = longestRest;
  }

  @Override
  public void begin(int port) {}

  @Override
  public boolean accept(LinkStream stream, InetAddress peer, int peerPort) {
    streams.add(stream);
    String from = peer.getHostAddress() + ":" + peerPort;
    ReverseConnection connection =
        new ReverseConnection(jvm, stream, from, account, threads, longestRest);
    try {
      threads.execute(
          () -> {
            try {
              connection.run();
            } finally {
              streams.remove(stream);
            }
          });
    } catch (RejectedExecutionException | OutOfMemoryError noThread) {
      streams.remove(stream);
      return false;
    }
    if (closed) {
      stream.close(); // it came in between
    }
    return true;
  }

  @Override
  public void collect(CollectorCall call) {
    collector.call(call);
  }

  @Override
  public void endCollecting() {
    // The caller of close() waits for what is released.
  }

  /** Waits until that JVM has been told what is not held any more, so long. */
  void awaitReleased(long millis) {
    collector.awaitRest(millis);
  }

  @Override
  public Optional<Socket> connect() {
    try {
      return Optional.of(jvm.connect());
    } catch (IOException notThere) {
      return Optional.empty();
    }
  }

  @Override
  public IOException refusal(Listening answer, int port) {
    String text = answer.text().isEmpty() ? "" : " (" + answer.text() + ")";
    String why =
        switch (answer.outcome()) {
          case PORT_IN_USE ->
              "the port is in use there: end what uses it, or export at another port";
          case NOT_PERMITTED ->
              "it does not permit that to this user: name the port in callbacks.allow[].explicit of"
                  + " its configuration";
          case TOO_MANY ->
              "this user has all the ports it may have: see callbacks.allow[].max-ports in its"
                  + " configuration";
          case FAILED -> "it could not";
          case LISTENING -> throw new IllegalArgumentException("listens: " + answer);
        };
    String message =
        "--reverse " + port + ": the gateway does not listen at that port, since " + why + text;
    return answer.outcome() == Listening.Outcome.PORT_IN_USE
        ? new BindException(message)
        : new IOException(message);
  }

  @Override
  public void close() {
    closed = true;
    streams.forEach(LinkStream::close);
  }
}
