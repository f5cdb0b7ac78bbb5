package io.rmigate.gateway.edge;

import io.rmigate.gateway.callback.InnerPeers;
import io.rmigate.gateway.services.ForwardedHeaders;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Behind a trusted proxy, the address of a request is the one that the proxy reports; addresses
 * from other senders are ignored. So bounds, lockouts and the audit see clients and not the proxy.
 */
public final class TrustedProxyFilter extends HttpFilter {
  private static final long serialVersionUID = 1L;

  private final transient Supplier<InnerPeers> trusted;

  /**
   * @param trusted in force now
   */
  public TrustedProxyFilter(Supplier<InnerPeers> trusted) {
    this.trusted = trusted;
  }

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    Optional<ForwardedHeaders.Node> client =
        ForwardedHeaders.isFrom(request.getRemoteAddr(), trusted.get())
            ? ForwardedHeaders.client(request)
            : Optional.empty();
    if (client.isEmpty()) {
      chain.doFilter(request, response);
      return;
    }
    request.setAttribute(ForwardedHeaders.PROXY, request.getRemoteAddr());
    chain.doFilter(new Forwarded(request, client.get()), response);
  }

  /** As its client has sent it. */
  private static final class Forwarded extends HttpServletRequestWrapper {
    private final ForwardedHeaders.Node client;

    Forwarded(HttpServletRequest request, ForwardedHeaders.Node client) {
      super(request);
      this.client = client;
    }

    @Override
    public String getRemoteAddr() {
      return client.address();
    }

    @Override
    public String getRemoteHost() {
      return client.address();
    }

    @Override
    public int getRemotePort() {
      return client.port();
    }
  }
}
