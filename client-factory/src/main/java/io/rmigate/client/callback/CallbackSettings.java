package io.rmigate.client.callback;

import io.rmigate.client.config.CallbacksHostname;
import io.rmigate.client.config.ExportPorts;
import java.util.Objects;
import java.util.Optional;

/**
 * What is done about exported objects.
 *
 * @param ports for which the gateway listens
 * @param host that references name inside; empty: what the gateway says that it is called there
 * @param hostname where that host gets into references
 * @param bringsBack whether a reference to an object of this JVM that comes back names the local
 *     endpoint again; of no meaning with {@link CallbacksHostname#JVM}
 */
public record CallbackSettings(
    ExportPorts ports, Optional<String> host, CallbacksHostname hostname, boolean bringsBack) {
  /** Everything that is exported stays local. */
  public static final CallbackSettings OFF =
      new CallbackSettings(ExportPorts.NONE, Optional.empty());

  public CallbackSettings {
    Objects.requireNonNull(ports);
    Objects.requireNonNull(host);
    Objects.requireNonNull(hostname);
  }

  /** Exported objects are at the gateway only. */
  public CallbackSettings(ExportPorts ports, Optional<String> host) {
    this(ports, host, CallbacksHostname.JVM, false);
  }

  /** Whether exported objects are local, and references change where they cross the tunnel. */
  boolean rewritesReferences() {
    return hostname == CallbacksHostname.REFERENCES;
  }
}
