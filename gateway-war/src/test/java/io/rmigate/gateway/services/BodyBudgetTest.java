package io.rmigate.gateway.services;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class BodyBudgetTest {
  private final AtomicLong now = new AtomicLong();
  private final BodyBudget budget = new BodyBudget(now::get);

  private BodyBudget.Body body(String principal, int bytes) {
    return body(principal, bytes, 300);
  }

  private BodyBudget.Body body(String principal, int bytes, int largest) {
    return budget.charge(
        new ByteArrayInputStream(new byte[bytes]),
        principal,
        1000,
        largest,
        new Pace(Duration.ofSeconds(20), 100));
  }

  @Test
  void onePrincipalCannotTakeItAll() throws IOException {
    try (BodyBudget.Body first = body("alice", 300);
        BodyBudget.Body second = body("alice", 201);
        BodyBudget.Body other = body("bob", 350)) {
      first.readAllBytes();
      assertThatThrownBy(second::readAllBytes).isInstanceOf(BodyBudget.Exhausted.class);
      other.readAllBytes();
    }
    assertThat(budget.taken()).isZero();
  }

  /** The end of a body takes nothing, also if others have taken all room since its last byte. */
  @Test
  void aBodyThatIsThereIsReadToItsEnd() throws IOException {
    try (BodyBudget.Body first = body("alice", 400);
        BodyBudget.Body other = body("bob", 290)) {
      assertThat(first.readNBytes(400)).hasSize(400);
      other.readAllBytes();
      assertThat(first.read()).isEqualTo(-1);
    }
  }

  @Test
  void whoHasNothingThatIsCountedIsForgotten() throws IOException {
    BodyBudget.Body body = body("alice", 10);
    body.readAllBytes();
    body.close();
    body.close();
    assertThat(budget.principals()).isZero();
  }

  @Test
  void howeverManyTakeAllThatTheyGetSomethingIsLeftForTheNext() throws IOException {
    List<BodyBudget.Body> open = new ArrayList<>();
    for (int greedy = 1; greedy <= 6; greedy++) {
      BodyBudget.Body body = body("greedy " + greedy, 1000);
      open.add(body);
      assertThatThrownBy(
              () -> {
                while (body.read() >= 0) {
                  // as often as that goes
                }
              })
          .isInstanceOf(BodyBudget.Exhausted.class);
    }
    assertThat(budget.taken()).isBetween(900L, 999L); // a half, a quarter, an eighth, and so on
    try (BodyBudget.Body next = body("alice", 1)) {
      next.readAllBytes();
    }
    open.forEach(BodyBudget.Body::close);
    assertThat(budget.taken()).isZero();
  }

  /** What may be sent must have room, however little that leaves; but it leaves something. */
  @Test
  void oneLargestBodyHasRoomBesideFewOthers() throws IOException {
    try (BodyBudget.Body small = body("bob", 100, 800);
        BodyBudget.Body largest = body("alice", 800, 800);
        BodyBudget.Body more = body("bob", 1, 800)) {
      small.readAllBytes();
      largest.readAllBytes();
      assertThatThrownBy(more::readAllBytes).isInstanceOf(BodyBudget.Exhausted.class);
      try (BodyBudget.Body next = body("carol", 50, 800)) {
        next.readAllBytes();
      }
    }
    try (BodyBudget.Body other = body("bob", 101, 800);
        BodyBudget.Body largest = body("alice", 800, 800)) {
      other.readAllBytes();
      assertThatThrownBy(largest::readAllBytes).isInstanceOf(BodyBudget.Exhausted.class);
    }
    assertThat(budget.taken()).isZero();
  }

  @Test
  void whatIsRefusedTakesNoRoom() throws IOException {
    try (BodyBudget.Body refused = body("alice", 501)) {
      assertThatThrownBy(() -> refused.read(new byte[501]))
          .isInstanceOf(BodyBudget.Exhausted.class);
      assertThat(budget.taken()).isZero();
    }
    assertThat(budget.taken()).isZero();
  }

  @Test
  void whatIsGivenBackCanBeTakenAgain() throws IOException {
    for (int i = 0; i < 10; i++) {
      try (BodyBudget.Body body = body("alice", 300)) {
        assertThat(body.readAllBytes()).hasSize(300);
        assertThat(budget.taken()).isEqualTo(300);
      }
      assertThat(budget.taken()).isZero();
    }
  }

  @Test
  void aBodyThatTricklesIsEnded() throws IOException {
    try (BodyBudget.Body body = body("alice", 300)) {
      assertThat(body.read()).isZero();
      now.addAndGet(Duration.ofSeconds(19).toNanos());
      assertThat(body.read()).isZero();
      now.addAndGet(Duration.ofSeconds(2).toNanos());
      assertThatThrownBy(body::read).isInstanceOf(BodyBudget.TooSlow.class);
    }
  }
}
