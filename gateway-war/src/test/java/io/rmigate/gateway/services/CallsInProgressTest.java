package io.rmigate.gateway.services;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rmigate.gateway.login.Principal;
import io.rmigate.soap.json.Problem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class CallsInProgressTest {
  private static final Principal ALICE = new Principal("alice", Principal.Scheme.BASIC);

  private final CallsInProgress calls = new CallsInProgress();

  @Test
  void aGatewayThatStopsWaitsForWhatItHasLetIn() throws Exception {
    CompletableFuture<Void> idle;
    try (CallsInProgress.Call call = calls.begin(ALICE, "shop", ServiceSettings.DEFAULTS)) {
      assertThat(call.operation()).isEqualTo(CallsInProgress.UNKNOWN);
      calls.stop();
      assertThatThrownBy(() -> calls.begin(ALICE, "shop", ServiceSettings.DEFAULTS))
          .isInstanceOfSatisfying(
              ServiceRefusedException.class,
              refused -> assertThat(refused.problem().kind()).isEqualTo(Problem.Kind.BUSY));
      idle =
          CompletableFuture.runAsync(
              () -> {
                try {
                  calls.awaitIdle(Duration.ofMinutes(1));
                } catch (InterruptedException e) {
                  throw new AssertionError(e);
                }
              });
      assertThat(idle).isNotDone();
    }
    idle.get(1, TimeUnit.MINUTES);
    assertThat(calls.list()).isEmpty();
  }

  @Test
  void whoOnlyHasToSendGivesItsPlaceToAnotherAndAsManyMaySend() throws Exception {
    int most = ServiceSettings.DEFAULTS.calls().perPrincipal();
    List<CallsInProgress.Call> all = new ArrayList<>();
    for (int i = 0; i < 2 * most; i++) {
      CallsInProgress.Call call = calls.begin(ALICE, "shop", ServiceSettings.DEFAULTS);
      call.sends(ServiceSettings.DEFAULTS);
      all.add(call);
    }

    assertThat(calls.list()).hasSize(most);
    assertThatThrownBy(() -> calls.begin(ALICE, "shop", ServiceSettings.DEFAULTS))
        .isInstanceOf(ServiceRefusedException.class);

    all.forEach(CallsInProgress.Call::close);
    all.forEach(CallsInProgress.Call::close); // again, to no effect
    assertThat(calls.list()).isEmpty();
    calls.awaitIdle(Duration.ofMinutes(1));
    for (int i = 0; i < most; i++) {
      calls.begin(ALICE, "shop", ServiceSettings.DEFAULTS);
    }
    assertThatThrownBy(() -> calls.begin(ALICE, "shop", ServiceSettings.DEFAULTS))
        .isInstanceOf(ServiceRefusedException.class);
  }

  @Test
  void whatHasAnsweredIsNotWaitedFor() throws Exception {
    try (CallsInProgress.Call call = calls.begin(ALICE, "shop", ServiceSettings.DEFAULTS)) {
      assertThat(calls.waiting()).isEmpty();
      call.reaches();
      assertThat(calls.waiting()).hasSize(1);
      call.isAnswered();
      assertThat(calls.waiting()).isEmpty();
      assertThat(call.hasReached()).isTrue();
    }
  }
}
