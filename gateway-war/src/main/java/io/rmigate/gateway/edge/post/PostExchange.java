package io.rmigate.gateway.edge.post;

import io.rmigate.protocol.post.Post;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A request of the container that waits, without a thread, for its one answer. The answer may come
 * from any thread: it is written there if the container has said before that it can be, which it
 * does at once for a request that has just come, else by the container's. Never blocks: what the
 * agent does not take is the container's to keep, and bounded by what one answer may have.
 */
final class PostExchange implements PostReply, WriteListener {
  private static final Logger LOG = LoggerFactory.getLogger(PostExchange.class);

  private static final int NEW = 0;

  /** The container takes an answer, and there is none yet. */
  private static final int WRITABLE = 1;

  /** There is an answer, and the container does not take it yet. */
  private static final int ANSWERED = 2;

  private static final int WRITTEN = 3;

  private final AsyncContext async;
  private final BiFunction<PostRefusal, String, String> refused;
  private final HttpServletResponse response;
  private final ServletOutputStream out;
  private final AtomicInteger phase = new AtomicInteger(NEW);
  private final AtomicBoolean given = new AtomicBoolean();
  private final AtomicBoolean completed = new AtomicBoolean();

  // Written by the answering thread, before the phase says that there is an answer.
  private int status;
  private String contentType;
  private byte[] body;

  /**
   * @param async has been started just now, by the thread that calls this
   * @param refused is told of a refusal and why, before the agent is; says what the agent is told
   */
  PostExchange(AsyncContext async, BiFunction<PostRefusal, String, String> refused)
      throws IOException {
    this.async = async;
    this.refused = refused;
    this.response = (HttpServletResponse) async.getResponse();
    this.out = response.getOutputStream();
    async.setTimeout(0); // the connection looks at the clock itself
    out.setWriteListener(this);
  }

  @Override
  public void answer(byte[] bytes) {
    if (given.compareAndSet(false, true)) {
      say(HttpServletResponse.SC_OK, Post.CONTENT_TYPE, bytes);
    }
  }

  @Override
  public void refuse(PostRefusal reason) {
    refuse(reason, reason.reason());
  }

  /**
   * Refuses the request.
   *
   * @param why for people inside
   */
  void refuse(PostRefusal reason, String why) {
    if (given.compareAndSet(false, true)) {
      String text = refused.apply(reason, why);
      say(
          reason.status(),
          "text/plain;charset=utf-8",
          (text + "\n").getBytes(StandardCharsets.UTF_8));
    }
  }

  private void say(int code, String type, byte[] bytes) {
    status = code;
    contentType = type;
    body = bytes;
    if (!phase.compareAndSet(NEW, ANSWERED)) {
      write();
    }
  }

  @Override
  public void onWritePossible() {
    if (phase.compareAndSet(NEW, WRITABLE)) {
      return;
    }
    if (phase.get() == ANSWERED) {
      write();
    } else if (phase.get() == WRITTEN) {
      finish();
    }
  }

  private void write() {
    try {
      response.setStatus(status);
      PostDoor.harden(response);
      response.setContentType(contentType);
      response.setContentLength(body.length);
      out.write(body);
      phase.set(WRITTEN);
      if (out.isReady()) {
        out.flush(); // now, and not when the container has found a thread for the rest
        finish();
      }
    } catch (IOException | RuntimeException gone) {
      onError(gone);
    }
  }

  private void finish() {
    if (out.isReady()) {
      complete();
    }
  }

  /** The agent, or what stands before it, has gone. What it was told is kept. */
  @Override
  public void onError(Throwable failure) {
    LOG.debug("an answer could not be given: {}", failure.toString());
    given.set(true);
    complete();
  }

  private void complete() {
    if (completed.compareAndSet(false, true)) {
      try {
        async.complete();
      } catch (RuntimeException over) {
        LOG.debug("the container has ended the request: {}", over.toString());
      }
    }
  }
}
