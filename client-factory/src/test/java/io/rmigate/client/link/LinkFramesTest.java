package io.rmigate.client.link;

import static io.rmigate.testing.Patience.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.rmigate.client.stats.UsageCounters;
import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.coding.Compression;
import io.rmigate.protocol.tunnel.Feature;
import io.rmigate.protocol.tunnel.Frame;
import io.rmigate.protocol.tunnel.FrameCodecTest;
import io.rmigate.protocol.tunnel.FrameType;
import io.rmigate.testing.FakeGateway;
import io.rmigate.testing.NamedThreads;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Each frame that the gateway can send has exactly one handler in the agent. */
@Timeout(60)
class LinkFramesTest {
  /** The part of the agent that handles a frame. */
  private enum Handler {
    STREAM,
    LINK,
    LISTENER
  }

  private static final Set<FrameType> OF_THE_LINK =
      EnumSet.of(
          FrameType.HEARTBEAT,
          FrameType.HEARTBEAT_ACK,
          FrameType.ACK,
          FrameType.DRAIN,
          FrameType.GOODBYE);

  /** Frames of agents that begin a stream, which never come here. */
  private static final Set<FrameType> OPENING =
      EnumSet.of(FrameType.OPEN, FrameType.OPEN_RAW, FrameType.SEQUENCE);

  private final List<Frame> heard = new ArrayList<>();
  private final FakeGateway gateway = new FakeGateway();
  private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(1);
  private Link link;
  private LinkFrames frames;

  @BeforeEach
  void open() throws Exception {
    LinkListener listener =
        new LinkListener() {
          @Override
          public Set<Feature> offers() {
            return Set.of();
          }

          @Override
          public void onFrame(Link of, Frame frame) {
            heard.add(frame);
          }

          @Override
          public void onEnded(Link of, IOException cause) {}
        };
    link = new Link(gateway.connect(PATIENCE), new UsageCounters(), Compression.OFF, listener);
    frames = new LinkFrames(link, listener);
  }

  @AfterEach
  void nothingIsLeft() {
    link.close();
    timer.shutdownNow();
    NamedThreads.awaitEnd("rmigate-");
  }

  @Test
  void eachFrameHasOneHandler() throws Exception {
    link.greet(PATIENCE, Map.of(), timer);
    Map<FrameType, Handler> handlers = new EnumMap<>(FrameType.class);
    for (Frame frame : FrameCodecTest.samples().toList()) {
      heard.clear();
      Throwable thrown = catchThrowable(() -> frames.onFrame(frame));
      boolean isOfStream = isViolation(thrown, "on an open stream");
      handlers.put(
          frame.type(),
          isOfStream ? Handler.STREAM : heard.isEmpty() ? Handler.LINK : Handler.LISTENER);
    }

    for (FrameType type : FrameType.values()) {
      assertThat(handlers).containsEntry(type, expected(type));
    }
  }

  private static Handler expected(FrameType type) {
    if (OF_THE_LINK.contains(type)) {
      return Handler.LINK;
    }
    boolean isOfStream = type.scope() == FrameType.Scope.STREAM && !OPENING.contains(type);
    return isOfStream ? Handler.STREAM : Handler.LISTENER;
  }

  @Test
  void theListenerHearsNothingBeforeTheWelcome() {
    for (Frame frame : FrameCodecTest.samples().toList()) {
      Throwable thrown = catchThrowable(() -> frames.onFrame(frame));
      if (expected(frame.type()) == Handler.LISTENER && frame.type() != FrameType.WELCOME) {
        assertThat(isViolation(thrown, "expected WELCOME first")).as("%s", frame.type()).isTrue();
      }
    }
    assertThat(heard).isEmpty();
  }

  private static boolean isViolation(Throwable thrown, String text) {
    return thrown instanceof ProtocolViolationException && thrown.getMessage().contains(text);
  }
}
