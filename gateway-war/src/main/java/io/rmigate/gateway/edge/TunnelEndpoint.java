package io.rmigate.gateway.edge;

import io.rmigate.gateway.login.Principal;
import io.rmigate.gateway.session.LinkPort;
import io.rmigate.gateway.session.SessionRegistry;
import io.rmigate.gateway.session.TunnelSession;
import io.rmigate.protocol.tunnel.CloseCause;
import io.rmigate.protocol.tunnel.Tunnel;
import jakarta.websocket.CloseReason;
import jakarta.websocket.CloseReason.CloseCodes;
import jakarta.websocket.Endpoint;
import jakarta.websocket.EndpointConfig;
import jakarta.websocket.MessageHandler;
import jakarta.websocket.RemoteEndpoint;
import jakarta.websocket.Session;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The container's WebSocket as a {@link LinkPort}. Container types stop here: one WebSocket session
 * is one transport connection, its binary messages are bytes of the frame stream, their boundaries
 * mean nothing. Public because containers ask for it; made by {@link TunnelServlet} only.
 */
public final class TunnelEndpoint extends Endpoint {
  private static final Logger LOG = LoggerFactory.getLogger(TunnelEndpoint.class);

  /** In Tomcat: for how long a close waits for a send that is stuck; its default is 20 s. */
  private static final String TOMCAT_SEND_TIMEOUT =
      "org.apache.tomcat.websocket.BLOCKING_SEND_TIMEOUT";

  private static final long CLOSE_MILLIS = 2_000;

  private final SessionRegistry registry;
  private final LinkCloser closer;
  private final HostContainer container;
  private final Principal principal;
  private final String peer;
  private final Pause rest;
  private final Optional<ByteBuffer> hello;
  private TunnelSession tunnel;

  /**
   * Leaves a link unread for a time in nanoseconds, or waits for that time in its container's
   * thread.
   */
  @FunctionalInterface
  interface Pause {

    /**
     * See {@link LinkPort#rest}.
     *
     * @return false when that is not possible now
     */
    boolean rest(long nanos);
  }

  /**
   * @param hello the frame that has come with the request; empty if none has
   */
  TunnelEndpoint(
      SessionRegistry registry,
      LinkCloser closer,
      HostContainer container,
      Principal principal,
      String peer,
      Pause rest,
      Optional<ByteBuffer> hello) {
    this.registry = registry;
    this.closer = closer;
    this.container = container;
    this.principal = principal;
    this.peer = peer;
    this.rest = rest;
    this.hello = hello;
  }

  @Override
  public void onOpen(Session session, EndpointConfig config) {
    closer.onOpen(session);
    session.setMaxIdleTimeout(0); // the session counts heartbeats itself
    session.setMaxBinaryMessageBufferSize(Tunnel.MAX_MESSAGE_BYTES);
    container.boundFrames(session.getUserProperties(), Tunnel.MAX_MESSAGE_BYTES);
    session.getUserProperties().put(TOMCAT_SEND_TIMEOUT, CLOSE_MILLIS);
    tunnel = registry.begin(new Port(session, closer, peer, rest), principal);
    session.addMessageHandler(new InboundText(tunnel));
    session.addMessageHandler(new Inbound(tunnel));
    if (hello.isPresent()) {
      tunnel.onEarlyHello(hello.get());
    }
  }

  @Override
  public void onClose(Session session, CloseReason reason) {
    closer.onClosed(session);
    tunnel.onTransportClosed();
  }

  @Override
  public void onError(Session session, Throwable failure) {
    LOG.debug("link of {}: {}", peer, failure.toString());
    if (tunnel != null) {
      tunnel.onTransportClosed();
    }
  }

  /** A class with a name, since containers find the message type by reflection. */
  private static final class Inbound implements MessageHandler.Partial<ByteBuffer> {
    private final TunnelSession tunnel;

    Inbound(TunnelSession tunnel) {
      this.tunnel = tunnel;
    }

    @Override
    public void onMessage(ByteBuffer bytes, boolean last) {
      tunnel.onBytes(bytes);
    }
  }

  /** Without it some containers pass over text messages, and the session goes on. */
  private static final class InboundText implements MessageHandler.Partial<String> {
    private final TunnelSession tunnel;

    InboundText(TunnelSession tunnel) {
      this.tunnel = tunnel;
    }

    @Override
    public void onMessage(String text, boolean last) {
      tunnel.onViolation("expected a binary message, got a text message");
    }
  }

  /** Sends through the container without blocking. */
  private static final class Port implements LinkPort {
    private final Session session;
    private final LinkCloser closer;
    private final RemoteEndpoint.Async remote;
    private final String peer;
    private final Pause rest;

    Port(Session session, LinkCloser closer, String peer, Pause rest) {
      this.session = session;
      this.closer = closer;
      this.remote = session.getAsyncRemote();
      this.peer = peer;
      this.rest = rest;
    }

    @Override
    public void send(ByteBuffer bytes, SendEnd end) {
      try {
        remote.sendBinary(
            bytes, result -> end.sendEnded(result.isOK() ? null : cause(result.getException())));
      } catch (IllegalStateException | IllegalArgumentException closed) {
        end.sendEnded(closed);
      }
    }

    private static Throwable cause(Throwable reported) {
      return reported == null ? new IOException("the container gives no reason") : reported;
    }

    @Override
    public void close(CloseCause cause) {
      closer.close(session, new CloseReason(code(cause), cause.name()));
    }

    /**
     * Pauses the link. Closes it when a pause is not possible; its agent resumes over a new link.
     */
    @Override
    public void rest(long nanos) {
      if (!rest.rest(nanos)) {
        close(CloseCause.LINK_LOST);
      }
    }

    /**
     * GOODBYE has said why. For a code that is an error Jetty ends the connection at once, with
     * answers that the client's machine has not taken yet.
     */
    private static CloseCodes code(CloseCause cause) {
      return switch (cause) {
        case PROTOCOL_VIOLATION, UNSUPPORTED_VERSION -> CloseCodes.PROTOCOL_ERROR;
        case INTERNAL_ERROR -> CloseCodes.UNEXPECTED_CONDITION;
        default -> CloseCodes.NORMAL_CLOSURE;
      };
    }

    @Override
    public String peer() {
      return peer;
    }
  }
}
