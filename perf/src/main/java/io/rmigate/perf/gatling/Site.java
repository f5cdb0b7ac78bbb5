package io.rmigate.perf.gatling;

import io.rmigate.perf.harness.Artefacts;
import io.rmigate.perf.harness.JvmGroup;
import io.rmigate.sample.PerformanceTester;
import java.io.IOException;
import java.net.BindException;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The site behind the firewall: the sample server, and a gateway that publishes its object. */
final class Site implements AutoCloseable {
  /** The server's name, in stubs too. */
  static final String SERVER = "inside.example";

  static final String GATEWAY = "gateway.example";

  private static final int TRIES = 20;

  private final JvmGroup jvms;
  private final int registry;
  private final int objects;
  private final URI gateway;

  private Site(JvmGroup jvms, int registry, int objects, URI gateway) {
    this.jvms = jvms;
    this.registry = registry;
    this.objects = objects;
    this.gateway = gateway;
  }

  static Site start(Artefacts built, Path jdk) throws IOException {
    Artefacts own = built.in("site");
    Path hosts = own.logs().resolve("hosts");
    Files.write(hosts, List.of(ClientNetwork.INSIDE + " localhost " + SERVER));
    JvmGroup jvms = new JvmGroup(own, jdk, false);
    try {
      int registry = portAtBoth();
      int objects = portAtBoth();
      jvms.server(
          hosts,
          SERVER,
          "--bind",
          ClientNetwork.INSIDE,
          "--registry-port",
          Integer.toString(registry),
          "--object-port",
          Integer.toString(objects));
      String object = "rmi://" + SERVER + ":" + registry + "/" + PerformanceTester.NAME;
      List<String> arguments =
          own.publishingGateway("site", SERVER + ":*", object, PerformanceTester.class);
      return new Site(jvms, registry, objects, URI.create(jvms.gateway(hosts, arguments)));
    } catch (IOException | RuntimeException e) {
      jvms.close();
      throw e;
    }
  }

  /** A port that is free inside and at the edge, for a moment at least. */
  private static int portAtBoth() throws IOException {
    BindException last = null;
    for (int i = 0; i < TRIES; i++) {
      try (ServerSocket inside = new ServerSocket();
          ServerSocket edge = new ServerSocket()) {
        inside.bind(ClientNetwork.at(ClientNetwork.INSIDE, 0));
        edge.bind(ClientNetwork.at(ClientNetwork.EDGE, inside.getLocalPort()));
        return edge.getLocalPort();
      } catch (BindException taken) {
        last = taken;
      }
    }
    throw new IOException(
        "no port is free at " + ClientNetwork.INSIDE + " and " + ClientNetwork.EDGE, last);
  }

  int registry() {
    return registry;
  }

  /** The registry's and the objects'. */
  List<Integer> serverPorts() {
    return List.of(registry, objects);
  }

  int gatewayPort() {
    return gateway.getPort();
  }

  /** The context path of the gateway. */
  String gatewayPath() {
    return gateway.getPath();
  }

  @Override
  public void close() {
    jvms.close();
  }
}
