package io.rmigate.gateway.edge;

import io.rmigate.gateway.callback.InnerPeers;
import io.rmigate.gateway.edge.door.DoorAudit;
import io.rmigate.gateway.edge.door.WebPages;
import io.rmigate.gateway.policy.Refusal;
import io.rmigate.gateway.services.ForwardedHeaders;
import io.rmigate.protocol.LogText;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Answers 421 (RFC 9110, section 15.5.20) to requests for a host name that is none of this
 * gateway's, before a login is asked for. Looks at the header {@code Host}, at the name that the
 * container has found, and at the one that a trusted proxy passes on: each must be accepted,
 * because answers contain one of them, and {@code Origin} is compared with it.
 *
 * <p>The name protects from web pages only. Programs reach the tunnel by any name that they have
 * for the gateway: browsers send {@code Origin} with every POST and every WebSocket handshake
 * (Fetch standard, "append a request Origin header"; RFC 6455, section 4.1), so that a request
 * without it is of no page.
 */
public final class HostFilter extends HttpFilter {
  private static final long serialVersionUID = 1L;

  /** The rule for the audit, and the reason for the metrics. */
  private static final String RULE = "host";

  private static final int MISDIRECTED_REQUEST = 421;

  private final transient Supplier<HostNames> names;
  private final transient Supplier<InnerPeers> trusted;
  private final transient Set<String> exempt;
  private final transient Set<String> ofPrograms;
  private final transient Listener listener;

  /** Hears of requests that are refused. */
  @FunctionalInterface
  public interface Listener {

    /** The request gets that status, because of that rule. */
    void refused(DoorAudit.Visitor visitor, String rule, Refusal refusal, int status);
  }

  /**
   * @param names in force now
   * @param trusted proxies that are trusted now
   * @param exempt paths of servlets for which every name is accepted
   * @param ofPrograms paths of servlets that answer no web page but with an {@code Origin}
   */
  public HostFilter(
      Supplier<HostNames> names,
      Supplier<InnerPeers> trusted,
      Set<String> exempt,
      Set<String> ofPrograms,
      Listener listener) {
    this.names = names;
    this.trusted = trusted;
    this.exempt = Set.copyOf(exempt);
    this.ofPrograms = Set.copyOf(ofPrograms);
    this.listener = listener;
  }

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    Optional<String> foreign = isExempt(request) ? Optional.empty() : foreign(request);
    if (foreign.isEmpty()) {
      chain.doFilter(request, response);
      return;
    }
    Refusal refusal =
        Refusal.of(
            "it is for the host "
                + LogText.brief(foreign.get())
                + ", which is no name of this gateway",
            "if clients are to use that name, add it to hosts in the configuration");
    listener.refused(
        DoorAudit.Visitor.of(request, Optional.empty()), RULE, refusal, MISDIRECTED_REQUEST);
    String text = "This gateway has no such host name. Its operator lists its names in hosts.";
    Answers.send(response, MISDIRECTED_REQUEST, Answers.TEXT, refusal.told(text, false) + "\n");
  }

  private boolean isExempt(HttpServletRequest request) {
    String path = request.getServletPath();
    return exempt.contains(path) || (ofPrograms.contains(path) && !WebPages.maySend(request));
  }

  /** A name of the request that is not accepted; empty when there is none. */
  private Optional<String> foreign(HttpServletRequest request) {
    HostNames accepted = names.get();
    if (accepted.isAny()) {
      return Optional.empty();
    }
    return named(request).stream().filter(name -> !accepted.accepts(name)).findFirst();
  }

  private List<String> named(HttpServletRequest request) {
    List<String> named = new ArrayList<>(Collections.list(request.getHeaders("Host")));
    // Where HTTP/1.0 names no host, containers put a name of this machine in its place.
    if (!named.isEmpty() || !request.getProtocol().equals("HTTP/1.0")) {
      named.add(request.getServerName());
    }
    if (ForwardedHeaders.isFrom(request, trusted.get())) {
      ForwardedHeaders.host(request).ifPresent(named::add);
    }
    return named;
  }
}
