package io.rmigate.gateway.services;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class BodyBudgetTest {
  private final AtomicLong now = new AtomicLong();
  private final BodyBudget budget = new BodyBudget(now::get);

  private BodyBudget.Body body(String principal, int bytes) {
    return budget.charge(
        new ByteArrayInputStream(new byte[bytes]),
        principal,
        1000,
        300,
        new Pace(Duration.ofSeconds(20), 100));
  }

  @Test
  void onePrincipalCannotTakeItAll() throws IOException {
    try (BodyBudget.Body first = body("alice", 300);
        BodyBudget.Body second = body("alice", 201);
        BodyBudget.Body other = body("bob", 499)) {
      first.readAllBytes();
      assertThatThrownBy(second::readAllBytes).isInstanceOf(BodyBudget.Exhausted.class);
      other.readAllBytes();
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
