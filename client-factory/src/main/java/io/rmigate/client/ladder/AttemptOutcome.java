package io.rmigate.client.ladder;

import io.rmigate.client.transport.proxy.NoHttpProxyException;
import io.rmigate.protocol.ProtocolViolationException;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.net.UnknownHostException;
import javax.net.ssl.SSLException;

/** The result of an attempt to take a way. */
public enum AttemptOutcome {
  /** The peer has answered, and proved by its answer what it is. */
  REACHED,
  /** A host, a firewall, an HTTP proxy or the gateway has refused. */
  REFUSED,
  /** No answer has come in time: packets are dropped, or an answer is held back. */
  SILENT,
  /** A peer was reached, and the connection broke. */
  BROKEN,
  /** A server other than the expected one has answered. */
  FOREIGN,
  /** The name has no address. */
  NO_ADDRESS,
  /** A certificate is not trusted, or TLS failed otherwise. */
  UNTRUSTED,
  /** This way cannot be tried: there is no HTTP proxy to ask. */
  UNUSABLE;

  /** The outcome that a failure means. */
  static AttemptOutcome of(IOException failure) {
    if (failure instanceof NoHttpProxyException) {
      return UNUSABLE;
    } else if (failure instanceof UnknownHostException) {
      return NO_ADDRESS;
    } else if (failure instanceof SSLException) {
      return UNTRUSTED;
    } else if (failure instanceof ProtocolViolationException) {
      return FOREIGN;
    } else if (failure instanceof InterruptedIOException
        || failure.getCause() instanceof InterruptedIOException) {
      return SILENT;
    } else if (failure instanceof ConnectException || failure instanceof NoRouteToHostException) {
      return REFUSED;
    } else if (isBroken(failure) || isBroken(failure.getCause())) {
      return BROKEN;
    }
    return REFUSED;
  }

  private static boolean isBroken(Throwable failure) {
    return failure instanceof SocketException || failure instanceof EOFException;
  }
}
