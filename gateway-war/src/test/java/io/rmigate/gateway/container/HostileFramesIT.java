package io.rmigate.gateway.container;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.testing.BuiltArtefacts;
import io.rmigate.gateway.testing.GatewayKind;
import io.rmigate.gateway.testing.GatewaySetup;
import io.rmigate.gateway.testing.GatewayUnderTest;
import io.rmigate.gateway.testing.InsideHosts;
import io.rmigate.gateway.testing.LeftoverCheck;
import io.rmigate.gateway.testing.RawWebSocket;
import io.rmigate.protocol.tunnel.Tunnel;
import io.rmigate.testing.Patience;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * WebSocket frames that claim much and bring little: the gateway's container takes no memory for
 * the claim, and the link ends (THREATS T40).
 */
@ExtendWith(LeftoverCheck.class)
class HostileFramesIT {
  private static final int LINKS = 3;
  private static final long CLAIMED_BYTES = 16 << 20;

  /** What links that are open take in any container, and a little more. */
  private static final long MOST_BYTES = 2 << 20;

  private static final int BINARY = 2;

  /** Begins with no type of a frame of the tunnel. */
  private static final byte[] NO_FRAME = new byte[] {0x7F};

  /** Longer than what containers gather of a message before they pass it on. */
  private static final byte[] LONG_NO_FRAME = Arrays.copyOf(NO_FRAME, 2 * Tunnel.MAX_MESSAGE_BYTES);

  private Path directory;

  @BeforeEach
  void prepare() throws IOException {
    directory = WorkDirectory.empty(BuiltArtefacts.workDirectory(getClass()));
  }

  @TestFactory
  Stream<DynamicContainer> claimsTakeNoMemory() {
    return GatewayKind.kindsOfThisTier()
        .map(kind -> DynamicContainer.dynamicContainer(kind.name(), testsOf(kind)));
  }

  /** JUnit closes them after the last one, and with them the gateway. */
  private Stream<DynamicTest> testsOf(GatewayKind kind) {
    GatewayUnderTest gateway;
    try {
      gateway = start(kind);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    // RFC 6455, section 5.2: reserved for further non-control frames, and for control frames.
    Stream<DynamicTest> reserved =
        IntStream.concat(IntStream.rangeClosed(0x3, 0x7), IntStream.rangeClosed(0xB, 0xF))
            .mapToObj(opcode -> claim(kind, gateway, opcode, CLAIMED_BYTES));
    Stream<DynamicTest> known =
        IntStream.of(0x0, BINARY, 0x8, 0x9, 0xA)
            .mapToObj(opcode -> claim(kind, gateway, opcode, 1L << 31));
    Stream<DynamicTest> lengths =
        LongStream.of(Integer.MAX_VALUE, (1L << 32) + 1, Long.MAX_VALUE, Long.MIN_VALUE, -1)
            .mapToObj(length -> claim(kind, gateway, BINARY, length));
    return Stream.of(reserved, known, lengths).flatMap(tests -> tests).onClose(gateway::close);
  }

  private GatewayUnderTest start(GatewayKind kind) throws IOException, InterruptedException {
    GatewayUnderTest gateway =
        kind.start(
            new GatewaySetup(
                Files.createDirectories(directory.resolve(kind.name().toLowerCase(Locale.ROOT))),
                Optional.empty(),
                InsideHosts.ofAllTests(),
                List.of(InsideHosts.INSIDE + ":*"),
                List.of("-Xmx128m")));
    try (RawWebSocket first = RawWebSocket.open(gateway.uri())) {
      first.claim(BINARY, 1, NO_FRAME);
      assertThat(first.awaitEnd(Patience.PATIENCE)).isEqualTo("1002"); // all classes are loaded
    }
    return gateway;
  }

  private static DynamicTest claim(
      GatewayKind kind, GatewayUnderTest gateway, int opcode, long claimed) {
    return DynamicTest.dynamicTest(
        "%s: opcode 0x%X, length 0x%X".formatted(kind, opcode, claimed),
        () -> assertBounded(gateway, opcode, claimed));
  }

  private static void assertBounded(GatewayUnderTest gateway, int opcode, long claimed)
      throws IOException {
    long before = gateway.jvm().liveHeapBytes();
    List<RawWebSocket> links = new ArrayList<>();
    List<String> ends = new ArrayList<>();
    long taken;
    try {
      for (int i = 0; i < LINKS; i++) {
        links.add(RawWebSocket.open(gateway.uri()));
        links.get(i).claim(opcode, claimed, opcode == BINARY ? LONG_NO_FRAME : NO_FRAME);
      }
      for (RawWebSocket link : links) {
        ends.add(link.awaitEnd(Patience.PATIENCE));
      }
      taken = gateway.jvm().liveHeapBytes() - before;
    } finally {
      for (RawWebSocket link : links) {
        link.close();
      }
    }
    assertThat(taken).as("bytes taken; links ended with %s", ends).isLessThan(MOST_BYTES);
    // 1000: that no hello has come, where a container waits for more of a frame that may be long.
    assertThat(ends).hasSize(LINKS).isSubsetOf("1000", "1002", "1009", "end");
  }

  /** The distribution of Jetty that tests use is older than the Jetty that the WAR brings along. */
  @ParameterizedTest
  @MethodSource("io.rmigate.gateway.testing.GatewayKind#kindsOfThisTier")
  void anOutdatedContainerIsToldAtTheStartAndInHealth(GatewayKind kind) throws Exception {
    boolean outdated = kind == GatewayKind.JETTY_12;
    try (GatewayUnderTest gateway = start(kind)) {
      String health =
          HttpClient.newHttpClient()
              .send(
                  HttpRequest.newBuilder(URI.create(gateway.uri() + "/health")).build(),
                  HttpResponse.BodyHandlers.ofString())
              .body();
      assertThat(health.contains("\"container\":\"outdated\"")).as(health).isEqualTo(outdated);
      assertThat(gateway.jvm().output())
          .filteredOn(line -> line.contains("install Jetty 12.1.14 or newer"))
          .hasSize(outdated ? 1 : 0);
    }
  }
}
