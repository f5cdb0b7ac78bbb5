package io.rmigate.gateway.edge.legacy;

import io.rmigate.gateway.legacy.LegacyAnswer;
import io.rmigate.gateway.legacy.LegacyRefusal;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An answer of a container that goes out step by step, from any thread that has the next step, as
 * soon as the container takes it. Never blocks.
 *
 * <p>The container is asked after each step whether it takes another one. If not, it calls {@link
 * #onWritePossible} later, and no thread writes until then: {@code writable} is cleared before the
 * question and set again by the thread that gets the yes. {@code lock} guards the fields; the
 * container and others are called outside it.
 */
final class StreamedAnswer implements LegacyAnswer, WriteListener {
  private static final Logger LOG = LoggerFactory.getLogger(StreamedAnswer.class);

  /** The content type of an RMI answer; clients accept exactly this one. */
  static final String CONTENT_TYPE = "application/octet-stream";

  /** Does something with the container, which takes it. */
  private interface Step {
    void run() throws IOException;
  }

  /**
   * A step, and what is done once the container takes more.
   *
   * @param last nothing follows it
   */
  private record Planned(Step step, Runnable then, boolean last) {}

  private final AsyncContext async;
  private final HttpServletResponse response;
  private final ServletOutputStream out;
  private final Function<LegacyRefusal, String> refused;
  private final Runnable whenOver;

  private final ReentrantLock lock = new ReentrantLock();
  private final Deque<Planned> steps = new ArrayDeque<>();

  /** The container takes a step, and no thread is at one. */
  private boolean writable;

  /** The step that was done last, for when the container takes more; null before the first. */
  private Planned done;

  /** Since when it has been at the step that was done last. */
  private long stepNanos;

  private boolean ended;
  private boolean over;
  private Runnable gone = () -> {};

  /**
   * @param async has been started just now, by the thread that calls this
   * @param refused is told of a refusal, before the client is; says what the client is told
   * @param whenOver run once, at any end
   */
  StreamedAnswer(AsyncContext async, Function<LegacyRefusal, String> refused, Runnable whenOver)
      throws IOException {
    this.async = async;
    this.refused = refused;
    this.response = (HttpServletResponse) async.getResponse();
    this.out = response.getOutputStream();
    this.whenOver = whenOver;
    async.setTimeout(0); // the session looks at the clock
  }

  /** The container says from here on when it takes something. */
  void listen() {
    out.setWriteListener(this);
  }

  @Override
  public void begin(Runnable then) {
    plan(
        new Planned(
            () -> {
              head(HttpServletResponse.SC_OK, CONTENT_TYPE);
              out.flush();
            },
            then,
            false));
  }

  @Override
  public void write(byte[] bytes, Runnable taken) {
    plan(new Planned(() -> out.write(bytes), () -> {}, false));
    plan(new Planned(out::flush, taken, false));
  }

  @Override
  public void end() {
    plan(new Planned(() -> {}, () -> {}, true));
  }

  @Override
  public void whole(byte[] bytes) {
    whole(HttpServletResponse.SC_OK, CONTENT_TYPE, bytes);
  }

  @Override
  public void refuse(LegacyRefusal reason) {
    String text = refused.apply(reason);
    whole(
        reason.status(),
        "text/plain;charset=utf-8",
        (text + "\n").getBytes(StandardCharsets.UTF_8));
  }

  private void whole(int status, String type, byte[] bytes) {
    plan(
        new Planned(
            () -> {
              head(status, type);
              response.setContentLength(bytes.length);
              out.write(bytes);
            },
            () -> {},
            true));
  }

  private void head(int status, String type) {
    response.setStatus(status);
    response.setContentType(type);
    response.setHeader("Cache-Control", "no-store");
    response.setHeader("X-Content-Type-Options", "nosniff");
  }

  @Override
  public void whenGone(Runnable told) {
    boolean late;
    lock.lock();
    try {
      late = over && !ended;
      gone = told;
    } finally {
      lock.unlock();
    }
    if (late) {
      told.run();
    }
  }

  private void plan(Planned planned) {
    lock.lock();
    try {
      if (over || ended) {
        return;
      }
      ended = planned.last;
      steps.add(planned);
    } finally {
      lock.unlock();
    }
    proceed();
  }

  @Override
  public void onWritePossible() {
    lock.lock();
    try {
      writable = true;
    } finally {
      lock.unlock();
    }
    proceed();
  }

  /** Does one step after the other as long as the container takes them. */
  private void proceed() {
    while (true) {
      Planned before;
      Planned next = null;
      lock.lock();
      try {
        if (over || !writable) {
          return;
        }
        before = done;
        done = null;
        if (before == null) {
          next = steps.poll();
          if (next == null) {
            return;
          }
          writable = false;
        }
      } finally {
        lock.unlock();
      }
      if (before != null) {
        follow(before);
      } else if (!take(next)) {
        return;
      }
    }
  }

  private void follow(Planned before) {
    if (before.last) {
      complete();
    } else {
      before.then.run();
    }
  }

  /** Whether the container takes more at once. */
  private boolean take(Planned next) {
    try {
      next.step.run();
      lock.lock();
      try {
        done = next;
        stepNanos = System.nanoTime();
      } finally {
        lock.unlock();
      }
      if (!out.isReady()) {
        return false; // it will say
      }
    } catch (IOException | RuntimeException failure) {
      onError(failure);
      return false;
    }
    lock.lock();
    try {
      writable = true;
    } finally {
      lock.unlock();
    }
    return true;
  }

  /** The client has gone, or the container gives it up. */
  @Override
  public void onError(Throwable failure) {
    LOG.debug("an answer could not be given: {}", failure.toString());
    giveUp();
  }

  /** For how long the container has taken nothing that it was given. */
  long stuckNanos(long now) {
    lock.lock();
    try {
      return over || writable || done == null ? 0 : now - stepNanos;
    } finally {
      lock.unlock();
    }
  }

  /** Ends the answer at any point. From any thread. */
  void giveUp() {
    Runnable told;
    lock.lock();
    try {
      told = over ? () -> {} : gone;
    } finally {
      lock.unlock();
    }
    complete();
    told.run();
  }

  private void complete() {
    lock.lock();
    try {
      if (over) {
        return;
      }
      over = true;
      steps.clear();
      done = null;
    } finally {
      lock.unlock();
    }
    try {
      whenOver.run(); // first, so that who sees the end of the answer has its place back
    } finally {
      completeRequest();
    }
  }

  private void completeRequest() {
    try {
      async.complete();
    } catch (RuntimeException already) {
      LOG.debug("the container has ended the request: {}", already.toString());
    }
  }
}
