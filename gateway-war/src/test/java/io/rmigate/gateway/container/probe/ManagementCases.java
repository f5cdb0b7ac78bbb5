package io.rmigate.gateway.container.probe;

import io.rmigate.sample.JmxClient;

/** A JVM with stock JMX, managed by the stock connector. */
final class ManagementCases {
  private final Inside inside;

  ManagementCases(Inside inside) {
    this.inside = inside;
  }

  @Case
  void jmxQueriesAttributesOperationsAndNotificationsWork() throws Exception {
    JmxClient.manage(
        "service:jmx:rmi:///jndi/rmi://" + inside.host() + ":" + inside.jmxPort() + "/jmxrmi",
        inside.jmxSeconds());
  }
}
