package io.rmigate.client.program.doctor;

import io.rmigate.client.transport.GatewayUnavailableException;
import io.rmigate.client.transport.TransportRefusedException;
import io.rmigate.client.transport.http.HttpRefusedException;
import io.rmigate.client.transport.net.CertificateNames;
import io.rmigate.protocol.ProtocolViolationException;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.PortUnreachableException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.security.cert.CertPathBuilderException;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;

/** The obstacles that stop a way, as far as this machine can tell them apart. */
enum Obstacle {
  /** The name is unknown here. */
  NAME_UNKNOWN,
  /** The connection is reset: no process listens at the port, or a firewall rejects it. */
  REFUSED,
  /** A router answers that it does not pass this on. */
  UNREACHABLE,
  /** There is no answer: packets are dropped. */
  SILENCE,
  /** The connection was made, and then nothing came in time. */
  SLOW,
  /** The connection was made, and broke off. */
  BROKEN_OFF,
  /** The listening process does not speak RMI. */
  NOT_RMI,
  /** The HTTP proxy cannot be reached. */
  PROXY_UNREACHABLE,
  /** The HTTP proxy wants a login, or another one. */
  PROXY_LOGIN,
  /** The HTTP proxy says no. */
  PROXY_REFUSES,
  /** A page to log in to the network stands in the way. */
  PORTAL,
  /** The certificate of the TLS server is not trusted. */
  UNTRUSTED,
  /** TLS ends at a server whose certificate is trusted, and is for another host name. */
  OTHER_NAME,
  /** TLS fails for another reason. */
  TLS,
  /** The upgrade to WebSocket is refused. */
  UPGRADE_REFUSED,
  /** The gateway does not let this login in. */
  GATEWAY_LOGIN,
  /** The gateway, or what stands before it, cannot serve now. */
  GATEWAY_UNAVAILABLE,
  /** The server that answers is no gateway. */
  NO_GATEWAY,
  /** The gateway's policy does not let this login there. */
  POLICY,
  /** Policy does not allow the target as a raw stream. */
  POLICY_RAW,
  /** The gateway refused the answer of the server, because of a class or reference in it. */
  POLICY_REPLY,
  /** The stub makes its own sockets, which are not led through the gateway. */
  NEEDS_SOCKETS,
  /** The server has no such object any more. */
  NO_OBJECT,
  /** Something else. */
  OTHER;

  /** The beginning of {@code TcpDialer}'s messages about the HTTP proxy. */
  private static final String OF_PROXY = "the HTTP proxy";

  /** The name of the obstacle, for JSON. */
  String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Whether the gateway's configuration decides it, and nothing that this client is told. */
  boolean isPolicy() {
    return this == POLICY || this == POLICY_RAW || this == POLICY_REPLY;
  }

  /** Whether a firewall may be the reason. */
  boolean mayBeFirewall() {
    return this == REFUSED || this == UNREACHABLE || this == SILENCE;
  }

  /** Whether the obstacle hides what is behind it. */
  boolean hidesTheRest() {
    return switch (this) {
      case PROXY_UNREACHABLE,
          PROXY_LOGIN,
          PORTAL,
          UNTRUSTED,
          OTHER_NAME,
          TLS,
          GATEWAY_LOGIN,
          GATEWAY_UNAVAILABLE ->
          true;
      default -> false;
    };
  }

  /** The obstacle at which an attempt to connect has failed. */
  static Obstacle of(Exception failed) {
    if (failed instanceof HttpRefusedException refused) {
      return ofAnswer(refused);
    }
    if (failed instanceof TransportRefusedException) {
      return UPGRADE_REFUSED;
    }
    if (failed instanceof GatewayUnavailableException) {
      return GATEWAY_UNAVAILABLE;
    }
    if (failed instanceof ProtocolViolationException) {
      return NO_GATEWAY;
    }
    if (failed instanceof SSLException && CertificateNames.areOthers(failed)) {
      return OTHER_NAME;
    }
    if (failed instanceof SSLException) {
      return has(failed, CertPathBuilderException.class) ? UNTRUSTED : TLS;
    }
    if (failed instanceof SocketTimeoutException) {
      return SLOW; // while connecting it would be the cause of a ConnectException
    }
    String message = String.valueOf(failed.getMessage());
    if (message.startsWith(OF_PROXY) && failed instanceof IOException) {
      return PROXY_UNREACHABLE;
    }
    if (message.startsWith("HTTP proxy ") && failed instanceof ConnectException) {
      return PROXY_REFUSES; // it has answered that it does not get there
    }
    return ofNetwork(failed).orElse(OTHER);
  }

  private static Obstacle ofAnswer(HttpRefusedException refused) {
    int status = refused.status();
    boolean portal = status / 100 == 2 || status / 100 == 3;
    if (refused.byProxy()) {
      return portal ? PORTAL : status == 407 || status == 401 ? PROXY_LOGIN : PROXY_REFUSES;
    }
    return portal
        ? PORTAL
        : switch (status) {
          case 401, 403 -> GATEWAY_LOGIN;
          case 407 -> PROXY_LOGIN;
          default -> NO_GATEWAY;
        };
  }

  private static Optional<Obstacle> ofNetwork(Throwable failed) {
    for (Throwable t = failed; t != null; t = t.getCause()) {
      if (t instanceof UnknownHostException) {
        return Optional.of(NAME_UNKNOWN);
      }
      if (t instanceof SocketTimeoutException || t instanceof TimeoutException) {
        return Optional.of(SILENCE);
      }
      if (t instanceof NoRouteToHostException || t instanceof PortUnreachableException) {
        return Optional.of(UNREACHABLE);
      }
      if (t instanceof ConnectException && t.getCause() == null) {
        return Optional.of(
            String.valueOf(t.getMessage()).contains("unreachable") ? UNREACHABLE : REFUSED);
      }
      if (t instanceof EOFException || (t instanceof SocketException && t.getCause() == null)) {
        return Optional.of(
            String.valueOf(t.getMessage()).contains("unreachable") ? UNREACHABLE : BROKEN_OFF);
      }
    }
    return Optional.empty();
  }

  private static boolean has(Throwable failed, Class<? extends Throwable> type) {
    for (Throwable t = failed; t != null; t = t.getCause()) {
      if (type.isInstance(t)) {
        return true;
      }
    }
    return false;
  }
}
