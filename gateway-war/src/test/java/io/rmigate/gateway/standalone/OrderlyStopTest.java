package io.rmigate.gateway.standalone;

import static io.rmigate.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.testing.FrameSocket;
import io.rmigate.protocol.jrmp.message.RegistryCall;
import io.rmigate.protocol.tunnel.Data;
import io.rmigate.protocol.tunnel.Drain;
import io.rmigate.protocol.tunnel.Frame;
import io.rmigate.protocol.tunnel.FrameReader;
import io.rmigate.protocol.tunnel.Goodbye;
import io.rmigate.protocol.tunnel.Heartbeat;
import io.rmigate.protocol.tunnel.Open;
import io.rmigate.testing.LoopbackPort;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.rmi.Remote;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What clients hear of calls that were in flight when a gateway was stopped in good order. */
class OrderlyStopTest {
  private static final int NAMES = 1000;
  private static final int NAME_CHARS = 200;
  private static final int NARROW = 4 * 1024;
  private static final int STREAM = 1;

  /** Only ever bound. */
  private static final class Nothing implements Remote {}

  @TempDir Path directory;
  private final Nothing nothing = new Nothing();
  private Registry registry;
  private int port;

  /** Whose list is long: some 200,000 bytes. */
  @BeforeEach
  void bindManyNames() throws Exception {
    port = LoopbackPort.free();
    registry = LocateRegistry.createRegistry(port);
    Remote stub = UnicastRemoteObject.exportObject(nothing, 0);
    for (int i = 0; i < NAMES; i++) {
      registry.bind("x".repeat(NAME_CHARS) + i, stub);
    }
  }

  @AfterEach
  void unexport() throws Exception {
    UnicastRemoteObject.unexportObject(registry, true);
    UnicastRemoteObject.unexportObject(nothing, true);
  }

  private String yaml() {
    return """
        insecure: true
        state: state
        hosts: [gw.example]
        logins:
          anonymous: true
        targets:
          - principals: ["*"]
            allow: ["127.0.0.1:%d"]
        """
        .formatted(port);
  }

  /**
   * A slow client has not read the answer to its call when the gateway has nothing more to do. Who
   * closes the connection then throws away what the client's machine has not taken, as soon as that
   * says anything.
   */
  @Test
  void theLastAnswerReachesAClientThatReadsItLate() throws Exception {
    RunningGateway gateway = RunningGateway.start(directory, yaml());
    Thread[] stopping = new Thread[1];
    CompletableFuture<Void> stopped = new CompletableFuture<>();
    List<Frame> heard = new ArrayList<>();
    FrameReader reader = new FrameReader(heard::add);
    try (FrameSocket agent = FrameSocket.openNarrow(gateway.uri(), NARROW)) {
      agent.send(FrameSocket.BINARY, true, FrameSocket.hello(1 << 20));
      reader.feed(ByteBuffer.wrap(agent.receive().payload()));
      say(agent, new Open(STREAM, "127.0.0.1", port, Duration.ofSeconds(9), Duration.ofSeconds(9)));
      say(agent, new Data(STREAM, true, RegistryCall.list()));
      await().until(() -> gateway.bootstrap().metrics().calls() == 1);
      stopping[0] =
          new Thread(
              () -> {
                gateway.bootstrap().drain(Duration.ofMinutes(1));
                gateway.close();
                stopped.complete(null);
              });
      stopping[0].start();
      while (heard.stream().noneMatch(Drain.class::isInstance)) {
        reader.feed(ByteBuffer.wrap(agent.receive().payload()));
      }
      say(agent, new Drain(Duration.ZERO));
      // Reads no more than the gateway needs to be rid of its last bytes.
      while (gateway.bootstrap().metrics().sessionsOpen() > 0 && isBehind(heard)) {
        reader.feed(ByteBuffer.wrap(agent.receive().payload()));
      }
      await().until(() -> gateway.bootstrap().metrics().sessionsOpen() == 0);
      await().until(() -> stopped.isDone() || isWaitingForClients(stopping[0]));
      say(agent, new Heartbeat(7)); // as it may have before it hears anything

      FrameSocket.Frame frame = agent.receive();
      while (frame.opcode() != FrameSocket.CLOSE) {
        reader.feed(ByteBuffer.wrap(frame.payload()));
        frame = agent.receive();
      }
      agent.send(FrameSocket.CLOSE, true, frame.payload());
    }

    assertThat(answered(heard)).isGreaterThan(NAMES * NAME_CHARS);
    assertThat(heard.get(heard.size() - 1)).isInstanceOf(Goodbye.class);
    stopped.get(60, TimeUnit.SECONDS);
    stopping[0].join();
  }

  /** Whether the better part of the answer is still to come. */
  private static boolean isBehind(List<Frame> heard) {
    return answered(heard) < NAMES * NAME_CHARS / 2;
  }

  private static int answered(List<Frame> heard) {
    return heard.stream()
        .filter(Data.class::isInstance)
        .mapToInt(frame -> ((Data) frame).bytes().length)
        .sum();
  }

  private static boolean isWaitingForClients(Thread stopping) {
    return Arrays.stream(stopping.getStackTrace())
        .anyMatch(frame -> frame.getMethodName().equals("awaitLastWords"));
  }

  private static void say(FrameSocket agent, Frame frame) throws Exception {
    agent.send(FrameSocket.BINARY, true, FrameSocket.bytes(frame));
  }
}
