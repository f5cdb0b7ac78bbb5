package io.rmigate.gateway.relay.own;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WaitingCallsTest {
  private final WaitingCalls waiting = new WaitingCalls(6, 1000);

  private static OwnCall call(String sharer, int bytes, long deadline) {
    return new OwnCall(sharer, sharer, new byte[bytes], null, deadline, null);
  }

  private List<OwnCall> add(String sharer) {
    return waiting.add(call(sharer, 1, 0));
  }

  private String order() {
    StringBuilder order = new StringBuilder();
    for (OwnCall call : waiting.takeAll()) {
      order.append(call.sharer());
    }
    return order.toString();
  }

  @Test
  void sharersTakeTurns() {
    for (String sharer : List.of("a", "a", "a", "b", "b", "c")) {
      assertThat(add(sharer)).isEmpty();
    }
    assertThat(order()).isEqualTo("abcaba");
    assertThat(waiting.isEmpty()).isTrue();
    assertThat(waiting.size()).isZero();
  }

  @Test
  void callsOfOneSharerKeepTheirOrder() {
    List<OwnCall> calls = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      calls.add(call("a", i, 0));
      waiting.add(calls.get(i));
    }
    OwnCall first = waiting.take();
    waiting.putBack(first);
    assertThat(waiting.takeAll()).isEqualTo(calls);
  }

  @Test
  void whoHasTheMostWaitingLosesTheLatest() {
    "aaaabb".chars().forEach(sharer -> add(Character.toString(sharer)));

    assertThat(add("c")).extracting(OwnCall::sharer).containsExactly("a");
    assertThat(add("a")).extracting(OwnCall::sharer).containsExactly("a");
    assertThat(add("b")).extracting(OwnCall::sharer).containsExactly("b");

    assertThat(order()).isEqualTo("abcaba");
  }

  @Test
  void whoHasTheMostBytesWaitingLosesTheLatest() {
    waiting.add(call("a", 600, 0));
    waiting.add(call("a", 300, 0));
    waiting.add(call("b", 50, 0));
    assertThat(waiting.add(call("c", 300, 0)))
        .extracting(refused -> refused.message().length)
        .containsExactly(300);
    assertThat(order()).isEqualTo("abc");
    assertThat(waiting.add(call("a", 1001, 0))).hasSize(1);
    assertThat(waiting.isEmpty()).isTrue();
  }

  @Test
  void lateOnesAreTakenAway() {
    waiting.add(call("a", 1, 10));
    waiting.add(call("a", 2, 30));
    waiting.add(call("b", 3, 10));
    assertThat(waiting.takeLate(20))
        .extracting(late -> late.message().length)
        .containsExactly(1, 3);
    assertThat(waiting.size()).isEqualTo(1);
    assertThat(order()).isEqualTo("a");
  }
}
