package io.rmigate.gateway.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.client.Rmigate;
import io.rmigate.gateway.standalone.RunningGateway;
import io.rmigate.gateway.testing.BuiltArtefacts;
import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.gateway.testing.PlainCall;
import io.rmigate.gateway.testing.SampleJar;
import io.rmigate.protocol.jrmp.message.LiveReference;
import io.rmigate.sample.SampleServer;
import io.rmigate.testing.Patience;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.rmi.AccessException;
import java.rmi.ServerException;
import java.rmi.registry.LocateRegistry;
import java.time.Duration;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a principal may not do through the tunnel it may not do through web services either. */
class BothDoorsTest {
  private static final Duration SOON = Patience.PATIENCE;
  private static final String PRODUCT = "Lio/rmigate/sample/Product;";

  private static ChildJvm sample;
  private static int port;
  private static RunningGateway gateway;
  private static Rmigate tunnel;

  @BeforeAll
  static void start(@TempDir Path directory) throws Exception {
    SampleJar.in(directory.resolve("jars"));
    sample =
        ChildJvm.named("sample", directory)
            .jvmOptions("-Xmx256m")
            .property("java.rmi.server.hostname", "127.0.0.1")
            .classPath(BuiltArtefacts.codeSource(SampleServer.class))
            .main(SampleServer.class.getName())
            .arguments("--bind", "127.0.0.1")
            .start();
    port =
        Integer.parseInt(sample.awaitLine(Pattern.compile("^sample ready (\\d+)$"), SOON).group(1));
    gateway =
        RunningGateway.start(
            directory,
            """
            insecure: true
            logins:
              anonymous: true
            classes:
              interfaces: jars
            targets:
              - principals: ["*"]
                allow: ["127.0.0.1:*"]
                names: [Catalogue]
                methods: ["io.rmigate.sample.Catalogue.*", "!io.rmigate.sample.Catalogue.products"]
            publish:
              - path: shop
                object: rmi://127.0.0.1:%1$d/Catalogue
                interface: io.rmigate.sample.Catalogue
                jars: jars
                principals: ["*"]
              - path: everything
                object: rmi://127.0.0.1:%1$d/Everything
                interface: io.rmigate.sample.Everything
                jars: jars
                principals: ["*"]
            """
                .formatted(port));
    tunnel = Rmigate.builder().gateway(gateway.uri()).tunnel("127.0.0.1:" + port).build();
  }

  @AfterAll
  static void stop() {
    Stream.of(tunnel, gateway, sample).filter(Objects::nonNull).forEach(BothDoorsTest::close);
  }

  /** Even if another one could not be started. */
  private static void close(AutoCloseable started) {
    try {
      started.close();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /** The status of a call by JSON. */
  private static int served(String path, String arguments) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(gateway.uri() + "/services/" + path))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(arguments))
            .build();
    return HttpClient.newHttpClient()
        .send(request, HttpResponse.BodyHandlers.discarding())
        .statusCode();
  }

  /** Whether a call through the tunnel is let through. */
  private static boolean isTunnelled(String name, String method, Calls.Arguments arguments)
      throws Exception {
    LiveReference reference;
    try {
      reference =
          Calls.reference(
              LocateRegistry.getRegistry("127.0.0.1", port, tunnel.socketFactory()).lookup(name));
    } catch (ServerException refused) {
      return !isRefusal(refused);
    }
    try (Socket socket = tunnel.socketFactory().createSocket(reference.host(), reference.port())) {
      byte[] call = Calls.method(reference.object(), method, arguments);
      return !isRefusal(PlainCall.on(socket, call).value());
    }
  }

  private static boolean isRefusal(Object answer) {
    return answer instanceof ServerException thrown && thrown.detail instanceof AccessException;
  }

  @Test
  void aMethodThatTheEntryTakesAwayIsServedToNobody() throws Exception {
    assertThat(isTunnelled("Catalogue", "products()Ljava/util/List;", out -> {})).isFalse();
    assertThat(served("shop/products", "{}")).isEqualTo(404);
  }

  @Test
  void aMethodThatTheEntryLeavesIsServed() throws Exception {
    assertThat(
            isTunnelled(
                "Catalogue", "find(Ljava/lang/String;)" + PRODUCT, out -> out.writeObject("none")))
        .isTrue();
    assertThat(served("shop/find", "{\"number\": \"none\"}")).isEqualTo(200);
  }

  @Test
  void aNameThatTheEntryDoesNotHaveIsServedToNobody() throws Exception {
    assertThat(isTunnelled("Everything", "echoInt(I)I", out -> out.writeInt(1))).isFalse();
    assertThat(served("everything/echoInt", "{\"value\": 1}")).isEqualTo(404);
  }
}
