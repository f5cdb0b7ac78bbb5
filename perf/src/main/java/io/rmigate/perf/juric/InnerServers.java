package io.rmigate.perf.juric;

import io.rmigate.perf.harness.Artefacts;
import io.rmigate.perf.harness.JvmGroup;
import io.rmigate.perf.ways.Way;
import io.rmigate.sample.PerformanceTester;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * The server, and a gateway for each configuration that ways need; each starts when it is first
 * asked for. Used by one thread.
 */
final class InnerServers {
  /** The server's name, in stubs too. */
  static final String SERVER = "inside.example";

  private static final String TARGETS = SERVER + ":*";

  private enum Configuration {
    TUNNELS,
    LEGACY,
    SERVICES
  }

  private final Artefacts built;
  private final Path hosts;
  private final JvmGroup jvms;
  private final Map<Configuration, URI> gateways = new HashMap<>();
  private OptionalInt registry = OptionalInt.empty();

  /**
   * @param built whose directory no other instance uses
   * @param jvms the group that ends the server and the gateways
   */
  InnerServers(Artefacts built, Path hosts, JvmGroup jvms) {
    this.built = built;
    this.hosts = hosts;
    this.jvms = jvms;
  }

  /** The port of the server's registry. */
  int registry() throws IOException {
    if (registry.isEmpty()) {
      registry = OptionalInt.of(jvms.server(hosts, SERVER));
    }
    return registry.getAsInt();
  }

  /** The URL, on loopback, of a gateway that serves this way. */
  URI gateway(Way way) throws IOException {
    Configuration configuration =
        way == Way.SERVLET
            ? Configuration.LEGACY
            : way.isService() ? Configuration.SERVICES : Configuration.TUNNELS;
    URI gateway = gateways.get(configuration);
    if (gateway == null) {
      gateway = URI.create(jvms.gateway(hosts, arguments(configuration)));
      gateways.put(configuration, gateway);
    }
    return gateway;
  }

  private List<String> arguments(Configuration configuration) throws IOException {
    return switch (configuration) {
      case TUNNELS -> built.gateway(TARGETS);
      case LEGACY -> built.legacyGateway("legacy", TARGETS);
      case SERVICES ->
          built.publishingGateway(
              "services",
              TARGETS,
              "rmi://" + SERVER + ":" + registry() + "/" + PerformanceTester.NAME,
              PerformanceTester.class);
    };
  }
}
