package io.rmigate.gateway.standalone;

import static io.rmigate.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.config.GatewayConfig.RequestPace;
import io.rmigate.gateway.metrics.GatewayMetrics;
import io.rmigate.gateway.testing.DevelopmentCertificate;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.eclipse.jetty.io.AbstractConnection;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.HttpStream;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.util.thread.ScheduledExecutorScheduler;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections whose threads stand by for the next request, in a Jetty with nothing else. */
class StandbyEndPointTest {
  private static final Duration NEVER = Duration.ofHours(1);

  @TempDir static Path keys;
  private static DevelopmentCertificate certificate;

  /** Rings when the test says so, as far as it is for that time. */
  private static final class HeldAlarms extends ScheduledExecutorScheduler {
    final List<Runnable> held = new CopyOnWriteArrayList<>();

    @Override
    public Task schedule(Runnable task, long delay, TimeUnit unit) {
      if (unit.toNanos(delay) != NEVER.toNanos()) {
        return super.schedule(task, delay, unit);
      }
      held.add(task);
      return () -> held.remove(task);
    }
  }

  private final HeldAlarms alarms = new HeldAlarms();
  private final Server server = new Server(new QueuedThreadPool(), alarms, null);
  private TunnelConnector connector;
  private StandbyThreads standbys;

  /** Of requests, as the connector is told. */
  private Duration patience = NEVER;

  /** Of requests for {@code /held}, which the handler leaves to the test. */
  private final BlockingQueue<Callback> held = new LinkedBlockingQueue<>();

  /** Each request's thread, and how many selectors had been opened for standbys by then. */
  private record Served(Thread thread, int open) {}

  private final List<Served> served = new CopyOnWriteArrayList<>();

  @BeforeAll
  static void makeKey() throws Exception {
    certificate = DevelopmentCertificate.create(keys);
  }

  private void start(Duration moment, boolean tls) throws Exception {
    standbys = new StandbyThreads(4, moment, () -> true);
    OpenConnections connections =
        new OpenConnections(() -> 100, proxy -> false, new GatewayMetrics());
    HttpConnectionFactory http = new HttpConnectionFactory();
    Supplier<RequestPace> pace = () -> new RequestPace(patience, 1);
    if (tls) {
      SecureRequestCustomizer customizer = new SecureRequestCustomizer();
      customizer.setSniHostCheck(false);
      http.getHttpConfiguration().addCustomizer(customizer);
      SslContextFactory.Server context = new SslContextFactory.Server();
      context.setKeyStorePath(certificate.keystore().toString());
      context.setKeyStorePassword(certificate.password());
      connector =
          new TunnelConnector(
              server,
              connections,
              pace,
              standbys,
              1,
              new SslConnectionFactory(context, "http/1.1"),
              http);
    } else {
      connector = new TunnelConnector(server, connections, pace, standbys, 1, http);
    }
    connector.setHost("127.0.0.1");
    if (!patience.equals(NEVER)) {
      connector.setIdleTimeout(NEVER.toMillis()); // it is not what ends connections
    }
    server.addConnector(connector);
    server.setHandler(
        new Handler.Abstract() {
          @Override
          public boolean handle(Request request, Response response, Callback callback)
              throws IOException {
            served.add(new Served(Thread.currentThread(), standbys.open()));
            if (request.getHttpURI().getPath().equals("/upgrade")) {
              response.setStatus(101);
              EndPoint endPoint = request.getConnectionMetaData().getConnection().getEndPoint();
              request.setAttribute(
                  HttpStream.UPGRADE_CONNECTION_ATTRIBUTE,
                  new Echo(endPoint, request.getComponents().getExecutor()));
              callback.succeeded();
              return true;
            }
            if (request.getHttpURI().getPath().equals("/held")) {
              held.add(callback);
              return true;
            }
            if (request.getHttpURI().getPath().equals("/left")) {
              EndPoint endPoint = request.getConnectionMetaData().getConnection().getEndPoint();
              Callback then = Callback.from(() -> fillMore(endPoint, callback), callback::failed);
              Content.Sink.write(response, true, "got left\n", then);
              return true;
            }
            String body = Content.Source.asString(request);
            Content.Sink.write(response, true, "got " + body + "\n", callback);
            return true;
          }
        });
    server.start();
  }

