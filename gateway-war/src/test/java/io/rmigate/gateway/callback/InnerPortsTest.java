package io.rmigate.gateway.callback;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.callback.port.PortRange;
import io.rmigate.gateway.login.Principal;
import io.rmigate.gateway.relay.RelayLoop;
import io.rmigate.gateway.relay.listener.InnerListener;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whose ports are whose is written down before anybody is told. */
class InnerPortsTest {
  private static final Principal ANN = new Principal("ann", Principal.Scheme.BASIC);
  private static final CallbackSettings SETTINGS =
      new CallbackSettings(
          InetAddress.getLoopbackAddress(),
          "gw.inner",
          new CallbackSettings.ListenerPorts(PortRange.ANY, CallbackSettings.QUARANTINE),
          InnerPeers.of(List.of("127.0.0.1")),
          List.of(new CallbackSettings.Allowance(Set.of("*"), 9, List.of())),
          new CallbackSettings.ConnectionLimits(9, 9),
          CallbackSettings.LEASE);

  @TempDir private Path directory;
  private final RelayLoop loop = new RelayLoop("loop");
  private final Queue<Runnable> blocking = new ArrayDeque<>();
  private final AtomicInteger told = new AtomicInteger();

  @AfterEach
  void closeLoop() {
    loop.start(); // which closes its selector at its end
    loop.close();
  }

  private InnerPorts ports(Path state) {
    return new InnerPorts(
        () -> Optional.of(SETTINGS), Optional.of(state), blocking::add, CallbackMeters.NONE);
  }

  private int listen(InnerPorts ports) {
    try (InnerListener listener = ports.listen(ANN, loop, 0).listener().orElseThrow()) {
      ports.whenOwnersAreKept(told::incrementAndGet);
      return listener.port();
    }
  }

  @Test
  void membersOfAGroupThatIsListedMayListenAndNobodyElse() throws Exception {
    CallbackSettings settings =
        new CallbackSettings(
            InetAddress.getLoopbackAddress(),
            "gw.inner",
            new CallbackSettings.ListenerPorts(PortRange.ANY, CallbackSettings.QUARANTINE),
            InnerPeers.of(List.of("127.0.0.1")),
            List.of(new CallbackSettings.Allowance(Set.of("group:tills"), 9, List.of())),
            new CallbackSettings.ConnectionLimits(9, 9),
            CallbackSettings.LEASE);
    InnerPorts ports =
        new InnerPorts(
            () -> Optional.of(settings), Optional.empty(), blocking::add, CallbackMeters.NONE);
    try (InnerListener listener =
        ports.listen(Principal.listed("group:tills"), loop, 0).listener().orElseThrow()) {
      assertThat(listener.port()).isPositive();
    }
    assertThat(ports.listen(Principal.listed("group:others"), loop, 0).listener()).isEmpty();
    assertThat(ports.listen(ANN, loop, 0).listener()).isEmpty();
  }

  @Test
  void nobodyIsToldBeforeItIsWritten() throws Exception {
    InnerPorts ports = ports(directory);
    int first = listen(ports);
    int second = listen(ports);
    assertThat(told).hasValue(0);
    assertThat(blocking).hasSize(1); // one writes for both
    blocking.remove().run();
    assertThat(told).hasValue(2);
    assertThat(Files.readAllLines(directory.resolve("callback-ports")))
        .containsExactlyInAnyOrder(first + " BASIC+ann", second + " BASIC+ann");
    ports.whenOwnersAreKept(told::incrementAndGet);
    assertThat(told).hasValue(3); // nothing is new
  }

  @Test
  void nobodyWaitsLongForADiskThatHangs() {
    InnerPorts ports = ports(directory);
    listen(ports);
    ports.tick(System.nanoTime());
    assertThat(told).hasValue(0);
    ports.tick(System.nanoTime() + Duration.ofSeconds(2).toNanos());
    assertThat(told).hasValue(1);
  }

  @Test
  void whatCouldNotBeWrittenIsTriedAgain() throws Exception {
    Path state = Files.writeString(directory.resolve("state"), "no directory");
    InnerPorts ports = ports(state);
    int port = listen(ports);
    blocking.remove().run();
    assertThat(told).hasValue(1);
    ports.tick(System.nanoTime());
    assertThat(blocking).isEmpty(); // not yet
    Files.delete(state);
    ports.tick(System.nanoTime() + Duration.ofMinutes(1).toNanos());
    blocking.remove().run();
    assertThat(Files.readString(state.resolve("callback-ports"))).startsWith(port + " ");
    ports.close();
  }
}
