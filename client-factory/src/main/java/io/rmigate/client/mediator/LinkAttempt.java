package io.rmigate.client.mediator;

import io.rmigate.client.deadline.CallClock;
import io.rmigate.client.jvm.Daemons;
import io.rmigate.client.jvm.NoThreadException;
import io.rmigate.client.link.Link;
import io.rmigate.client.link.LinkSource;
import io.rmigate.client.transport.net.UninterruptibleWait;
import java.io.IOException;
import java.net.ConnectException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Opens a link for calls that cannot wait for as long as that may take, on a thread of its own, so
 * that a call with a short deadline does not make the attempt fail for all calls. One attempt at a
 * time; calls that come meanwhile wait for the same attempt. Thread-safe.
 */
final class LinkAttempt {
  private final LinkSource links;
  private final AtomicReference<CompletableFuture<Link>> underWay = new AtomicReference<>();

  /**
   * @param links asked without a bound
   */
  LinkAttempt(LinkSource links) {
    this.links = links;
  }

  /**
   * Waits for a link, as long as the clock allows.
   *
   * @throws ConnectException the attempt has failed
   * @throws io.rmigate.client.deadline.CallTimeoutException it has not ended in time
   */
  Link await(CallClock clock) throws IOException {
    CompletableFuture<Link> attempt = begin();
    try {
      return UninterruptibleWait.get(attempt, clock.leftNanos());
    } catch (TimeoutException late) {
      throw clock.notSent();
    } catch (ExecutionException failed) {
      ConnectException again = new ConnectException(failed.getCause().getMessage());
      again.initCause(failed.getCause());
      throw again;
    }
  }

  private CompletableFuture<Link> begin() {
    CompletableFuture<Link> mine = new CompletableFuture<>();
    CompletableFuture<Link> others = underWay.compareAndExchange(null, mine);
    if (others != null) {
      return others;
    }
    try {
      Daemons.start("rmigate-link-attempt", () -> run(mine));
    } catch (NoThreadException none) {
      end(mine);
      mine.completeExceptionally(none);
    }
    return mine;
  }

  private void run(CompletableFuture<Link> attempt) {
    try {
      Link link = links.link();
      end(attempt);
      attempt.complete(link);
    } catch (IOException | RuntimeException | Error failed) {
      end(attempt);
      attempt.completeExceptionally(failed);
    }
  }

  /** The next one who needs a link begins anew. */
  private void end(CompletableFuture<Link> attempt) {
    underWay.compareAndSet(attempt, null);
  }
}
