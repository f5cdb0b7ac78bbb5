package io.rmigate.client.ladder;

import static io.rmigate.testing.Patience.PATIENCE;
import static io.rmigate.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rmigate.client.config.ClientConfig;
import io.rmigate.client.config.ConfigKey;
import io.rmigate.client.config.Way;
import io.rmigate.client.transport.GatewayUnavailableException;
import io.rmigate.client.transport.Transport;
import io.rmigate.client.transport.TransportConnector;
import io.rmigate.client.transport.TransportRefusedException;
import io.rmigate.client.transport.net.Networks;
import io.rmigate.client.transport.proxy.GatewayDialer;
import io.rmigate.testing.NamedThreads;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** When POST takes the place of WebSocket, when it does not, and the way back. */
class LinkLadderTest {
  private static final String NO_CONTENT = "\r\nContent-Length: 0\r\n\r\n";

  private final AtomicReference<String> network = new AtomicReference<>("office");
  private ScriptedGateway gateway;
  private ChosenWays chosen;

  /** No way is overtaken because the machine is busy, unless a test wants that. */
  private String stagger = "1m";

  @BeforeEach
  void listen() throws IOException {
    gateway = new ScriptedGateway();
  }

  @AfterEach
  void nothingIsLeft() throws IOException {
    gateway.close();
    NamedThreads.awaitEnd("rmigate-");
  }

  private TransportConnector ladder(String... settings) {
    return ladder(gateway.url(), settings);
  }

  /** With a retry that is due at once. */
  private TransportConnector ladder(URI url, String... settings) {
    ClientConfig.Builder builder =
        ClientConfig.builder()
            .gateways(url)
            .set(ConfigKey.WAY_STAGGER, stagger)
            .set(ConfigKey.WAY_RETRY, "1ms");
    for (int i = 0; i < settings.length; i += 2) {
      builder.set(ConfigKey.byName(settings[i]).orElseThrow(), settings[i + 1]);
    }
    ClientConfig config = builder.build();
    // Another network at once, without the age of a look.
    chosen =
        ChosenWays.with(new Networks(network::get, new Steps()::next), config, System::nanoTime);
    return LinkLadder.of(config, new GatewayDialer(config), chosen).each().get(0);
  }

  /** A clock that is far ahead at each look. */
  private static final class Steps {
    private long nanos;

    long next() {
      nanos += TimeUnit.HOURS.toNanos(1);
      return nanos;
    }
  }

  private static Way wayOf(TransportConnector connector) throws IOException {
    try (Transport transport = connector.connect(PATIENCE)) {
      return transport.way().orElseThrow();
    }
  }

  @Test
  void webSocketIsTakenWhereItWorksAndNothingElseIsTried() throws Exception {
    TransportConnector ladder = ladder();

    assertThat(wayOf(ladder)).isEqualTo(Way.WEBSOCKET);

    assertThat(gateway.requests()).containsExactly("GET");
    assertThat(chosen.lines()).containsExactly(gateway.url() + ": websocket: it answers");
  }

