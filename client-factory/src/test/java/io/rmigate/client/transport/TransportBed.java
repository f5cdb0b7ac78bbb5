package io.rmigate.client.transport;

import static io.rmigate.testing.Patience.PATIENCE;
import static io.rmigate.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.client.config.ClientConfig;
import io.rmigate.client.transport.websocket.WebSocketConnector;
import io.rmigate.client.transport.websocket.WebSocketTransport;
import io.rmigate.testing.RefusingPort;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Scripted peers and the transports to them. After each test it closes everything and asserts that
 * no thread is left.
 */
public final class TransportBed implements AfterEachCallback {

  /** What may fail. */
  @FunctionalInterface
  public interface Action {
    void run() throws Exception;
  }

  private final List<AutoCloseable> opened = new ArrayList<>();

  /** A peer that plays one script after the other. */
  public ScriptedWebSocketPeer peer(ScriptedWebSocketPeer.Script... scripts) throws IOException {
    return closing(new ScriptedWebSocketPeer(scripts));
  }

  /** A peer on a socket of the test's making. */
  public ScriptedWebSocketPeer peer(ServerSocket socket, ScriptedWebSocketPeer.Script... scripts) {
    return closing(new ScriptedWebSocketPeer(socket, scripts));
  }

  /** Reads a request and answers so. */
  public static ScriptedWebSocketPeer.Script answering(String answer) {
    return c -> {
      c.readRequest();
      c.send(answer);
    };
  }

  /** The gateway that a peer is. */
  public static URI url(ScriptedWebSocketPeer peer) {
    return URI.create(String.format(Locale.ROOT, "http://127.0.0.1:%d/rmigate", peer.port()));
  }

  public static ClientConfig config(ScriptedWebSocketPeer peer) {
    return ClientConfig.builder().gateways(url(peer)).build();
  }

  public WebSocketTransport connect(ScriptedWebSocketPeer peer) throws IOException {
    return connect(config(peer));
  }

  public WebSocketTransport connect(ClientConfig config) throws IOException {
    return connect(new WebSocketConnector(config));
  }

  public WebSocketTransport connect(WebSocketConnector connector) throws IOException {
    return closing(connector.connect(PATIENCE));
  }

  /** A port that refuses connections and that no other program can get meanwhile. */
  public int refusingPort() throws IOException {
    return closing(new RefusingPort()).number();
  }

  /** What the action fails with, run on another thread; null when it does not. */
  public static CompletableFuture<Throwable> failureOf(Action action) {
    return failureOf(action, new Thread[1]);
  }

  /**
   * What the action fails with, run on another thread, which the caller learns.
   *
   * @param runner its first element becomes the thread
   */
  public static CompletableFuture<Throwable> failureOf(Action action, Thread[] runner) {
    CompletableFuture<Throwable> failure = new CompletableFuture<>();
    runner[0] =
        new Thread(
            () -> {
              try {
                action.run();
                failure.complete(null);
              } catch (Throwable e) {
                failure.complete(e);
              }
            },
            "user-of-transport");
    runner[0].start();
    return failure;
  }

  /** Closed after the test, in the order of these calls. */
  public <T extends AutoCloseable> T closing(T closeable) {
    opened.add(closeable);
    return closeable;
  }

  @Override
  public void afterEach(ExtensionContext context) throws Exception {
    for (AutoCloseable closeable : opened) {
      closeable.close();
    }
    opened.clear();
    await()
        .untilAsserted(
            () ->
                assertThat(Thread.getAllStackTraces().keySet())
                    .extracting(Thread::getName)
                    .noneMatch(
                        name ->
                            name.startsWith("rmigate-")
                                || name.startsWith("scripted-")
                                || name.equals("user-of-transport")));
  }
}
