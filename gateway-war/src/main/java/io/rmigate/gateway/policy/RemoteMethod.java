package io.rmigate.gateway.policy;

import java.util.List;

/**
 * A method of a remote interface, its own or one that it has from another.
 *
 * @param type the interface, as in {@link Class#getName}
 * @param parameters their types, likewise, arrays with {@code []} behind their element's
 * @param hash as RMI computes it: RMI specification, 8.3
 */
record RemoteMethod(String type, String name, List<String> parameters, long hash) {
  RemoteMethod {
    parameters = List.copyOf(parameters);
  }

  /** The same for all interfaces that have it. */
  String signature() {
    return name + "(" + String.join(",", parameters) + ")";
  }

  @Override
  public String toString() {
    return type + "." + signature();
  }
}
