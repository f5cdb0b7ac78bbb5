package io.rmigate.gateway.container.probe;

/** How the client's calls get to the server. */
public enum Way {
  /** No tunnel: what stock RMI does is the measure. */
  PLAIN_RMI,
  /** Through a gateway, the link in plain HTTP. */
  TUNNEL,
  /** Through a gateway over HTTPS: as much as shows that TLS makes no difference. */
  TUNNEL_OVER_TLS,
  /** Through a gateway, by a JVM that only knows the sidecar's SOCKS port. */
  SIDECAR
}
