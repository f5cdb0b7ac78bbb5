package io.rmigate.client.config;

/** Where the gateway's host gets into references to exported objects. */
public enum CallbacksHostname {
  /**
   * Objects are exported locally, as without the agent; a reference names the gateway where it
   * crosses the tunnel, and the local endpoint again where it comes back.
   */
  REFERENCES,
  /**
   * The system property {@code java.rmi.server.hostname} names the gateway for the whole JVM, and
   * exported objects are reached at the gateway only.
   */
  JVM
}
