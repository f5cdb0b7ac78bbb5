package io.rmigate.gateway.edge.post;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.login.Principal;
import io.rmigate.gateway.quota.Shares;
import io.rmigate.protocol.AddressOwner;
import io.rmigate.protocol.post.ConnectionId;
import io.rmigate.protocol.post.Post;
import io.rmigate.protocol.post.PostAnswer;
import io.rmigate.protocol.post.PostRequest;
import io.rmigate.protocol.tunnel.CloseCause;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How requests of one connection are ordered, taken, held, answered and answered again. */
class PostConnectionTest {
  private static final Duration HOLD = Duration.ofSeconds(25);
  private static final long AS_LONG_AS_THE_GATEWAY_LIKES = 0;

  private static final Principal ANN = new Principal("ann", Principal.Scheme.BASIC);
  private static final Principal BOB = new Principal("bob", Principal.Scheme.BASIC);

  private final ConnectionId id = ConnectionId.random(new SecureRandom());
  private final AtomicLong clock = new AtomicLong();
  private final Shares<Principal> waitingBytes = new Shares<>();
  private final StringBuilder taken = new StringBuilder();
  private final List<String> sendEnds = new ArrayList<>();
  private int givenUp;
  private final PostConnection connection =
      new PostConnection(
          ANN,
          new PostPeer(AddressOwner.of(InetAddress.getLoopbackAddress()), "127.0.0.1:9", null),
          waitingBytes.permit(ANN),
          HOLD.toNanos(),
          clock::get);

  /** A request that waits for its answer. */
  private static final class Waiting implements PostReply {
    private final List<PostAnswer> answers = new ArrayList<>();
    private PostRefusal refusal;

    @Override
    public void answer(byte[] body) {
      try {
        answers.add(PostAnswer.decode(body, body.length));
      } catch (java.io.IOException e) {
        throw new AssertionError(e);
      }
    }

    @Override
    public void refuse(PostRefusal reason) {
      refusal = reason;
    }

    boolean waits() {
      return answers.isEmpty() && refusal == null;
    }

    PostAnswer answer() {
      assertThat(answers).hasSize(1);
      return answers.get(0);
    }

    String text() {
      return new String(answer().bytes(), StandardCharsets.US_ASCII);
    }
  }

  @BeforeEach
  void open() {
    connection.begin(
        bytes -> taken.append(StandardCharsets.US_ASCII.decode(bytes)), () -> givenUp++);
    Waiting first = post(1, 0, "");
    assertThat(first.answer().number()).isEqualTo(1);
    assertThat(first.text()).isEmpty();
  }

  private Waiting post(long number, long received, String text) {
    return post(number, received, AS_LONG_AS_THE_GATEWAY_LIKES, text);
  }

  private Waiting post(long number, long received, long hold, String text) {
    Waiting waiting = new Waiting();
    connection.on(
        new PostRequest(id, number, received, hold, text.getBytes(StandardCharsets.US_ASCII)),
        waiting);
    return waiting;
  }

