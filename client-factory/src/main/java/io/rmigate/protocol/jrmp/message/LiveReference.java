package io.rmigate.protocol.jrmp.message;

import io.rmigate.protocol.jrmp.ObjIdentifier;

/**
 * What a stub really holds ({@code LiveRef}): an endpoint and an object at it.
 *
 * @param host as marshalled; nothing is resolved
 * @param port 1 to 65535
 * @param object the object at that endpoint
 * @param refType the external name of the {@code RemoteRef} class: {@link #UNICAST_REF} or {@link
 *     #UNICAST_REF2}
 * @param ownFactory whether the endpoint brings a client socket factory, which calls go through
 * @param inReturn whether it was marshalled as part of a Return: its sender keeps the object alive
 *     until that Return's DgcAck, for five minutes at the longest
 */
public record LiveReference(
    String host,
    int port,
    ObjIdentifier object,
    String refType,
    boolean ownFactory,
    boolean inReturn) {
  /** An endpoint without a client socket factory. */
  public static final String UNICAST_REF = "UnicastRef";

  /** An endpoint that may have a client socket factory. */
  public static final String UNICAST_REF2 = "UnicastRef2";

  /** One line for logs. */
  @Override
  public String toString() {
    return refType + " " + host + ":" + port + " [" + object + "]";
  }
}
