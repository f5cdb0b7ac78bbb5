package io.rmigate.gateway.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.soap.http.BodyTooLargeException;
import io.rmigate.soap.http.DamagedBodyException;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletRequestWrapper;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.eclipse.jetty.ee10.servlet.FilterHolder;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The filter before a servlet that sends back what it gets, or says what it got instead. */
class GzipFilterTest {
  private static final AtomicLong RECEIVED = new AtomicLong();
  private static final String FAILURE = "It failed. ".repeat(200);
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  private static Server server;
  private static URI address;

  /**
   * The content type is what the query says. Reads a refused body as it came to its end, since a
   * connection with unread bytes is reset, and its answer may be lost.
   */
  private static final class Echo extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      assertThat(request.getHeader("Content-Encoding")).isIn(null, "identity");
      ByteArrayOutputStream all = new ByteArrayOutputStream();
      InputStream in = request.getInputStream();
      byte[] piece = new byte[8192];
      RECEIVED.set(0);
      try {
        for (int got = in.read(piece); got >= 0; got = in.read(piece)) {
          RECEIVED.addAndGet(got);
          all.write(piece, 0, got);
        }
      } catch (DamagedBodyException e) {
        refuse(request, response, 400);
        return;
      } catch (BodyTooLargeException e) {
        refuse(request, response, 413);
        return;
      }
      if ("failing".equals(request.getQueryString())) {
        response.setContentType("text/plain");
        response.getOutputStream().write(all.toByteArray()); // begun, and taken back
        response.reset();
        response.setContentType("text/plain");
        response.getOutputStream().write(FAILURE.getBytes(StandardCharsets.UTF_8));
        return;
      }
      response.setContentType(request.getQueryString());
      response.setContentLength(all.size());
      OutputStream out = response.getOutputStream();
      out.write(all.toByteArray());
      out.flush();
    }

    private static void refuse(HttpServletRequest request, HttpServletResponse response, int status)
        throws IOException {
      ((ServletRequestWrapper) request)
          .getRequest()
          .getInputStream()
          .transferTo(OutputStream.nullOutputStream());
      response.setStatus(status);
    }
  }

  @BeforeAll
  static void start() throws Exception {
    server = new Server();
    ServerConnector connector = new ServerConnector(server);
    connector.setHost("127.0.0.1");
    server.addConnector(connector);
    ServletContextHandler context = new ServletContextHandler();
    context.addServlet(new ServletHolder(new Echo()), "/services/*");
    context.addFilter(
        new FilterHolder(new GzipFilter()), "/services/*", EnumSet.of(DispatcherType.REQUEST));
    server.setHandler(context);
    server.start();
    address = URI.create("http://127.0.0.1:" + connector.getLocalPort() + "/services/x");
  }

  @AfterAll
  static void stop() throws Exception {
    server.stop();
  }

  private static byte[] gzip(byte[] bytes) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(bytes);
    }
    return out.toByteArray();
  }

  private static byte[] gunzip(byte[] bytes) throws IOException {
    try (GZIPInputStream gzip = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
      return gzip.readAllBytes();
    }
  }

  private static byte[] text(int length) {
    byte[] text = new byte[length];
    Arrays.fill(text, (byte) 'a');
    return text;
  }

  private static HttpResponse<byte[]> post(String type, String coding, String accepted, byte[] body)
      throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(address + "?" + type))
            .POST(BodyPublishers.ofByteArray(body));
    if (!coding.isEmpty()) {
      request.header("Content-Encoding", coding);
    }
    if (!accepted.isEmpty()) {
      request.header("Accept-Encoding", accepted);
    }
    return CLIENT.send(request.build(), BodyHandlers.ofByteArray());
  }

  private static String coding(HttpResponse<?> response) {
    return response.headers().firstValue("Content-Encoding").orElse("");
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "GZIP", "x-gzip"})
  void whatSaysThatItIsCompressedIsInflated(String name) throws Exception {
    byte[] body = text(200_000);

    HttpResponse<byte[]> response = post("text/xml", name, "", gzip(body));

    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.body()).isEqualTo(body);
    assertThat(coding(response)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "identity"})
  void whatIsNotCompressedPassesAsItIs(String name) throws Exception {
    assertThat(post("text/xml", name, "", text(10)).body()).isEqualTo(text(10));
  }

  @ParameterizedTest
  @ValueSource(strings = {"br", "zstd", "deflate", "gzip, gzip", "gzip,br", "x"})
  void otherCodingsAndNestedOnesAreRefused(String name) throws Exception {
    HttpResponse<byte[]> response = post("text/xml", name, "", gzip(text(10)));

    assertThat(response.statusCode()).isEqualTo(415);
    assertThat(response.headers().firstValue("Accept-Encoding")).contains("gzip");
  }

  /** It would be a thousand times as large. */
  @Test
  void aBombIsRefusedAfterLittle() throws Exception {
    byte[] bomb = gzip(new byte[64 << 20]);

    HttpResponse<byte[]> response = post("text/xml", "gzip", "", bomb);

    assertThat(response.statusCode()).isEqualTo(413);
    assertThat(RECEIVED.get()).isLessThan((1 << 20) + (256 << 10));
  }

  @Test
  void whatIsDamagedIsRefused() throws Exception {
    byte[] whole = gzip(text(100_000));
    assertThat(post("text/xml", "gzip", "", Arrays.copyOf(whole, 60)).statusCode()).isEqualTo(400);
    assertThat(post("text/xml", "gzip", "", text(100)).statusCode()).isEqualTo(400);
    assertThat(post("text/xml", "gzip", "", new byte[0]).statusCode()).isEqualTo(400);
    byte[] wrongSum = whole.clone();
    wrongSum[whole.length - 5] ^= 1;
    assertThat(post("text/xml", "gzip", "", wrongSum).statusCode()).isEqualTo(400);
  }

  private static byte[] concat(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }

  /** Another reader may take it for something: the next request, or the rest of this one. */
  @Test
  void nothingButAnotherMemberMayStandBehindAMember() throws Exception {
    byte[] whole = gzip(text(100));
    for (byte[] behind :
        List.of(
            new byte[1],
            new byte[100],
            "garbage".getBytes(StandardCharsets.US_ASCII),
            "<garbage/>".repeat(10_000).getBytes(StandardCharsets.US_ASCII),
            Arrays.copyOf(whole, 1),
            Arrays.copyOf(whole, 9),
            Arrays.copyOf(whole, whole.length - 1),
            concat(whole, new byte[1]))) {
      assertThat(post("text/xml", "gzip", "", concat(whole, behind)).statusCode()).isEqualTo(400);
    }
    HttpResponse<byte[]> two = post("text/xml", "gzip", "", concat(whole, gzip(text(50))));
    assertThat(two.statusCode()).isEqualTo(200);
    assertThat(two.body()).isEqualTo(text(150));
  }

  /** A limit of the content alone would not count them. */
  @Test
  void membersWithoutContentAreRefusedAfterLittle() throws Exception {
    byte[] empty = gzip(new byte[0]);
    ByteArrayOutputStream many = new ByteArrayOutputStream();
    while (many.size() < 2 << 20) {
      many.writeBytes(empty);
    }
    assertThat(post("text/xml", "gzip", "", many.toByteArray()).statusCode()).isEqualTo(400);

    byte[] name = HexFormat.of().parseHex("1f8b0808000000000000");
    byte[] endless = concat(name, text(2 << 20), new byte[1], Arrays.copyOfRange(empty, 10, 20));
    assertThat(post("text/xml", "gzip", "", endless).statusCode()).isEqualTo(400);
  }

  @ParameterizedTest
  @ValueSource(strings = {"text/xml;charset=utf-8", "application/json", "application/soap+xml"})
  void longTextIsCompressedForWhoAcceptsIt(String type) throws Exception {
    byte[] body = text(100_000);

    HttpResponse<byte[]> response = post(type, "", "br, gzip;q=0.5", body);

    assertThat(coding(response)).isEqualTo("gzip");
    assertThat(response.headers().firstValue("Vary")).contains("Accept-Encoding");
    assertThat(response.body().length).isLessThan(2000);
    assertThat(gunzip(response.body())).isEqualTo(body);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "br", "gzip;q=0", "gzip; q=0.00"})
  void nothingIsCompressedForWhoDoesNotAcceptIt(String accepted) throws Exception {
    HttpResponse<byte[]> response = post("text/xml", "", accepted, text(100_000));

    assertThat(coding(response)).isEmpty();
    assertThat(response.body()).hasSize(100_000);
  }

  @Test
  void littleAndBinaryIsNotCompressed() throws Exception {
    HttpResponse<byte[]> little = post("text/xml", "", "gzip", text(1000));
    assertThat(coding(little)).isEmpty();
    assertThat(little.headers().firstValueAsLong("Content-Length")).hasValue(1000);
    assertThat(coding(post("application/octet-stream", "", "gzip", text(100_000)))).isEmpty();
    assertThat(new String(post("text/xml", "", "gzip", text(0)).body(), StandardCharsets.UTF_8))
        .isEmpty();
  }

  @Test
  void whatIsSentInsteadOfAnAnswerThatWasBegunIsWhole() throws Exception {
    HttpResponse<byte[]> answer = post("failing", "identity", "gzip", text(20_000));

    assertThat(answer.headers().firstValue("Content-Encoding")).contains("gzip");
    assertThat(answer.headers().firstValue("Vary")).contains("Accept-Encoding");
    assertThat(new String(gunzip(answer.body()), StandardCharsets.UTF_8)).isEqualTo(FAILURE);
  }
}