  @Test
  void theFirstWayAndEachChangeOfItAreInTheLogOnceAndWhy() throws Exception {
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
    Logger logger = Logger.getLogger(WayMemory.class.getName());
    logger.addHandler(handler);
    try {
      TransportConnector ladder = ladder();
      assertThat(wayOf(ladder)).isEqualTo(Way.WEBSOCKET);
      assertThat(wayOf(ladder)).isEqualTo(Way.WEBSOCKET);
      gateway.upgrade = ScriptedGateway.Upgrade.REFUSE;
      assertThat(wayOf(ladder)).isEqualTo(Way.POST);
      assertThat(wayOf(ladder)).isEqualTo(Way.POST);
    } finally {
      logger.removeHandler(handler);
    }

    String isReached = "INFO " + gateway.url() + " is reached by ";
    assertThat(logged).hasSize(2);
    assertThat(logged.get(0)).isEqualTo(isReached + "websocket: it answers");
    assertThat(logged.get(1))
        .startsWith(isReached + "post: websocket: " + gateway.url() + " answered 426");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"400 Bad Request", "403 Forbidden", "426 Upgrade Required", "200 OK", "501 No"})
  void postIsUsedWhereTheUpgradeIsRefusedAndAtOnceTheNextTime(String refusal) throws Exception {
    gateway.upgrade = ScriptedGateway.Upgrade.REFUSE;
    gateway.refusal = "HTTP/1.1 " + refusal + NO_CONTENT;
    TransportConnector ladder = ladder();

    assertThat(wayOf(ladder)).isEqualTo(Way.POST);
    assertThat(wayOf(ladder)).isEqualTo(Way.POST);

    assertThat(gateway.requests()).containsExactly("GET", "POST", "POST");
    assertThat(chosen.lines())
        .singleElement()
        .asString()
        .startsWith(gateway.url() + ": post: websocket: " + gateway.url() + " answered " + refusal);
  }

  @ParameterizedTest
  @EnumSource(names = {"HANG", "RESET", "SWALLOW"})
  void postIsUsedWhereTheUpgradeDoesNotComeBack(ScriptedGateway.Upgrade upgrade) throws Exception {
    gateway.upgrade = upgrade;
    if (upgrade != ScriptedGateway.Upgrade.RESET) {
      stagger = "250ms";
    }

    assertThat(wayOf(ladder())).isEqualTo(Way.POST);

    assertThat(gateway.requests()).containsExactly("GET", "POST");
    assertThat(gateway.hungUp().await(PATIENCE.toSeconds(), TimeUnit.SECONDS))
        .as("what was left hanging is closed")
        .isTrue();
  }

  @Test
  void aPostThatHasLostTheRaceIsGivenUpAtTheGateway() throws Exception {
    gateway.beforePosts = new CountDownLatch(1);
    stagger = "250ms";

    assertThat(wayOf(ladder("way", "post|websocket"))).isEqualTo(Way.WEBSOCKET);
    gateway.beforePosts.countDown();

    assertThat(gateway.givenUp().await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(gateway.requests()).containsExactly("POST", "GET");
  }

  @Test
  void whatHadNoAnswerIsSaid() throws Exception {
    gateway.upgrade = ScriptedGateway.Upgrade.HANG;
    stagger = "20ms";

    assertThat(wayOf(ladder())).isEqualTo(Way.POST);

    assertThat(chosen.lines())
        .containsExactly(
            gateway.url() + ": post: websocket: no answer within 80 ms, nor before this one");
  }

  @Test
  void theOtherOneIsTriedAtOnceWhereWhatHasWorkedDoesNotAnyMore() throws Exception {
    gateway.upgrade = ScriptedGateway.Upgrade.REFUSE;
    TransportConnector ladder = ladder();
    assertThat(wayOf(ladder)).isEqualTo(Way.POST);
    gateway.upgrade = ScriptedGateway.Upgrade.TAKE;
    gateway.postRefusal = "HTTP/1.1 405 Method Not Allowed" + NO_CONTENT;

    assertThat(wayOf(ladder)).isEqualTo(Way.WEBSOCKET);

    assertThat(gateway.requests()).containsExactly("GET", "POST", "POST", "GET");
  }

  @Test
  void whatWasLearntInOneNetworkSaysNothingInAnother() throws Exception {
    gateway.upgrade = ScriptedGateway.Upgrade.REFUSE;
    TransportConnector ladder = ladder();
    assertThat(wayOf(ladder)).isEqualTo(Way.POST);
    gateway.upgrade = ScriptedGateway.Upgrade.TAKE;

    network.set("home");
    assertThat(wayOf(ladder)).isEqualTo(Way.WEBSOCKET);
    network.set("office");
    assertThat(wayOf(ladder)).isEqualTo(Way.POST);

    assertThat(gateway.requests()).containsExactly("GET", "POST", "GET", "POST");
  }

  @Test
  void theOrderIsTheOneThatIsConfigured() throws Exception {
    TransportConnector ladder = ladder("way", "post|websocket");

    assertThat(wayOf(ladder)).isEqualTo(Way.POST);
    gateway.postRefusal = "HTTP/1.1 405 Method Not Allowed" + NO_CONTENT;
    assertThat(wayOf(ladder)).isEqualTo(Way.WEBSOCKET);

    assertThat(gateway.requests()).containsExactly("POST", "POST", "GET");
  }

  @Test
  void theWayBackIsOpenOnceTheBetterOneAnswers() throws Exception {
    gateway.upgrade = ScriptedGateway.Upgrade.SWALLOW;
    stagger = "20ms";
    TransportConnector ladder = ladder();
    try (Transport post = ladder.connect(PATIENCE)) {
      await().until(() -> ladder.mayClimbFrom(post));
      assertThatThrownBy(() -> ladder.climb(Duration.ofMillis(300)))
          .hasMessageContaining("took longer than");
      gateway.upgrade = ScriptedGateway.Upgrade.TAKE;
      await().until(() -> ladder.mayClimbFrom(post));

      try (Transport better = ladder.climb(PATIENCE)) {
        assertThat(better.way()).contains(Way.WEBSOCKET);
        assertThat(ladder.mayClimbFrom(better)).isFalse();
      }
    }
    assertThat(chosen.lines()).containsExactly(gateway.url() + ": websocket: it answers again");
  }

  @Test
  void aTransportOnWhichNothingCameBackGivesWayToTheOther() throws Exception {
    TransportConnector ladder = ladder();
    Transport silent = ladder.connect(PATIENCE);
    ladder.wasSilent(silent);
    silent.close();

    assertThat(wayOf(ladder)).isEqualTo(Way.POST);

    assertThat(chosen.lines())
        .containsExactly(gateway.url() + ": post: websocket: connected, and no frame came back");
  }

  @Test
  void aGatewayThatHasNoRoomSaysSoAlsoWhereTheUpgradeWasRefusedBefore() throws Exception {
    gateway.upgrade = ScriptedGateway.Upgrade.REFUSE;
    gateway.postRefusal = "HTTP/1.1 503 Full" + NO_CONTENT;

    assertThatThrownBy(() -> ladder().connect(PATIENCE))
        .isInstanceOf(GatewayUnavailableException.class)
        .satisfies(e -> assertThat(e.getSuppressed()[0]).hasMessageContaining("426"));
  }

  @Test
  void whatTheUpgradeWasRefusedWithIsSaidWherePostDoesNotHelpEither() throws Exception {
    gateway.upgrade = ScriptedGateway.Upgrade.REFUSE;
    gateway.postRefusal = "HTTP/1.1 405 Method Not Allowed" + NO_CONTENT;

    assertThatThrownBy(() -> ladder().connect(PATIENCE))
        .isInstanceOf(TransportRefusedException.class)
        .hasMessageContaining("426")
        .satisfies(e -> assertThat(e.getSuppressed()[0]).hasMessageContaining("post.enabled"));
    assertThat(chosen.lines()).isEmpty();
  }

  @Test
  void postIsNotTriedWhereTheLoginIsRefused() throws Exception {
    gateway.upgrade = ScriptedGateway.Upgrade.REFUSE;
    gateway.refusal = "HTTP/1.1 401 Unauthorized" + NO_CONTENT;

    assertThatThrownBy(() -> ladder().connect(PATIENCE)).hasMessageContaining("401");

    assertThat(gateway.requests()).containsExactly("GET");
  }

  @Test
  void nothingElseIsTriedWhereTlsFails() throws Exception {
    URI https = URI.create(gateway.url().toString().replace("http:", "https:"));

    assertThatThrownBy(() -> ladder(https).connect(PATIENCE)).hasMessageContaining("TLS with ");

    assertThat(gateway.connections()).isEqualTo(1);
  }

  @Test
  void nothingElseIsTriedWhereNobodyListens() throws Exception {
    gateway.close();

    assertThatThrownBy(() -> ladder().connect(PATIENCE))
        .isInstanceOf(ConnectException.class)
        .satisfies(e -> assertThat(e.getSuppressed()).isEmpty());
  }

  @Test
  void nothingButWebSocketIsTriedWhereItIsAskedFor() throws Exception {
    gateway.upgrade = ScriptedGateway.Upgrade.REFUSE;

    assertThatThrownBy(() -> ladder("way", "websocket").connect(PATIENCE))
        .isInstanceOf(TransportRefusedException.class);

    assertThat(gateway.requests()).containsExactly("GET");
  }

  @Test
  void nothingButPostIsTriedWhereItIsAskedFor() throws Exception {
    try (Transport transport = ladder("way", "post").connect(PATIENCE)) {
      assertThat(transport).hasToString("POST to " + gateway.url());
    }
    assertThat(gateway.requests()).containsExactly("POST");
  }

  @Test
  void noLinkIsOpenedWhereNoneIsAllowed() throws Exception {
    assertThatThrownBy(() -> ladder("way", "direct|connect").connect(PATIENCE))
        .isInstanceOf(ConnectException.class)
        .hasMessageContaining("way=direct|connect");
    assertThat(gateway.connections()).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 6\r\n\r\n<html>",
        "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n\1\2\0\0",
      })
  void somethingElseThanAGatewayIsRecognized(String answer) throws Exception {
    gateway.postRefusal = answer;

    assertThatThrownBy(() -> ladder("way", "post").connect(PATIENCE))
        .isExactlyInstanceOf(IOException.class)
        .hasMessageContaining("expected");
  }
}
