package io.rmigate.client.transport.proxy;

import static io.rmigate.client.transport.TransportBed.answering;
import static io.rmigate.testing.Patience.await;
import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import io.rmigate.client.config.ClientConfig;
import io.rmigate.client.pac.PacScript;
import io.rmigate.client.transport.ScriptedWebSocketPeer;
import io.rmigate.client.transport.TransportBed;
import io.rmigate.client.transport.net.Deadline;
import io.rmigate.client.transport.net.TlsLayer;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** How long what is known of a PAC file holds. */
@Timeout(180)
class PacFileTest {
  private static final String SCRIPT = "function FindProxyForURL(url, host) { return 'DIRECT' }";

  @TempDir Path directory;
  @RegisterExtension final TransportBed bed = new TransportBed();
  private final AtomicLong now = new AtomicLong();

  private PacFile at(URI location) {
    TlsLayer tls =
        new TlsLayer(
            ClientConfig.builder().gateways(URI.create("http://localhost/")).build().proxyTls());
    return new PacFile(location, tls, now::get);
  }

  private PacFile at(int port) {
    return at(URI.create("http://127.0.0.1:" + port + "/proxy.pac"));
  }

  private void passes(Duration time) {
    now.addAndGet(time.toNanos());
  }

  private static Deadline soon() {
    return Deadline.in(Duration.ofSeconds(30));
  }

  @Test
  void aScriptThatIsKnownHoldsWhateverItsServerSays() throws Exception {
    ScriptedWebSocketPeer server =
        bed.peer(
            answering("HTTP/1.1 200 OK\r\n\r\n" + SCRIPT),
            answering("HTTP/1.1 500 No\r\n\r\n"),
            answering("HTTP/1.1 200 OK\r\n\r\nnew Date("),
            answering("HTTP/1.1 200 OK\r\n\r\n" + SCRIPT + " "));
    PacFile file = at(server.port());
    PacScript script = file.script(soon());

    passes(Duration.ofMinutes(11));
    assertThat(file.script(soon())).isSameAs(script);
    passes(Duration.ofSeconds(59));
    assertThat(file.script(soon())).isSameAs(script);
    assertThat(server.requests()).hasSize(2);
    passes(Duration.ofSeconds(2));
    assertThat(file.script(soon())).isSameAs(script);
    assertThat(server.requests()).hasSize(3);
    passes(Duration.ofSeconds(61));
    assertThat(file.script(soon())).isNotSameAs(script);
    assertThat(server.requests()).hasSize(4);
  }

  @Test
  void aFileThatIsBeingWrittenDoesNotUndoWhatIsKnown() throws Exception {
    Path path = Files.writeString(directory.resolve("proxy.pac"), SCRIPT);
    PacFile file = at(path.toUri());
    PacScript script = file.script(soon());

    Files.writeString(path, SCRIPT.substring(0, 40));

    assertThat(file.script(soon())).isSameAs(script);
  }

  @Test
  void oneWarningSaysThatItGoesOnBeingUsed() throws Exception {
    List<String> logged = new CopyOnWriteArrayList<>();
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord entry) {
            logged.add(entry.getLevel() + " " + new SimpleFormatter().formatMessage(entry));
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    Path path = Files.writeString(directory.resolve("proxy.pac"), SCRIPT);
    PacFile file = at(path.toUri());
    file.script(soon());
    Files.delete(path);

    Logger logger = Logger.getLogger(PacFile.class.getName());
    logger.addHandler(handler);
    try {
      file.script(soon());
      file.script(soon());
    } finally {
      logger.removeHandler(handler);
    }

    assertThat(logged)
        .singleElement(as(STRING))
        .startsWith("WARNING the PAC file " + path.toUri() + " as it was goes on being used: ");
  }

  @Test
  void aServerThatCannotBeReachedIsLeftAloneForAWhile() throws Exception {
    PacFile file = at(bed.refusingPort());
    assertThatThrownBy(() -> file.script(soon()))
        .isInstanceOf(ConnectException.class)
        .hasCauseInstanceOf(ConnectException.class);

    passes(Duration.ofSeconds(29));
    assertThatThrownBy(() -> file.script(soon()))
        .isInstanceOf(ConnectException.class)
        .hasNoCause(); // no server was asked

    passes(Duration.ofSeconds(2));
    assertThatThrownBy(() -> file.script(soon()))
        .isInstanceOf(ConnectException.class)
        .hasCauseInstanceOf(ConnectException.class);
  }

  @Test
  void whoComesWhileItIsFetchedWaitsWithinItsTime() throws Exception {
    ScriptedWebSocketPeer server =
        bed.peer(
            c -> {
              c.readRequest();
              c.fallSilent();
            });
    PacFile file = at(server.port());
    CompletableFuture<Throwable> first = TransportBed.failureOf(() -> file.script(soon()));
    await().until(() -> !server.requests().isEmpty());

    assertThatThrownBy(() -> file.script(Deadline.in(Duration.ofMillis(20))))
        .isInstanceOf(SocketTimeoutException.class);
    server.close();
    assertThat(first.get()).isNotNull();
  }
}
