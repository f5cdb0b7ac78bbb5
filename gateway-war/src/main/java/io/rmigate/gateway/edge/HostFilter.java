package io.rmigate.gateway.edge;

import io.rmigate.gateway.callback.InnerPeers;
import io.rmigate.gateway.log.RareLines;
import io.rmigate.gateway.services.ForwardedHeaders;
import io.rmigate.protocol.AddressLiteral;
import io.rmigate.protocol.AddressOwner;
import io.rmigate.protocol.LogText;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers 421 (RFC 9110, section 15.5.20) to requests for a host name that is none of this
 * gateway's, before anybody is asked for a login. Looks at the header {@code Host}, at the name
 * that the container has found, and at the one that a trusted proxy passes on: each must be
 * accepted, because answers contain one of them, and {@code Origin} is compared with it.
 *
 * <p>The name protects from web pages only. Programs reach the tunnel by whatever name they have
 * for the gateway: browsers send {@code Origin} with every POST and every WebSocket handshake
 * (Fetch standard, "append a request Origin header"; RFC 6455, section 4.1), so that a request
 * without it is of no page.
 */
public final class HostFilter extends HttpFilter {
  private static final long serialVersionUID = 1L;
  private static final Logger log = LoggerFactory.getLogger(HostFilter.class);

  /** The rule for the audit, and the reason for the metrics. */
  private static final String RULE = "host";

  private static final int MISDIRECTED_REQUEST = 421;

  private final transient Supplier<HostNames> names;
  private final transient Supplier<InnerPeers> trusted;
  private final transient Set<String> exempt;
  private final transient Set<String> ofPrograms;
  private final transient Listener listener;
  private final transient RareLines lines;

  /** Hears of requests that are refused. */
  @FunctionalInterface
  public interface Listener {

    /** The request gets that status, because of that rule. */
    void refused(DoorAudit.Visitor visitor, String rule, int status);
  }

  /**
   * @param names in force now
   * @param trusted proxies that are trusted now
   * @param exempt paths of servlets for which every name is accepted
   * @param ofPrograms paths of servlets that answer no web page but with an {@code Origin}
   * @param lines of the log, that callers can have written at will
   */
  public HostFilter(
      Supplier<HostNames> names,
      Supplier<InnerPeers> trusted,
      Set<String> exempt,
      Set<String> ofPrograms,
      Listener listener,
      RareLines lines) {
    this.names = names;
    this.trusted = trusted;
    this.exempt = Set.copyOf(exempt);
    this.ofPrograms = Set.copyOf(ofPrograms);
    this.listener = listener;
    this.lines = lines;
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
    String peer = request.getRemoteAddr();
    lines.warn(
        log,
        owner(peer),
        "request from {} refused with 421: it is for the host {}, which is no name of this gateway; if"
            + " clients are to use that name, add it to hosts in the configuration",
        peer,
        LogText.brief(foreign.get()));
    listener.refused(DoorAudit.Visitor.of(request, Optional.empty()), RULE, MISDIRECTED_REQUEST);
    Answers.send(
        response,
        MISDIRECTED_REQUEST,
        Answers.TEXT,
        "This gateway has no such host name. Its operator lists its names in hosts.\n");
  }

  private boolean isExempt(HttpServletRequest request) {
    String path = request.getServletPath();
    return exempt.contains(path)
        || (ofPrograms.contains(path)
            && request.getHeader("Origin") == null
            && request.getHeader("Sec-Fetch-Site") == null);
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

  private static AddressOwner owner(String peer) {
    return AddressOwner.of(
        AddressLiteral.parse(String.valueOf(peer)).orElseGet(InetAddress::getLoopbackAddress));
  }
}
