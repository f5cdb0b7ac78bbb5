package io.rmigate.client.socket;

import io.rmigate.client.deadline.CallTimeoutException;
import io.rmigate.client.link.LinkLostException;
import io.rmigate.client.link.LinkStream;
import io.rmigate.client.mediator.MediatorAgent;
import io.rmigate.protocol.jrmp.message.ReferenceRewriter;
import java.io.IOException;
import java.net.SocketTimeoutException;

/**
 * The Return of the latest Call, as its bytes come over the stream. Confined to the thread that
 * reads it, which may be another one than the one that writes; see {@link JrmpConversation}.
 */
final class IncomingReturn {
  private final MediatorAgent agent;
  private final CallInspection inspection;
  private final RequestBuffer request;
  private final IdlePeriod rest;

  /** Null if no reference in the Return may have to become local. */
  private volatile ReferenceRewriter rewriter;

  /** The rewritten bytes that did not fit into the reader's buffer. */
  private final UnreadBytes rewritten = new UnreadBytes();

  private boolean begun;

  /**
   * No Return yet.
   *
   * @param request dropped when the Return begins
   * @param rest begins with each byte of the Return
   */
  IncomingReturn(
      MediatorAgent agent, CallInspection inspection, RequestBuffer request, IdlePeriod rest) {
    this.agent = agent;
    this.inspection = inspection;
    this.request = request;
    this.rest = rest;
  }

  /** A Call begins. */
  void restart() {
    rewriter = agent.callbacks().references().inwardReturn();
    rewritten.clear();
    begun = false;
  }

  /** References of this JVM leave in the Call: they may come back. */
  void expectReferences() {
    if (rewriter == null && !begun) {
      rewriter = agent.callbacks().references().inwardReturn();
    }
  }

  /** Whether bytes of the Return have come. */
  boolean hasBegun() {
    return begun;
  }

  /** How many bytes can be read without the stream. */
  int available() {
    return rewritten.count();
  }

  /** Reads of the Return, blocking until there is something; −1 at the end of the stream. */
  int read(LinkStream stream, byte[] buffer, int offset, int length, int timeoutMillis)
      throws IOException {
    if (rewritten.count() > 0) {
      return rewritten.read(buffer, offset, length);
    }
    while (true) {
      int count = readUnchanged(stream, buffer, offset, length, timeoutMillis);
      ReferenceRewriter rewriting = rewriter;
      if (count <= 0 || rewriting == null) {
        return count;
      }
      rewritten.set(rewriting.more(buffer, offset, count, false));
      if (rewritten.count() > 0) {
        return rewritten.read(buffer, offset, length);
      }
    }
  }

  private int readUnchanged(
      LinkStream stream, byte[] buffer, int offset, int length, int timeoutMillis)
      throws IOException {
    int count;
    try {
      count = stream.read(buffer, offset, length, timeoutMillis);
    } catch (CallTimeoutException late) {
      inspection.onCut();
      throw late;
    } catch (SocketTimeoutException | LinkLostException notTheEnd) {
      throw notTheEnd;
    } catch (IOException ended) {
      inspection.onCut();
      throw ended;
    }
    request.dropUnanswered();
    if (count > 0) {
      begun = true;
      agent.account().plainBytes(count);
      rest.begin(System.nanoTime());
      inspection.onReturn(buffer, offset, count);
    }
    return count;
  }
}
