package io.rmigate.client.mediator;

import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.tunnel.RegistryName;

/** Which bindings are wrong, as far as the agent can see by itself. */
sealed interface BindingInvalidation {

  /** Whether it concerns this binding. */
  boolean concerns(HeldBinding binding);

  /**
   * The application changes what a name is bound to. Hosts may have several names, so that the name
   * is distrusted in every registry at that port: at worst the gateway is asked once too often.
   */
  record Changed(int port, String name) implements BindingInvalidation {
    @Override
    public boolean concerns(HeldBinding binding) {
      RegistryName held = binding.name();
      return held.registry().port() == port && held.name().equals(name);
    }
  }

  /** The application changes a binding whose name is not known. */
  record SomethingChanged(int port) implements BindingInvalidation {
    @Override
    public boolean concerns(HeldBinding binding) {
      return binding.name().registry().port() == port;
    }
  }

  /** No call gets through to the endpoint, or not to the object. */
  record LeadsNowhere(EndpointId endpoint) implements BindingInvalidation {
    @Override
    public boolean concerns(HeldBinding binding) {
      return binding.isAt(endpoint);
    }
  }
}
