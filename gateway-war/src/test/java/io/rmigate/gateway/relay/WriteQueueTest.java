package io.rmigate.gateway.relay;

import static io.rmigate.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The bytes arrive in their order for each size of the parts that a channel takes. */
class WriteQueueTest {
  private final WriteQueue queue = new WriteQueue();
  private Selector selector;
  private SocketChannel channel;
  private SocketChannel peer;
  private SelectionKey key;

  @BeforeEach
  void connect() throws IOException {
    selector = Selector.open();
    try (ServerSocketChannel server = ServerSocketChannel.open()) {
      server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      channel = SocketChannel.open();
      channel.setOption(StandardSocketOptions.SO_SNDBUF, 4 * 1024);
      channel.connect(server.getLocalAddress());
      peer = server.accept();
    }
    peer.configureBlocking(false);
    channel.configureBlocking(false);
    key = channel.register(selector, SelectionKey.OP_READ);
  }

  @AfterEach
  void close() throws IOException {
    channel.close();
    peer.close();
    selector.close();
  }

  private boolean asksForMore() {
    return (key.interestOps() & SelectionKey.OP_WRITE) != 0;
  }

  private byte[] piece(Random random, int length) {
    byte[] piece = new byte[length];
    random.nextBytes(piece);
    return piece;
  }

  /** Until nothing is left. */
  private byte[] readAll(int bytes) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    ByteBuffer buffer = ByteBuffer.allocate(64 * 1024);
    await()
        .until(
            () -> {
              int count = peer.read(buffer.clear());
              all.write(buffer.array(), 0, Math.max(0, count));
              int unused = queue.writeWaiting(channel, key);
              return all.size() >= bytes;
            });
    return all.toByteArray();
  }

  @Test
  void whatFindsNothingWaitingIsWrittenAtOnce() throws Exception {
    assertThat(queue.write(ByteBuffer.wrap(new byte[100]), channel, key)).isEqualTo(100);
    assertThat(queue.isEmpty()).isTrue();
    assertThat(asksForMore()).isFalse();
  }

  @Test
  void piecesOfAnySizeArriveInTheirOrder() throws Exception {
    Random random = new Random(7);
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    int written = 0;
    while (said.size() < 16 * 1024 * 1024) {
      byte[] piece = piece(random, 1 + random.nextInt(random.nextBoolean() ? 20 : 20_000));
      said.writeBytes(piece);
      written += queue.write(ByteBuffer.wrap(piece), channel, key);
    }
    assertThat(written).isLessThan(said.size());
    assertThat(asksForMore()).isTrue();

    assertThat(readAll(said.size())).isEqualTo(said.toByteArray());

    assertThat(queue.isEmpty()).isTrue();
    assertThat(asksForMore()).isFalse();
  }

  @Test
  void whatHasNoChannelYetLeavesFirst() throws Exception {
    byte[] first = {1};
    byte[] second = {2};
    queue.add(ByteBuffer.wrap(first));
    assertThat(queue.write(ByteBuffer.wrap(second), channel, key)).isZero();
    assertThat(queue.writeWaiting(channel, key)).isEqualTo(2);
    assertThat(readAll(2)).containsExactly(1, 2);
    assertThat(first).containsExactly(1); // nothing is put into buffers of others
  }

  @Test
  void brokenChannelSaysSoWhenItTakesNothing() throws Exception {
    queue.add(ByteBuffer.wrap(new byte[5000]));
    queue.add(ByteBuffer.wrap(new byte[5000]));
    channel.close();
    assertThatThrownBy(() -> queue.writeWaiting(channel, key)).isInstanceOf(IOException.class);
    queue.clear();
    assertThat(queue.isEmpty()).isTrue();
  }
}
