package io.rmigate.client.virtual;

import static io.rmigate.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rmigate.testing.InheritedMethods;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class MemorySocketTest {
  private static final int PORT = 40_001;

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final MemorySocket.Pair pair = newPair();

  private static MemorySocket.Pair newPair() {
    try {
      return MemorySocket.pair(PORT);
    } catch (SocketException impossible) {
      throw new AssertionError(impossible);
    }
  }

  @AfterEach
  void stop() {
    threads.shutdownNow();
  }

  @Test
  void whatIsWrittenOnOneEndIsReadOnTheOtherHoweverMuchItIs() throws Exception {
    byte[] all = new byte[300_000]; // more than a pipe holds
    new Random(1).nextBytes(all);
    Future<?> writing =
        threads.submit(
            () -> {
              for (int at = 0, part = 1; at < all.length; at += part, part = part * 3 % 20_011) {
                part = Math.min(Math.max(part, 1), all.length - at);
                pair.connecting().getOutputStream().write(all, at, part);
              }
              pair.connecting().close();
              return null;
            });

    assertThat(pair.accepted().getInputStream().readAllBytes()).isEqualTo(all);
    writing.get();
  }

  @Test
  void closingWakesBothEnds() throws Exception {
    Future<Integer> own = threads.submit(() -> read(pair.connecting()));
    Future<Integer> peer = threads.submit(() -> read(pair.accepted()));
    pair.connecting().close();

    assertThatThrownBy(own::get).hasCauseInstanceOf(SocketException.class);
    assertThat(peer.get()).isEqualTo(-1);
    assertThatThrownBy(() -> pair.accepted().getOutputStream().write(1))
        .isInstanceOf(SocketException.class);
    assertThat(pair.connecting().isClosed()).isTrue();
    assertThat(pair.accepted().isClosed()).isFalse();
  }

  @Test
  void aWriterThatWaitsForRoomHearsThatNobodyReads() throws Exception {
    Future<?> writing =
        threads.submit(
            () -> {
              pair.connecting().getOutputStream().write(new byte[1_000_000]);
              return null;
            });
    await().until(() -> pair.accepted().getInputStream().available() == 64 * 1024);
    pair.accepted().close();

    assertThatThrownBy(writing::get).hasCauseInstanceOf(SocketException.class);
  }

  @Test
  void aTimeoutLeavesTheSocketUsable() throws Exception {
    pair.accepted().setSoTimeout(1);

    assertThatThrownBy(() -> read(pair.accepted())).isInstanceOf(SocketTimeoutException.class);
    pair.connecting().getOutputStream().write(7);
    assertThat(read(pair.accepted())).isEqualTo(7);
  }

  @Test
  void interruptsAreKeptAndDisturbNothing() throws Exception {
    pair.accepted().setSoTimeout(60_000);
    Future<Boolean> reading =
        threads.submit(
            () -> {
              Thread.currentThread().interrupt();
              return read(pair.accepted()) == 7 && Thread.interrupted();
            });
    pair.connecting().getOutputStream().write(7);

    assertThat(reading.get()).isTrue();
  }

  @Test
  void noMethodOfSocketIsLeftToMakeADescriptor() {
    assertThat(InheritedMethods.of(MemorySocket.class, Socket.class)).isEmpty();
  }

  private static int read(MemorySocket socket) throws Exception {
    return socket.getInputStream().read();
  }
}
