package io.rmigate.gateway.container;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.testing.BuiltArtefacts;
import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.gateway.testing.CountingRelay;
import io.rmigate.gateway.testing.GatewayKind;
import io.rmigate.gateway.testing.GatewaySetup;
import io.rmigate.gateway.testing.GatewayUnderTest;
import io.rmigate.gateway.testing.InsideHosts;
import io.rmigate.gateway.testing.InsideServers;
import io.rmigate.gateway.testing.LeftoverCheck;
import io.rmigate.sample.SampleServer;
import io.rmigate.testing.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What calls take on the link, counted by a relay: bytes both ways, WebSocket framing included, as
 * TLS would carry them.
 */
@ExtendWith(LeftoverCheck.class)
@TestInstance(Lifecycle.PER_CLASS)
class CompressionBytesIT {
  private static final Duration SOON = Patience.PATIENCE;

  /** Number of rounds, of which the median counts: heartbeats and reports may fall into some. */
  private static final int ROUNDS = 12;

  private Path directory;
  private InsideHosts hosts;
  private InsideServers servers;
  private GatewayUnderTest gateway;

  @BeforeAll
  void start() throws Exception {
    directory = WorkDirectory.empty(BuiltArtefacts.workDirectory(getClass()));
    hosts = InsideHosts.ofAllTests();
    servers = InsideServers.start(directory, hosts);
    gateway =
        GatewayKind.STANDALONE.start(
            new GatewaySetup(
                Files.createDirectories(directory.resolve("gateway")),
                Optional.empty(),
                hosts,
                List.of(InsideHosts.INSIDE + ":*"),
                List.of("-Xmx96m")));
  }

  @AfterAll
  void stop() throws Exception {
    if (gateway != null) {
      gateway.close();
    }
    if (servers != null) {
      servers.close();
    }
  }

  @Test
  void aSteadyCallTakesAtMost60BytesCompressedAnd110Plain() throws Exception {
    try (Caller on = new Caller("on");
        Caller off = new Caller("off")) {
      assertThat(on.steadyBytes("hello")).isBetween(20L, 60L);
      assertThat(off.steadyBytes("hello")).isBetween(61L, 110L);
    }
  }

  @Test
  void aRepeatedCollectionOf100TakesAtMostAFifth() throws Exception {
    try (Caller on = new Caller("on");
        Caller off = new Caller("off")) {
      long plain = off.steadyBytes("people");
      assertThat(plain).isGreaterThan(10_000);
      assertThat(on.steadyBytes("people")).isLessThanOrEqualTo(plain / 5);
    }
  }

  @Test
  void whatCannotBeShortenedTakesNoMoreThanPlain() throws Exception {
    try (Caller on = new Caller("on");
        Caller off = new Caller("off")) {
      long plain = off.steadyBytes("noise");
      assertThat(on.steadyBytes("noise")).isLessThanOrEqualTo(plain + plain / 100);
    }
  }

  /** A client JVM with a relay of its own. */
  private final class Caller implements AutoCloseable {
    private final CountingRelay relay;
    private final ChildJvm jvm;

    Caller(String compression) throws Exception {
      relay = CountingRelay.to(gateway);
      jvm =
          ChildJvm.named("caller-" + compression, directory)
              .jvmOptions(
                  hosts.outsideOption(),
                  "-javaagent:"
                      + BuiltArtefacts.javaagent()
                      + "="
                      + relay.uri(gateway)
                      + ",tunnel=*:*,way=websocket,compression="
                      + compression)
              .classPath(
                  BuiltArtefacts.codeSource(SampleServer.class),
                  BuiltArtefacts.codeSource(CountedCaller.class))
              .main(CountedCaller.class.getName())
              .arguments(InsideHosts.INSIDE, Integer.toString(servers.samplePort()))
              .start();
      jvm.awaitLine(Pattern.compile("^calling$"), SOON);
    }

    /** What one of many such calls takes, both ways. */
    long steadyBytes(String call) throws InterruptedException {
      List<Long> taken = new ArrayList<>();
      for (int round = 0; round < ROUNDS; round++) {
        CountingRelay.Counts before = relay.counts();
        jvm.ask(call, Pattern.compile("^did " + call + "$"), SOON);
        CountingRelay.Counts one = relay.counts().since(before);
        if (round > 2) { // the context has to learn what repeats
          taken.add(one.bytes());
        }
      }
      Collections.sort(taken);
      return taken.get(taken.size() / 2);
    }

    @Override
    public void close() throws IOException {
      try {
        jvm.close();
      } finally {
        relay.close();
      }
    }
  }
}
