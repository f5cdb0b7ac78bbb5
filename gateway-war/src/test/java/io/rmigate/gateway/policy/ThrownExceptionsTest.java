package io.rmigate.gateway.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.policy.rule.ClassMode;
import io.rmigate.gateway.policy.rule.Entry;
import io.rmigate.gateway.policy.rule.Objection;
import io.rmigate.gateway.policy.type.ThrownExceptions;
import io.rmigate.gateway.quota.Quota;
import io.rmigate.gateway.quota.Share;
import io.rmigate.protocol.jrmp.message.ExceptionalReturn;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.rmi.RemoteException;
import java.rmi.ServerException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is told of an exception whose class is refused. */
@SuppressWarnings("serial")
class ThrownExceptionsTest {
  private static final int PIECE = 100;

  static class SoldOut extends RuntimeException {
    final Detail detail = new Detail();

    SoldOut(String message, Throwable cause) {
      super(message, cause);
    }
  }

  static class Detail implements Serializable {
    final String detailMessage = "another field of that name";
  }

  private static Optional<String> text(Throwable thrown) {
    byte[] message = ExceptionalReturn.encode(thrown);
    return ThrownExceptions.text(message, message.length);
  }

  private static String name(Class<?> type) {
    return type.getName();
  }

  @Test
  void classAndMessageOfTheExceptionAndItsCausesAreTold() {
    assertThat(text(new SoldOut("no größe left", new IllegalStateException("empty"))))
        .contains(
            name(SoldOut.class) + ": no größe left; with java.lang.IllegalStateException: empty");
    assertThat(text(new SoldOut(null, null))).contains(name(SoldOut.class));
    assertThat(
            text(
                new ServerException("in server", new RemoteException("r", new SoldOut("x", null)))))
        .contains(
            "java.rmi.ServerException: in server; with java.rmi.RemoteException: r; with "
                + name(SoldOut.class)
                + ": x");
  }

  @Test
  void aMessageThatTwoExceptionsShareIsToldOfBoth() {
    String same = "same";
    assertThat(text(new SoldOut(same, new IllegalStateException(same))))
        .contains(name(SoldOut.class) + ": same; with java.lang.IllegalStateException: same");
  }

  @Test
  void textOfServersIsBoundedAndFitForOneLine() {
    Throwable chain = new SoldOut("innermost", null);
    for (int i = 0; i < 50; i++) {
      chain = new SoldOut("a\nb\u202E" + "x".repeat(100_000), chain);
    }
    assertThat(text(chain))
        .hasValueSatisfying(
            text ->
                assertThat(text)
                    .hasSizeLessThan(5_000)
                    .startsWith(name(SoldOut.class) + ": a?b?xxx")
                    .contains("x…; with ")
                    .doesNotContain("innermost"));
  }

  @Test
  void aResultIsNone() {
    byte[] message = ExceptionalReturn.encode(new SoldOut("text", null));
    int kind = 7; // behind the code of the message, the header of the stream and that of the block
    assertThat(message[kind]).isEqualTo((byte) 2);
    message[kind] = 1;
    assertThat(ThrownExceptions.text(message, message.length)).isEmpty();
  }

  private static JudgedMessage reply(ClassMode mode) {
    return Rulebook.OFF
        .rules(List.of(Entry.of(mode).rules()))
        .replyOfServer(new Share(Quota.half(1 << 20)), reference -> {});
  }

  @Test
  void aRefusedExceptionIsRefusedWhenItIsThereAndNothingOfItPasses() {
    byte[] message = ExceptionalReturn.encode(new SoldOut("no chairs left", null));
    JudgedMessage reply = reply(ClassMode.ENFORCE);
    int at = 0;
    for (; at + PIECE < message.length; at += PIECE) {
      byte[] piece = Arrays.copyOfRange(message, at, at + PIECE);
      assertThat(reply.more(ByteBuffer.wrap(piece))).isEmpty();
      assertThat(reply.ready()).isZero();
    }
    byte[] rest = Arrays.copyOfRange(message, at, message.length);
    assertThat(reply.more(ByteBuffer.wrap(rest)))
        .extracting(Objection::subject)
        .contains(name(SoldOut.class));
    assertThat(reply.thrown()).contains(name(SoldOut.class) + ": no chairs left");
    assertThat(reply.more(ByteBuffer.wrap(rest))).isNotEmpty();
    reply.close();
  }

  @Test
  void oneThatEndsEarlyIsRefused() {
    byte[] message = ExceptionalReturn.encode(new SoldOut("no chairs left", null));
    JudgedMessage reply = reply(ClassMode.ENFORCE);
    assertThat(reply.more(ByteBuffer.wrap(message, 0, message.length - 10))).isEmpty();
    assertThat(reply.end()).extracting(Objection::subject).contains(name(SoldOut.class));
    assertThat(reply.thrown()).isPresent();
    reply.close();
  }

  @Test
  void notMuchOfOneIsWaitedFor() {
    byte[] message = ExceptionalReturn.encode(new SoldOut("x".repeat(200_000), null));
    JudgedMessage reply = reply(ClassMode.ENFORCE);
    assertThat(reply.more(ByteBuffer.wrap(message, 0, 60_000))).isEmpty();
    assertThat(reply.more(ByteBuffer.wrap(message, 60_000, 20_000))).isNotEmpty();
    assertThat(reply.thrown()).contains(name(SoldOut.class));
    reply.close();
  }

  @Test
  void whereObjectionsAreNotedNothingIsHeld() {
    byte[] message = ExceptionalReturn.encode(new SoldOut("text", null));
    JudgedMessage reply = reply(ClassMode.LEARN);
    assertThat(reply.more(ByteBuffer.wrap(message, 0, message.length - 10))).isNotEmpty();
    assertThat(reply.ready()).isEqualTo(message.length - 10);
    reply.close();
  }
}
