package io.rmigate.gateway.edge.post;

import io.rmigate.gateway.edge.door.DoorAudit;
import io.rmigate.gateway.edge.door.WebPages;
import io.rmigate.gateway.login.Principal;
import io.rmigate.gateway.policy.Refusal;
import io.rmigate.protocol.LogText;
import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.post.Post;
import io.rmigate.protocol.post.PostRequest;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Locale;
import java.util.Optional;

/**
 * {@code POST /tunnel}, behind the login: reads the body and hands it to its connection, whose
 * answer waits without a thread. Nothing but the body says what a request is for; headers may be
 * stripped on the way.
 */
public final class PostDoor {
  /** The path of this door, for the audit. */
  private static final String PATH = "/tunnel";

  private final PostConnections connections;
  private final DoorAudit audit;

  /**
   * In front of these connections.
   *
   * @param audit is told of what is refused
   */
  public PostDoor(PostConnections connections, DoorAudit audit) {
    this.connections = connections;
    this.audit = audit;
  }

  /**
   * Whether a web page may have sent it, with credentials its user may know nothing of; and whether
   * it is of another type than agents send.
   */
  public static boolean isForeign(HttpServletRequest request) {
    // Not getContentType, which fails in Jetty when it knows no such charset.
    String type = request.getHeader("Content-Type");
    return WebPages.maySend(request)
        || (type != null && !type.toLowerCase(Locale.ROOT).startsWith(Post.CONTENT_TYPE));
  }

  /**
   * Takes a request, the answer to which comes later.
   *
   * @throws IOException the client has gone
   */
  public void take(HttpServletRequest request, Principal principal) throws IOException {
    PostPeer peer = PostPeer.of(request);
    long length = request.getContentLengthLong();
    ServletInputStream in = request.getInputStream();
    if (length >= 0 && length <= PostBody.MAX_BYTES && in.available() >= length) {
      byte[] body = in.readNBytes((int) length); // has come with the head: does not block
      take(body, principal, peer, exchange(request, principal, peer));
      return;
    }
    PostExchange exchange = exchange(request, principal, peer);
    if (length > PostBody.MAX_BYTES) {
      exchange.refuse(PostRefusal.TOO_LARGE);
      return;
    }
    new Coming(in, exchange, principal, peer).begin();
  }

  /** A body that is not all there. */
  private final class Coming {
    private final PostBody body;
    private final PostExchange exchange;
    private final Principal principal;

    Coming(ServletInputStream in, PostExchange exchange, Principal principal, PostPeer peer) {
      this.exchange = exchange;
      this.principal = principal;
      this.body =
          new PostBody(
              in,
              exchange,
              bytes -> PostDoor.this.take(bytes, principal, peer, exchange),
              this::end);
    }

    void begin() {
      PostRefusal refusal = connections.begin(body, principal);
      if (refusal != null) {
        exchange.refuse(refusal);
        return;
      }
      body.read();
    }

    private void end() {
      connections.end(body);
    }
  }

  private PostExchange exchange(HttpServletRequest request, Principal principal, PostPeer peer)
      throws IOException {
    return new PostExchange(
        request.startAsync(), (refusal, why) -> refused(refusal, why, principal, peer));
  }

  /** Tells of it, and says what the agent is told. */
  private String refused(PostRefusal refusal, String why, Principal principal, PostPeer peer) {
    if (refusal.rule().isEmpty()) {
      return refusal.text();
    }
    Refusal numbered = Refusal.of(why);
    audit.refused(
        new DoorAudit.Visitor(peer.text(), peer.via(), PATH, Optional.of(principal)),
        refusal.rule(),
        numbered,
        refusal.status());
    return refusal.isHidden() ? refusal.text() : numbered.told(refusal.text(), false);
  }

  private void take(byte[] body, Principal principal, PostPeer peer, PostExchange exchange) {
    try {
      connections.on(PostRequest.decode(body, body.length), principal, peer, exchange);
    } catch (ProtocolViolationException malformed) {
      exchange.refuse(
          PostRefusal.MALFORMED, "a malformed POST: " + LogText.brief(malformed.getMessage()));
    }
  }

  /** Sets headers that keep browsers and caches from using the response. */
  static void harden(HttpServletResponse response) {
    response.setHeader("Cache-Control", "no-store");
    response.setHeader("X-Content-Type-Options", "nosniff");
  }
}
