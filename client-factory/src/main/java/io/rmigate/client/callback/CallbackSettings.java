package io.rmigate.client.callback;

import io.rmigate.client.config.ExportPorts;
import java.util.Objects;
import java.util.Optional;

/**
 * What is done about exported objects.
 *
 * @param ports for which the gateway listens
 * @param host that stubs name; empty: what the gateway says that it is called inside
 */
public record CallbackSettings(ExportPorts ports, Optional<String> host) {
  /** Everything that is exported stays local. */
  public static final CallbackSettings OFF =
      new CallbackSettings(ExportPorts.NONE, Optional.empty());

  public CallbackSettings {
    Objects.requireNonNull(ports);
    Objects.requireNonNull(host);
  }
}
