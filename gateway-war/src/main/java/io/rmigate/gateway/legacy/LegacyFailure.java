package io.rmigate.gateway.legacy;

import io.rmigate.protocol.jrmp.message.ExceptionalReturn;
import io.rmigate.protocol.tunnel.RefusalReason;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.rmi.AccessException;
import java.rmi.ConnectIOException;
import java.rmi.RemoteException;
import java.rmi.ServerException;

/**
 * Returns for Calls that have reached no server: with the exception that plain RMI would have
 * thrown there, so that callers who try again on it are right to; and for those whose answer is
 * lost, with one on which callers do not try again. Without our stack traces. Only classes that
 * every JDK has, and which the filter of its collector's client lets pass.
 */
final class LegacyFailure {
  private static final StackTraceElement[] NO_TRACE = {};

  /** For a refusal of the session. */
  static byte[] of(RefusalReason reason, String text, String host) {
    return encode(
        switch (reason) {
          case UNKNOWN_HOST ->
              new java.rmi.UnknownHostException(
                  "Unknown host: " + host, bare(new java.net.UnknownHostException(text)));
          case CONNECTION_REFUSED, TARGET_NOT_PERMITTED ->
              new java.rmi.ConnectException(
                  "Connection refused to host: " + host, bare(new java.net.ConnectException(text)));
          case CONNECT_FAILED, CALL_TIMEOUT, CALL_LATE ->
              new ConnectIOException(
                  "Exception creating connection to: " + host,
                  bare(new SocketTimeoutException(text)));
          case SEQUENCE_OVER -> // which no old client asks for
              new ConnectIOException(
                  "Exception creating connection to: " + host, bare(new IOException(text)));
          case NOT_JRMP ->
              new ConnectIOException(
                  "non-JRMP server at remote endpoint: " + host, bare(new IOException(text)));
          case OPERATION_NOT_PERMITTED ->
              new ServerException(
                  "RemoteException occurred in server thread", bare(new AccessException(text)));
        });
  }

  /**
   * For a Call that the gateway could not even begin to pass on, or a lease that is not granted.
   */
  static byte[] notDone(String text) {
    return encode(new java.rmi.ConnectException("rmigate: " + text));
  }

  /**
   * For a Call that its server may have executed, and whose answer will not come.
   *
   * @param text says whether it was executed
   */
  static byte[] lost(String text) {
    return ExceptionalReturn.ofLostResult(text);
  }

  /** The text of that where it is not known. */
  static String mayHaveBeenExecuted(String why) {
    return "rmigate: " + why + "; the call may have been executed";
  }

  private static byte[] encode(RemoteException exception) {
    return ExceptionalReturn.encode(bare(exception));
  }

  private static <E extends Exception> E bare(E exception) {
    exception.setStackTrace(NO_TRACE);
    return exception;
  }

  private LegacyFailure() {}
}
