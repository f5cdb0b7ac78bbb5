package io.rmigate.perf.juric;

import io.rmigate.perf.box.ForwardProxy;
import io.rmigate.perf.harness.Artefacts;
import io.rmigate.perf.harness.ChildJvm;
import io.rmigate.perf.harness.JvmGroup;
import io.rmigate.perf.ways.Approach;
import io.rmigate.perf.ways.Way;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A way's JVMs: a server, a gateway or an HTTP proxy where the way needs them, and a client. The
 * client and the proxy belong to one way; ways may share server and gateway. Used by one thread.
 */
final class WayUnderTest implements AutoCloseable {
  private static final String GATEWAY = "gateway.example";

  private final Way way;
  private final JvmGroup jvms;
  private ChildJvm client;

  private WayUnderTest(Way way, JvmGroup jvms) {
    this.way = way;
    this.jvms = jvms;
  }

  /** Host names for all JVMs, each an address of this machine. */
  static List<String> hosts() {
    return List.of("127.0.0.1 localhost " + InnerServers.SERVER + " " + GATEWAY);
  }

  /**
   * Starts what the way needs.
   *
   * @param shared server and gateways of all ways; without it the way starts its own
   */
  static WayUnderTest start(
      Way way, Artefacts built, Path jdk, Path hosts, boolean pinned, Optional<InnerServers> shared)
      throws IOException {
    Artefacts own = built.in(way.label());
    JvmGroup jvms = new JvmGroup(own, jdk, pinned);
    WayUnderTest started = new WayUnderTest(way, jvms);
    try {
      started.startAll(own, hosts, shared.orElseGet(() -> new InnerServers(own, hosts, jvms)));
      return started;
    } catch (IOException | RuntimeException e) {
      started.close();
      throw e;
    }
  }

  private void startAll(Artefacts built, Path hosts, InnerServers inside) throws IOException {
    int registry = inside.registry();
    Optional<URI> gateway = Optional.empty();
    if (way != Way.DIRECT) {
      URI url = inside.gateway(way);
      gateway = Optional.of(URI.create("http://" + GATEWAY + ":" + url.getPort() + url.getPath()));
    }
    Optional<URI> proxy = Optional.empty();
    if (way == Way.CONNECT) {
      String port =
          jvms.other(
                  "proxy", hosts, List.of("-cp", built.classPath(), ForwardProxy.class.getName()))
              .await("proxy ready");
      proxy = Optional.of(URI.create("http://localhost:" + port));
    }
    Approach approach =
        new Approach(
            way, InnerServers.SERVER, registry, gateway, proxy, Optional.empty(), Optional.empty());
    List<String> arguments =
        new ArrayList<>(List.of("-cp", built.classPath(), JuricClient.class.getName()));
    arguments.addAll(approach.arguments());
    client = jvms.client(hosts, arguments);
    client.await("client ready");
  }

  Way way() {
    return way;
  }

  /** Does it so often; returns the mean in microseconds. */
  double measure(Operation operation, int times) throws IOException {
    String answer = client.ask(operation.label() + " " + times);
    if (!answer.startsWith("micros ")) {
      throw new IOException("expected a time, got " + answer);
    }
    return Double.parseDouble(answer.substring("micros ".length()));
  }

  @Override
  public void close() {
    jvms.close();
  }
}
