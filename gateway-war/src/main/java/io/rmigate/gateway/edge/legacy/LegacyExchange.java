package io.rmigate.gateway.edge.legacy;

import io.rmigate.gateway.edge.door.IncomingBody;
import io.rmigate.gateway.legacy.LegacyClients;
import io.rmigate.gateway.legacy.LegacyRefusal;
import io.rmigate.gateway.legacy.LegacySettings;
import io.rmigate.gateway.login.Principal;
import io.rmigate.gateway.stream.HeldPieces;
import io.rmigate.protocol.jrmp.EndpointId;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.function.Function;

/** One request: its body comes, its message is taken, its answer goes. Nothing of it blocks. */
final class LegacyExchange implements IncomingBody.Listener {
  /** As for web services. */
  private static final int BYTES_PER_SECOND = 16 * 1024;

  private final LegacyClients clients;
  private final LegacyClients.Visit visit;
  private final Principal principal;
  private final InetAddress host;
  private final String peer;
  private final EndpointId target;
  private final IncomingBody body;
  private final StreamedAnswer answer;
  private final Duration patience;
  private final long begunNanos = System.nanoTime();

  /**
   * @param visit ends with this
   * @param refused is told why, if it is not taken; says what the client is told
   */
  LegacyExchange(
      LegacyClients clients,
      LegacyClients.Visit visit,
      Function<LegacyRefusal, String> refused,
      HttpServletRequest request,
      InetAddress host,
      Principal principal,
      EndpointId target)
      throws IOException {
    this.clients = clients;
    this.visit = visit;
    this.principal = principal;
    this.host = host;
    this.peer = request.getRemoteAddr() + ":" + request.getRemotePort();
    this.target = target;
    LegacySettings settings = clients.settings();
    this.patience = settings.patience();
    IncomingBody.Bounds bounds =
        new IncomingBody.Bounds(settings.maxBodyBytes(), patience, BYTES_PER_SECOND);
    this.body = new IncomingBody(request.getInputStream(), bounds, visit::charge, this);
    this.answer = new StreamedAnswer(request.startAsync(), refused, visit::end);
  }

  /** By the thread that has the request. */
  void begin() {
    visit.watch(this::tick);
    answer.listen();
    body.begin();
  }

  private void tick() {
    long now = System.nanoTime();
    body.tick(now - begunNanos);
    if (answer.stuckNanos(now) > patience.toNanos()) {
      answer.giveUp();
    }
  }

  @Override
  public void onBody(HeldPieces whole) {
    clients.take(whole, principal, host, peer, target, answer);
  }

  @Override
  public void onFailure(IncomingBody.Failure failure) {
    answer.refuse(
        switch (failure) {
          case MALFORMED -> LegacyRefusal.MALFORMED;
          case TOO_SLOW -> LegacyRefusal.TOO_SLOW;
          case TOO_LARGE -> LegacyRefusal.TOO_LARGE;
          case FULL -> LegacyRefusal.FULL;
        });
  }
}
