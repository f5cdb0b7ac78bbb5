package io.rmigate.client.mediator;

import io.rmigate.client.deadline.CallTimeoutException;
import io.rmigate.protocol.tunnel.RefusalReason;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.rmi.AccessException;
import java.rmi.ConnectIOException;
import java.rmi.RemoteException;
import java.rmi.ServerException;

/**
 * Which exception a caller gets for a request that never reached a server: the one plain RMI would
 * have thrown from {@code createSocket} or sent back, so that callers who retry on it are right to.
 */
public final class RefusedCall {

  /**
   * The exception for the refusal of a Call to {@code host}. Only classes of {@code java.base} and
   * {@code java.rmi} occur in it (the DGC stub's filter lets no others pass).
   */
  public static RemoteException asException(RefusalReason reason, String text, String host) {
    return switch (reason) {
      case UNKNOWN_HOST ->
          new java.rmi.UnknownHostException(
              "Unknown host: " + host, new java.net.UnknownHostException(text));
      case CONNECTION_REFUSED, TARGET_NOT_PERMITTED ->
          new java.rmi.ConnectException(
              "Connection refused to host: " + host, new java.net.ConnectException(text));
      case CONNECT_FAILED, CALL_TIMEOUT, CALL_LATE ->
          new ConnectIOException(
              "Exception creating connection to: " + host, new SocketTimeoutException(text));
      case NOT_JRMP ->
          new ConnectIOException(
              "non-JRMP server at remote endpoint: " + host, new IOException(text));
      case SEQUENCE_OVER ->
          new ConnectIOException(
              "Exception creating connection to: " + host, new IOException(text));
      case OPERATION_NOT_PERMITTED ->
          new ServerException(
              "RemoteException occurred in server thread", new AccessException(text));
    };
  }

  /**
   * The exception for a Call to {@code host} that found no link, so that no byte of it was sent.
   */
  public static RemoteException withoutLink(IOException failure, String host) {
    return failure instanceof ConnectException
        ? new java.rmi.ConnectException(
            "Connection refused to host: " + host, new ConnectException(failure.getMessage()))
        : new ConnectIOException(
            "Exception creating connection to: " + host, new IOException(failure.getMessage()));
  }

  /** The exception for a Call to {@code host} that was not sent, or reached no server, in time. */
  public static RemoteException inTime(CallTimeoutException late, String host) {
    return new ConnectIOException(
        "Exception creating connection to: " + host, new SocketTimeoutException(late.getMessage()));
  }

  private RefusedCall() {}
}