  /** As with TLS, when more than a record has come at once. */
  private static void fillMore(EndPoint endPoint, Callback callback) {
    ByteBuffer full = BufferUtil.allocate(1); // or it would take what comes next
    BufferUtil.append(full, (byte) 1);
    try {
      endPoint.fill(full);
      callback.succeeded();
    } catch (IOException e) {
      callback.failed(e);
    }
  }

  /** Sends back what comes, as a tunnel would. */
  private static final class Echo extends AbstractConnection {
    private boolean rested;

    Echo(EndPoint endPoint, Executor executor) {
      super(endPoint, executor);
    }

    @Override
    public void onOpen() {
      super.onOpen();
      fillInterested();
    }

    @Override
    public void onFillable() {
      ByteBuffer bytes = BufferUtil.allocate(100);
      try {
        int filled = getEndPoint().fill(bytes);
        while (filled > 0) {
          if (BufferUtil.toString(bytes).startsWith("rest") && !rested) {
            rested = true;
            ((StandbyEndPoint) RequestEndPoint.under(getEndPoint())).rest(NEVER.toNanos());
          }
          getEndPoint().flush(bytes);
          filled = getEndPoint().fill(bytes);
        }
        if (filled < 0) {
          close();
        } else {
          fillInterested();
        }
      } catch (IOException e) {
        close();
      }
    }
  }

  @AfterEach
  void stop() throws Exception {
    server.stop();
    if (standbys != null) {
      assertThat(standbys.taken()).isZero();
      assertThat(standbys.open()).isZero();
    }
  }

  /** A client with one connection. */
  private final class Client implements AutoCloseable {
    private final Socket socket;
    private final BufferedReader in;

    Client(boolean tls) throws Exception {
      socket =
          tls
              ? trusting()
                  .getSocketFactory()
                  .createSocket(InetAddress.getLoopbackAddress(), connector.getLocalPort())
              : new Socket(InetAddress.getLoopbackAddress(), connector.getLocalPort());
      socket.setSoTimeout(30_000);
      socket.setTcpNoDelay(true);
      in =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
    }

    private static SSLContext trusting() throws Exception {
      KeyStore store = KeyStore.getInstance("PKCS12");
      try (var content = Files.newInputStream(certificate.truststore())) {
        store.load(content, certificate.password().toCharArray());
      }
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(store);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, trust.getTrustManagers(), null);
      return context;
    }

    void send(String text) throws IOException {
      socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
      socket.getOutputStream().flush();
    }

    void post(String body) throws IOException {
      send(
          "POST / HTTP/1.1\r\nHost: gateway\r\nContent-Length: %d\r\n\r\n%s"
              .formatted(body.length(), body));
    }

    /** Reads to the end of an answer's head, or of its one line of body. */
    String readTo(String end) throws IOException {
      String line = in.readLine();
      while (line != null && !line.startsWith(end)) {
        line = in.readLine();
      }
      return line;
    }

    void call(String body) throws IOException {
      post(body);
      assertThat(readTo("got ")).isEqualTo("got " + body);
    }

    boolean isAtItsEnd() throws IOException {
      try {
        return in.read() < 0;
      } catch (SocketException reset) {
        return true;
      }
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }

  /** A thread stands by only for a client whose latest call came within the moment. */
  private void callUntilAThreadStandsBy(Client client) {
    await()
        .until(
            () -> {
              client.call("one more");
              return standbys.open() == 1;
            });
  }

  private void awaitStandby() {
    await().until(() -> standbys.taken() == 1);
  }