  private void send(String text) {
    connection.send(
        ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)),
        failure -> sendEnds.add(failure == null ? text : "failed"));
  }

  @Test
  void whatIsSentAnswersTheRequestThatWaits() {
    Waiting call = post(2, 1, "call");
    assertThat(taken).hasToString("call");
    assertThat(call.waits()).isTrue();
    send("return");
    assertThat(call.text()).isEqualTo("return");
    assertThat(sendEnds).containsExactly("return");
  }

  @Test
  void whatIsSentWhileNobodyWaitsGoesWithTheNextRequest() {
    send("push");
    assertThat(sendEnds).isEmpty();
    assertThat(post(2, 1, "").text()).isEqualTo("push");
    assertThat(sendEnds).containsExactly("push");
  }

  @Test
  void requestsWaitWhileTheConnectionRestsAndAreTakenInTheirOrder() {
    connection.rest(100);
    Waiting second = post(2, 1, "two ");
    connection.tick();
    clock.addAndGet(99);
    connection.tick();
    post(3, 1, "three");
    assertThat(taken).isEmpty();
    assertThat(second.waits()).isTrue();

    clock.addAndGet(1);
    connection.tick();

    assertThat(taken).hasToString("two three");
    assertThat(waitingBytes.of(ANN)).isZero();
  }

  @Test
  void whatIsTakenMayMakeTheConnectionRestAgain() {
    connection.begin(
        bytes -> {
          taken.append(StandardCharsets.US_ASCII.decode(bytes));
          connection.rest(100);
        },
        () -> {});
    post(2, 1, "two ");
    post(3, 1, "three ");
    post(4, 1, "four");
    assertThat(taken).hasToString("two ");
    clock.addAndGet(100);
    connection.tick();
    assertThat(taken).hasToString("two three ");
  }

  @Test
  void aConnectionRestsForFiveSecondsAtMost() {
    connection.rest(HOLD.toNanos());
    post(2, 1, "two");
    clock.addAndGet(Duration.ofSeconds(5).toNanos());
    connection.tick();
    assertThat(taken).hasToString("two");
  }

  @Test
  void whoRestsIsToldOfTheEndLikeOthers() {
    connection.rest(HOLD.toNanos());
    Waiting waiting = post(2, 1, "two");
    connection.close(CloseCause.DONE);
    connection.tick();
    assertThat(waiting.answer().end()).isTrue();
    assertThat(taken).isEmpty();
    assertThat(waitingBytes.of(ANN)).isZero();
  }

  @Test
  void whoComesBehindTheEndDoesNotWait() {
    connection.end();
    assertThat(post(3, 1, "late").refusal).isEqualTo(PostRefusal.GONE);
    assertThat(waitingBytes.of(ANN)).isZero();
  }

  @Test
  void aFailureOfTheSessionsClosesTheConnectionForWhoeverWaits() {
    connection.begin(
        bytes -> {
          throw new IllegalStateException("a failure of the test's");
        },
        () -> {});
    assertThat(post(2, 1, "call").answer().end()).isTrue();
    assertThat(post(3, 2, "call").answer().end()).isTrue();
  }

  @Test
  void twoRequestsMayWaitAndTheOlderOneIsAnswered() {
    Waiting older = post(2, 1, "");
    Waiting younger = post(3, 1, "call");
    assertThat(older.waits()).isTrue();
    send("return");
    assertThat(older.text()).isEqualTo("return");
    assertThat(younger.waits()).isTrue();
  }

  @Test
  void aThirdRequestReleasesTheOldest() {
    Waiting oldest = post(2, 1, "a");
    Waiting second = post(3, 1, "b");
    Waiting third = post(4, 1, "c");
    assertThat(oldest.text()).isEmpty();
    assertThat(second.waits()).isTrue();
    assertThat(third.waits()).isTrue();
    assertThat(taken).hasToString("abc");
  }

  @Test
  void requestsAreTakenInTheOrderOfTheirNumbers() {
    Waiting fourth = post(4, 1, "c");
    Waiting third = post(3, 1, "b");
    assertThat(taken).isEmpty();
    assertThat(waitingBytes.of(ANN)).isEqualTo(2);
    assertThat(fourth.waits() && third.waits()).isTrue();
    post(2, 1, "a");
    assertThat(taken).hasToString("abc");
    assertThat(waitingBytes.of(ANN)).isZero();
  }

  @Test
  void aRepeatedRequestIsTakenOnceAndAnsweredAsBefore() {
    Waiting first = post(2, 1, "call");
    Waiting again = post(2, 1, "call");
    send("return");
    Waiting late = post(2, 1, "call");
    assertThat(taken).hasToString("call");
    assertThat(List.of(first.text(), again.text(), late.text())).containsOnly("return");
  }

  @Test
  void ofManyThatRepeatARequestTheLatestWait() {
    Waiting first = post(2, 1, "call");
    List<Waiting> later = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      later.add(post(2, 1, "call"));
    }
    assertThat(first.refusal).isEqualTo(PostRefusal.OUT_OF_ORDER);
    send("return");
    assertThat(later).allSatisfy(each -> assertThat(each.text()).isEqualTo("return"));
  }

  @Test
  void anAnswerIsKeptNoLongerThanNeedBe() {
    post(2, 1, "call");
    send("return");
    post(3, 2, "");
    assertThat(post(2, 1, "call").refusal).isEqualTo(PostRefusal.OUT_OF_ORDER);
    assertThat(taken).hasToString("call");
  }

  @Test
  void requestsFarAheadAreRefusedAndEndNothing() {
    assertThat(post(6, 1, "far").refusal).isEqualTo(PostRefusal.OUT_OF_ORDER);
    assertThat(post(5, 1, "d").waits()).isTrue();
    assertThat(post(2, 1, "a").waits()).isTrue();
    assertThat(taken).hasToString("a");
  }

  @Test
  void anAnswerThatWasNeverGivenCannotHaveArrived() {
    assertThat(post(3, 2, "").refusal).isEqualTo(PostRefusal.OUT_OF_ORDER);
    assertThat(post(2, 1, "a").waits()).isTrue();
  }

  @Test
  void noRequestWaitsLongerThanTheGatewayAllows() {
    Waiting waiting = post(2, 1, "");
    clock.addAndGet(HOLD.toNanos() - 1);
    connection.tick();
    assertThat(waiting.waits()).isTrue();
    clock.addAndGet(1);
    connection.tick();
    assertThat(waiting.text()).isEmpty();
  }

  @Test
  void noRequestWaitsLongerThanItsAgentWants() {
    Waiting waiting = post(2, 1, 700, "");
    clock.addAndGet(Duration.ofMillis(700).toNanos());
    connection.tick();
    assertThat(waiting.text()).isEmpty();
  }

  @Test
  void aRequestThatComesAgainMayWaitForLess() {
    Waiting first = post(2, 1, "call");
    Waiting again = post(2, 1, 700, "call");
    clock.addAndGet(Duration.ofMillis(700).toNanos() - 1);
    connection.tick();
    assertThat(first.waits() && again.waits()).isTrue();
    clock.addAndGet(1);
    connection.tick();
    assertThat(List.of(first.text(), again.text())).containsOnly("");
  }

  @Test
  void anAbsurdWishToWaitIsNoWish() {
    Waiting waiting = post(2, 1, Long.MAX_VALUE, "");
    clock.addAndGet(HOLD.toNanos() - 1);
    connection.tick();
    assertThat(waiting.waits()).isTrue();
    clock.addAndGet(1);
    connection.tick();
    assertThat(waiting.text()).isEmpty();
  }

  @Test
  void whatIsTooMuchForOneAnswerGoesOnInTheNextAndSaysSo() {
    send("x".repeat(Post.MAX_ANSWER_BYTES + 1));
    PostAnswer first = post(2, 1, "").answer();
    assertThat(first.bytes()).hasSize(Post.MAX_ANSWER_BYTES);
    assertThat(first.more()).isTrue();
    assertThat(sendEnds).isEmpty();
    PostAnswer second = post(3, 2, "").answer();
    assertThat(second.bytes()).hasSize(1);
    assertThat(second.more()).isFalse();
    assertThat(sendEnds).hasSize(1);
  }

  @Test
  void sendsThatFollowEachOtherShareAnAnswer() {
    connection.send(
        ByteBuffer.wrap("one ".getBytes(StandardCharsets.US_ASCII)), failure -> send("two"));
    assertThat(post(2, 1, "").text()).isEqualTo("one two");
  }

  @Test
  void theEndIsToldToRequestsThatWaitAndToThoseThatCome() {
    Waiting waiting = post(2, 1, "");
    connection.close(CloseCause.DONE);
    assertThat(waiting.answer().end()).isTrue();
    assertThat(post(3, 1, "late").answer().end()).isTrue();
    assertThat(taken).isEmpty();
  }

  @Test
  void whatTheAgentGivesUpEndsForWhoeverWaits() {
    Waiting waiting = post(2, 1, "");
    send("return");
    assertThat(waiting.text()).isEqualTo("return");
    Waiting next = post(3, 2, "");
    connection.giveUp();
    assertThat(givenUp).isEqualTo(1);
    assertThat(next.answer().end()).isTrue();
    send("late");
    assertThat(sendEnds).containsExactly("return", "failed");
  }

  @Test
  void aConnectionIsDesertedSinceNoRequestWaits() {
    Waiting waiting = post(2, 1, "");
    clock.addAndGet(HOLD.toNanos() / 2);
    assertThat(connection.desertedNanos()).isZero();
    send("return");
    assertThat(waiting.waits()).isFalse();
    assertThat(connection.desertedNanos()).isEqualTo(HOLD.toNanos() / 2);
    post(3, 2, "");
    assertThat(connection.desertedNanos()).isZero();
  }

  @Test
  void whatWasNotFetchedBeforeTheEndIsNotSent() {
    send("late");
    connection.close(CloseCause.LINK_LOST);
    assertThat(sendEnds).containsExactly("failed");
    assertThat(post(2, 1, "").text()).isEmpty();
    send("later");
    assertThat(sendEnds).containsExactly("failed", "failed");
  }

  @Test
  void requestsThatWaitForAnEarlierOneAreRefusedAtTheVeryEnd() {
    Waiting early = post(3, 1, "early");
    connection.close(CloseCause.DONE);
    assertThat(early.waits()).isTrue();
    connection.end();
    assertThat(early.refusal).isEqualTo(PostRefusal.GONE);
    assertThat(waitingBytes.of(ANN)).isZero();
  }

  @Test
  void requestsThatComeTooEarlyHaveNoMoreRoomThanTheirPrincipal() {
    long left = 4 * Post.MAX_REQUEST_BYTES;
    waitingBytes.takeAnyway(BOB, PostConnections.WAITING_BYTES.total() - left);
    String large = "x".repeat(Post.MAX_REQUEST_BYTES);
    assertThat(post(3, 1, large).waits()).isTrue();
    assertThat(post(4, 1, large).waits()).isTrue();
    assertThat(post(5, 1, large).refusal).isEqualTo(PostRefusal.FULL);
    post(2, 1, "");
    assertThat(waitingBytes.of(ANN)).isZero();
    assertThat(post(5, 1, large).refusal).isNull();
  }
}
