package io.rmigate.perf.gatling;

import io.rmigate.perf.box.ForwardProxy;
import io.rmigate.perf.box.IdleCut;
import io.rmigate.perf.box.Interceptor;
import io.rmigate.perf.box.SilentPort;
import io.rmigate.perf.link.EmulatedLink;
import io.rmigate.perf.link.LinkListener;
import io.rmigate.perf.link.LinkProfile;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The boxes of a scenario that is being laid out, which end with it. Ports are those inside, so
 * that the server's are the same at its edge. Used by one thread.
 */
final class Boxes implements Closeable {
  private final List<Closeable> boxes = new ArrayList<>();
  private final Site site;

  Boxes(Site site) {
    this.site = site;
  }

  Site site() {
    return site;
  }

  private <B extends Closeable> B add(B box) {
    boxes.add(box);
    return box;
  }

  /** An HTTP proxy; returns its port. */
  int proxy(Optional<String> login) throws IOException {
    return add(new ForwardProxy(ClientNetwork.at(ClientNetwork.INSIDE, 0), login)).port();
  }

  /** In front of the gateway; returns its port. */
  int interceptor(boolean closesEach) throws IOException {
    return add(new Interceptor(
            ClientNetwork.at(ClientNetwork.INSIDE, 0),
            ClientNetwork.at(ClientNetwork.INSIDE, site.gatewayPort()),
            closesEach))
        .port();
  }

  /** Makes the server's ports at the edge silent. */
  void silence() throws IOException {
    for (int port : site.serverPorts()) {
      add(new SilentPort(ClientNetwork.at(ClientNetwork.EDGE, port)));
    }
  }

  /** In front of a port inside; returns its own. */
  int idleCut(int port, Duration idle) throws IOException {
    return add(new IdleCut(
            ClientNetwork.at(ClientNetwork.INSIDE, 0),
            ClientNetwork.at(ClientNetwork.INSIDE, port),
            idle))
        .port();
  }

  /** The server's ports, at the edge, with such a cut. */
  void idleCutServer(Duration idle) throws IOException {
    for (int port : site.serverPorts()) {
      add(
          new IdleCut(
              ClientNetwork.at(ClientNetwork.EDGE, port),
              ClientNetwork.at(ClientNetwork.INSIDE, port),
              idle));
    }
  }

  /** A link that leads to the server's ports from the edge. */
  EmulatedLink link(LinkProfile profile) throws IOException {
    EmulatedLink link = add(new EmulatedLink(profile, new LinkListener() {}));
    for (int port : site.serverPorts()) {
      link.listen(
          ClientNetwork.at(ClientNetwork.EDGE, port), ClientNetwork.at(ClientNetwork.INSIDE, port));
    }
    return link;
  }

  /** Over it to a port inside; returns the port at which it begins. */
  static int over(EmulatedLink link, int port) throws IOException {
    return link.listen(
        ClientNetwork.at(ClientNetwork.INSIDE, 0), ClientNetwork.at(ClientNetwork.INSIDE, port));
  }

  @Override
  public void close() throws IOException {
    for (Closeable box : boxes) {
      box.close();
    }
  }
}