  private static boolean takes(OutputStream out, int b) {
    try {
      out.write(b);
      return true;
    } catch (IOException ended) {
      return false;
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aHeadOrHandshakeThatTricklesIsEndedAfterItsTime(boolean tls) throws Exception {
    patience = Duration.ofMillis(500);
    start(Duration.ofMillis(50), tls);
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), connector.getLocalPort())) {
      OutputStream out = socket.getOutputStream();
      out.write(
          tls
              ? HexFormat.of().parseHex("1603014000") // a record of 16 KiB
              : "GET / HTTP/1.1\r\nX-Slow: ".getBytes(StandardCharsets.US_ASCII));
      await().until(() -> !takes(out, 'x'));
    }
    assertThat(served).isEmpty();
  }

  /** Another connection has been silent for longer than it may since this method was called. */
  private void awaitSilentConnectionEnds() throws IOException {
    try (Socket silent = new Socket(InetAddress.getLoopbackAddress(), connector.getLocalPort())) {
      silent.setSoTimeout(30_000);
      assertThat(silent.getInputStream().read()).isEqualTo(-1);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aConnectionWithoutAByteIsEnded(boolean tls) throws Exception {
    patience = Duration.ofMillis(500);
    start(Duration.ofMillis(50), tls);
    awaitSilentConnectionEnds();
    await().until(() -> connector.getConnectedEndPoints().isEmpty());
  }

  @ParameterizedTest
  @CsvSource({
    "false, Content-Length: 8; ;in p",
    "true,  Content-Length: 8; ;in p",
    "false, Content-Length: 8; ;",
    "false, Expect: 100-continue;Content-Length: 8; ;",
    "false, Transfer-Encoding: chunked; ;4;in p;",
    "false, Transfer-Encoding: chunked; ;4;in p;0;X: ",
  })
  void aBodyThatStopsComingIsEnded(boolean tls, String lines) throws Exception {
    patience = Duration.ofMillis(500);
    start(Duration.ofMillis(50), tls);
    try (Client client = new Client(tls)) {
      client.send(
          "POST / HTTP/1.1;Host: gateway;".concat(lines).replace("; ;", ";;").replace(";", "\r\n"));
      while (!client.isAtItsEnd()) {
        // The answer is the handler's.
      }
    }
    await().until(() -> connector.getConnectedEndPoints().isEmpty());
  }

  /** A chunk's extensions, of which there is no end, are no bytes of the body. */
  @Test
  void aBodyOfWhichOnlyTheFramingComesIsEnded() throws Exception {
    patience = Duration.ofMillis(500);
    start(Duration.ofMillis(50), false);
    try (Client client = new Client(false)) {
      OutputStream out = client.socket.getOutputStream();
      client.send("POST / HTTP/1.1\r\nHost: gateway\r\nTransfer-Encoding: chunked\r\n\r\n4;x");
      await().until(() -> !takes(out, 'x'));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"\r\n", "Content-Length: 8\r\n\r\nin p"})
  void aRequestThatWaitsForItsAnswerMayWait(String rest) throws Exception {
    patience = Duration.ofMillis(500);
    start(Duration.ofMillis(50), false);
    try (Client client = new Client(false)) {
      client.send("POST /held HTTP/1.1\r\nHost: gateway\r\n" + rest);
      Callback request = held.take();
      awaitSilentConnectionEnds();
      awaitSilentConnectionEnds();

      request.succeeded();

      assertThat(client.readTo("HTTP/1.1")).isEqualTo("HTTP/1.1 200 OK");
    }
  }

  @Test
  void aConnectionMayRestBetweenRequests() throws Exception {
    patience = Duration.ofMillis(500);
    start(Duration.ofMillis(50), false);
    try (Client client = new Client(false)) {
      client.call("first");
      awaitSilentConnectionEnds();
      awaitSilentConnectionEnds();
      client.call("second");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whoComesBackPromptlyIsWaitedForByTheThreadThatAnswered(boolean tls) throws Exception {
    start(NEVER, tls);
    try (Client client = new Client(tls)) {
      for (int i = 0; i < 10; i++) {
        client.call("call " + i);
        if (i > 0) {
          awaitStandby();
        }
      }
    }
    assertThat(served.get(9).open()).isEqualTo(1);
    assertThat(served.stream().skip(2).map(Served::thread).distinct()).hasSize(1);
    await().until(() -> connector.getConnectedEndPoints().isEmpty());
    await().until(() -> standbys.taken() == 0);
  }

  @Test
  void whoHasNotComeBackPromptlyYetIsNotWaitedFor() throws Exception {
    start(NEVER, false);
    try (Client client = new Client(false)) {
      client.call("first");
      client.call("second");
    }
    assertThat(served).extracting(Served::open).containsExactly(0, 0);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whoDoesNotComeWithinTheMomentIsServedAsEver(boolean tls) throws Exception {
    start(Duration.ofMillis(50), tls);
    try (Client client = new Client(tls)) {
      callUntilAThreadStandsBy(client);
      await().until(() -> standbys.taken() == 0);
      client.call("third");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aRequestThatComesInPiecesIsReadWhole(boolean tls) throws Exception {
    start(Duration.ofMillis(50), tls);
    try (Client client = new Client(tls)) {
      callUntilAThreadStandsBy(client);
      client.send("POST / HTTP/1.1\r\nHost: gate");
      await().until(() -> standbys.open() == 1 && standbys.taken() == 0);
      client.send("way\r\nContent-Length: 8\r\n\r\nin p");
      client.send("iece");
      assertThat(client.readTo("got ")).isEqualTo("got in piece");
      client.send("GET / HTTP/1.1\r\nHost: gateway\r\n\r\nGET / HTTP/1.1\r\nHost: gateway\r\n\r\n");
      assertThat(client.readTo("got ")).isEqualTo("got ");
      assertThat(client.readTo("got ")).isEqualTo("got ");
    }
  }

  @Test
  void nobodyStandsByWhileSomethingThatHasComeIsStillToBeRead() throws Exception {
    start(NEVER, false);
    try (Client client = new Client(false)) {
      client.call("first");
      client.send("GET /left HTTP/1.1\r\nHost: gateway\r\n\r\n");
      assertThat(client.readTo("got ")).isEqualTo("got left");
      client.call("third"); // which would wait for the one who waits for it
    }
    assertThat(served).extracting(Served::open).startsWith(0, 0);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theStopDoesNotWaitForThem(boolean tls) throws Exception {
    start(NEVER, tls);
    try (Client client = new Client(tls)) {
      client.call("first");
      client.call("second");
      awaitStandby();

      server.stop();

      assertThat(client.isAtItsEnd()).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whoLeavesIsGone(boolean tls) throws Exception {
    start(NEVER, tls);
    try (Client client = new Client(tls)) {
      client.call("first");
      client.call("second");
      awaitStandby();
    }
    await().until(() -> connector.getConnectedEndPoints().isEmpty());
    assertThat(standbys.taken()).isZero();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whoStaysSilentIsEndedByTheIdleTimeoutAsEver(boolean tls) throws Exception {
    start(Duration.ofMillis(100), tls);
    connector.setIdleTimeout(TimeUnit.SECONDS.toMillis(1));
    try (Client client = new Client(tls)) {
      callUntilAThreadStandsBy(client);
      assertThat(client.isAtItsEnd()).isTrue();
    }
    await().until(() -> connector.getConnectedEndPoints().isEmpty());
  }

  private static void upgrade(Client client) throws IOException {
    client.send(
        "GET /upgrade HTTP/1.1\r\nHost: gateway\r\nConnection: upgrade\r\nUpgrade: echo\r\n\r\n");
    assertThat(client.readTo("HTTP/1.1")).contains("101");
    assertThat(client.readTo("")).isNotNull();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatRestsIsNotReadBeforeItsTimeWhileOthersAre(boolean tls) throws Exception {
    start(NEVER, tls);
    try (Client resting = new Client(tls);
        Client other = new Client(tls)) {
      upgrade(resting);
      upgrade(other);
      resting.send("rest\n");
      assertThat(resting.readTo("rest")).isEqualTo("rest");
      await().until(() -> alarms.held.size() == 1);

      resting.send("more\n");
      for (int i = 0; i < 5; i++) { // the one selector has been to all that it knows of
        other.send("echo " + i + "\n");
        assertThat(other.readTo("echo ")).isEqualTo("echo " + i);
      }
      assertThat(resting.in.ready()).isFalse();

      alarms.held.get(0).run();
      assertThat(resting.readTo("more")).isEqualTo("more");
    }
    await().until(() -> connector.getConnectedEndPoints().isEmpty());
  }

  @Test
  void nobodyStandsByForWhatIsNoLongerHttp() throws Exception {
    start(NEVER, false);
    try (Client client = new Client(false)) {
      client.send(
          "GET /upgrade HTTP/1.1\r\nHost: gateway\r\nConnection: upgrade\r\nUpgrade: echo\r\n\r\n");
      assertThat(client.readTo("HTTP/1.1")).contains("101");
      assertThat(client.readTo("")).isNotNull();
      for (int i = 0; i < 5; i++) {
        client.send("echo " + i + "\n");
        assertThat(client.readTo("echo ")).isEqualTo("echo " + i);
      }
      assertThat(standbys.open()).isZero();
    }
    await().until(() -> connector.getConnectedEndPoints().isEmpty());
  }
}
