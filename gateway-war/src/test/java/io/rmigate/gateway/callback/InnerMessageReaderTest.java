package io.rmigate.gateway.callback;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.protocol.jrmp.Jrmp;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.VmIdentifier;
import io.rmigate.protocol.jrmp.message.DgcCall;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is kept of messages, and for how long. */
class InnerMessageReaderTest {
  private static final byte[] DIRTY =
      new DgcCall.Dirty(
              List.of(new ObjIdentifier(1, 2, 3, (short) 4)),
              1,
              Optional.of(new VmIdentifier(1, 2, 3, (short) 4)),
              600_000)
          .encode();

  private final List<String> heard = new ArrayList<>();
  private int kept;
  private int room;
  private final InnerMessageReader dialogue = new InnerMessageReader(new Recorder(), new Taker());

  private final class Recorder implements InnerMessageReader.Answers {
    @Override
    public void onPreamble() {}

    @Override
    public void onOtherProtocol() {
      heard.add("other protocol");
    }

    @Override
    public void onPing() {
      heard.add("ping");
    }

    @Override
    public void onCollectorCall(DgcCall call) {
      heard.add("collector");
    }

    @Override
    public boolean mayKeep(int change) {
      if (kept + change > room) {
        return false;
      }
      kept += change;
      return true;
    }

    @Override
    public void onNoRoom() {
      heard.add("no room");
      dialogue.close();
    }
  }

  private final class Taker implements InnerMessageReader.Calls {
    @Override
    public void onCall(byte[] beginning) {
      heard.add("call");
    }

    @Override
    public void onAcknowledgement() {
      heard.add("acknowledgement");
    }

    @Override
    public void onMessageBytes(ByteBuffer bytes) {
      bytes.position(bytes.limit());
    }
  }

  private void say(byte[] bytes, int from, int to) throws Exception {
    dialogue.onBytes(ByteBuffer.wrap(bytes, from, to - from));
  }

  private void greet() throws Exception {
    byte[] preamble =
        ByteBuffer.allocate(13)
            .putInt(Jrmp.MAGIC)
            .putShort((short) Jrmp.VERSION)
            .put((byte) Jrmp.STREAM_PROTOCOL)
            .array(); // and no host, and port 0
    say(preamble, 0, preamble.length);
  }

  @Test
  void callOfTheCollectorThatComesWholeNeedsNoRoom() throws Exception {
    greet();
    for (int i = 0; i < 3; i++) {
      say(DIRTY, 0, DIRTY.length);
    }
    assertThat(heard).containsExactly("collector", "collector", "collector");
  }

  @Test
  void callOfTheCollectorInPiecesIsKeptUntilItsEnd() throws Exception {
    room = DIRTY.length;
    greet();
    say(DIRTY, 0, 60);
    say(DIRTY, 60, 80);
    assertThat(kept).isEqualTo(80);
    say(DIRTY, 80, DIRTY.length);
    assertThat(heard).containsExactly("collector");
    assertThat(kept).isZero();
  }

  @Test
  void callOfTheCollectorInPiecesEndsWhereThereIsNoRoom() throws Exception {
    room = 70;
    greet();
    say(DIRTY, 0, 60);
    say(DIRTY, 60, 80);
    say(DIRTY, 80, DIRTY.length);
    assertThat(heard).containsExactly("no room");
    assertThat(kept).isZero();
  }
}
