package io.rmigate.perf.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetSocketAddress;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class LinkProfileTest {
  @Test
  void everyNameIsKnownAndEveryProfileSaysWhereItsFiguresComeFrom() {
    assertThat(LinkProfile.NAMED)
        .extracting(LinkProfile::name)
        .containsExactly("gsm", "hscsd28", "hscsd43", "gprs", "3g", "satellite", "lan");
    assertThat(LinkProfile.NAMED)
        .allSatisfy(
            profile -> {
              assertThat(LinkProfile.parse(profile.name())).isEqualTo(profile);
              assertThat(profile.source()).isNotBlank();
            });
    assertThat(LinkProfile.parse("GSM").roundTrip()).isEqualTo(Duration.ofMillis(520));
    assertThat(LinkProfile.parse("gsm").up().nanosFor(1_200)).isEqualTo(1_000_000_000L);
  }

  @Test
  void figuresAreReadWithTheirUnits() {
    assertThat(LinkProfile.parse("rate=9600,delay=260ms"))
        .satisfies(
            profile -> {
              assertThat(profile.up()).isEqualTo(LinkProfile.parse("gsm").up());
              assertThat(profile.down()).isEqualTo(LinkProfile.parse("gsm").down());
            });
    LinkProfile uneven =
        LinkProfile.parse("up=14.4k,down=2M,delay=0.5s,delay-up=20.5ms,buffer=3000");
    assertThat(uneven.up()).isEqualTo(new LineShape(14_400, Duration.ofNanos(20_500_000)));
    assertThat(uneven.down()).isEqualTo(new LineShape(2_000_000, Duration.ofMillis(500)));
    assertThat(uneven.bufferBytes()).isEqualTo(3_000);
  }

  @Test
  void mistakesAreNamed() {
    assertRefused("umts", "no link profile \"umts\"; there are gsm, hscsd28");
    assertRefused("delay=1ms", "a link needs rate=");
    assertRefused("rate=fast", "expected a number, got \"fast\"");
    assertRefused("rate=9600,delay=5", "expected a delay such as 260ms or 1.5s, got 5");
    assertRefused("rate=9600,loss=1", "a link has no loss");
    assertRefused("rate=9600,rate=1", "each name once, got rate=1");
    assertRefused("rate=9600,buffer=100", "at least a packet's 1460 bytes, got 100");
    assertRefused("rate=0", "no line has 0 bit/s");
  }

  private static void assertRefused(String text, String message) {
    assertThatThrownBy(() -> LinkProfile.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  @Test
  @SuppressWarnings("AddressSelection") // these are addresses already
  void commandLinePairsListenersWithTargets() {
    LinkCommand.Options options =
        LinkCommand.Options.parse(
            "--profile",
            "3g",
            "--listen",
            "127.0.0.2:1099",
            "--to",
            "127.0.0.1:1099",
            "--to",
            "127.0.0.1:8080");
    assertThat(options.profile().name()).isEqualTo("3g");
    assertThat(options.routes())
        .containsExactly(
            new LinkCommand.Route(
                new InetSocketAddress("127.0.0.2", 1099), new InetSocketAddress("127.0.0.1", 1099)),
            new LinkCommand.Route(
                new InetSocketAddress("127.0.0.1", 0), new InetSocketAddress("127.0.0.1", 8080)));
    assertUsage("expected --to host:port, behind each --listen", "--listen", "0");
    assertUsage("expected host:port, got 80", "--to", "80");
    assertUsage("--to needs a value", "--to");
    assertUsage("unknown option --from", "--from", "x");
  }

  private static void assertUsage(String message, String... args) {
    assertThatThrownBy(() -> LinkCommand.Options.parse(args))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }
}
