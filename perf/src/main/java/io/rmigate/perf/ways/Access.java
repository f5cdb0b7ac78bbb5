package io.rmigate.perf.ways;

import io.rmigate.client.Rmigate;
import io.rmigate.client.config.ConfigKey;
import io.rmigate.perf.harness.Artefacts;
import io.rmigate.perf.services.JsonTester;
import io.rmigate.perf.services.SoapService;
import io.rmigate.sample.PerformanceTester;
import java.io.IOException;
import java.net.URI;
import java.rmi.registry.LocateRegistry;
import java.rmi.server.RMISocketFactory;

/**
 * What an application does before its calls: a lookup in the registry, or, of web services, making
 * the client's side of a port ("instantiation" in Juric et al.). Thread-safe.
 */
@FunctionalInterface
public interface Access {
  PerformanceTester open() throws Exception;

  /**
   * Sets this JVM up for its way; once in a JVM's life. Nothing is connected yet, but by SOAP,
   * which reads the WSDL.
   */
  static Access by(Approach approach) throws Exception {
    ProxyLogin login = ProxyLogin.of(approach);
    return switch (approach.way()) {
      case DIRECT -> {
        if (approach.connectTimeout().isPresent()) {
          RMISocketFactory.setSocketFactory(
              new BoundSocketFactory(approach.connectTimeout().get()));
        }
        yield registry(approach);
      }
      case SERVLET -> {
        URI gateway = gateway(approach);
        RMISocketFactory.setSocketFactory(
            new ServletSocketFactory(gateway.getHost(), gateway.getPort()));
        yield registry(approach);
      }
      case CONNECT, POST, WEBSOCKET, AUTO -> {
        install(approach, login);
        yield registry(approach);
      }
      case SOAP -> {
        login.installForTheJdk();
        yield new SoapService(address(approach))::tester;
      }
      case JSON -> {
        login.installForTheJdk();
        String address = address(approach);
        yield () -> new JsonTester(address);
      }
    };
  }

  private static Access registry(Approach approach) {
    return () ->
        (PerformanceTester)
            LocateRegistry.getRegistry(approach.host(), approach.registry())
                .lookup(PerformanceTester.NAME);
  }

  private static void install(Approach approach, ProxyLogin login) throws IOException {
    Rmigate.Builder builder =
        Rmigate.builder()
            .gateway(gateway(approach))
            .tunnel(approach.host() + ":*")
            .set(ConfigKey.WAY, approach.way().label());
    approach.connectTimeout().ifPresent(builder::connectTimeout);
    login.addTo(builder);
    builder.build().install();
  }

  private static URI gateway(Approach approach) {
    return approach
        .gateway()
        .orElseThrow(
            () -> new IllegalArgumentException(approach.way().label() + " needs gateway="));
  }

  private static String address(Approach approach) {
    return gateway(approach) + "/services/" + Artefacts.PUBLISHED;
  }
}
