package io.rmigate.client.program.doctor;

import io.rmigate.client.config.Authority;
import io.rmigate.client.config.Way;
import io.rmigate.protocol.jrmp.EndpointId;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The findings about the ways from this machine to the server and to the gateway. */
final class WayFindings {
  private final Observations facts;
  private final List<Finding> found = new ArrayList<>();

  private WayFindings(Observations facts) {
    this.facts = facts;
  }

  static List<Finding> of(Observations facts) {
    WayFindings findings = new WayFindings(facts);
    findings.direct();
    findings.connect();
    findings.link();
    return findings.found;
  }

  private void direct() {
    WayResult direct = facts.result(Way.DIRECT);
    if (direct.isWorking()) {
      found.add(
          Finding.good(
              "direct.open",
              "An RMI server answers at " + server() + ", within " + millis(direct) + ".",
              "No firewall blocks this port. The findings about the stub tell whether its objects"
                  + " can be called, too."));
      facts.addresses().ifPresent(this::translation);
      return;
    }
    direct.obstacle().ifPresent(obstacle -> direct(direct, obstacle));
  }

  private void translation(Observations.Addresses addresses) {
    if (!addresses.own().equals(addresses.seen())) {
      found.add(
          Finding.note(
              "direct.translated",
              "The server sees this machine as "
                  + addresses.seen()
                  + ", its own address is "
                  + addresses.own()
                  + ".",
              "Addresses are translated on the way (NAT): a server cannot call objects of this"
                  + " machine back.",
              "If it has to (callbacks, listeners), go through the gateway and configure"
                  + " callbacks: in its rmigate.yaml."));
    }
  }

  private void direct(WayResult direct, Obstacle obstacle) {
    String seen = sentence(direct.words());
    Optional<Way> other = facts.registryReachedBy(Way.DIRECT);
    String there =
        other.map(way -> "The server is up, because it answers by " + way.text() + ": ").orElse("");
    switch (obstacle) {
      case REFUSED ->
          add(
              other.isPresent() ? "firewall.rejects" : "direct.refused",
              seen,
              other.isPresent()
                  ? there
                      + "a firewall on the way rejects the connection (with a reset). Plain RMI"
                      + " fails at once, with java.rmi.ConnectException."
                  : "No program listens at that port, or a firewall answers in its place (with a"
                      + " reset). From here the two look the same.",
              other.isPresent() ? opening() : "Is " + server() + " right? " + opening());
      case UNREACHABLE ->
          add(
              "firewall.rejects",
              seen,
              there
                  + (there.isEmpty() ? "A" : "a")
                  + " router or firewall on the way answers that it does not forward these packets"
                  + " (ICMP). Plain RMI fails at once, with java.rmi.ConnectIOException or"
                  + " NoRouteToHostException.",
              opening());
      case SILENCE ->
          add(
              "firewall.drops",
              seen,
              (other.isPresent()
                      ? there + "a firewall on the way drops the packets without an answer. "
                      : "A firewall drops the packets without an answer, or the machine is down. ")
                  + "Plain RMI hangs until the operating system gives up, minutes for each"
                  + " connection. The fallback to HTTP of old JDKs never started in this case.",
              opening());
      case NAME_UNKNOWN -> nameUnknown(seen);
      case NOT_RMI ->
          add(
              "direct.not-rmi",
              seen,
              "The program that listens there is no RMI server but another service, a load"
                  + " balancer, or a transparent proxy that accepts every connection.",
              "Is " + server() + " the registry's port?");
      default -> add("direct.fails", seen, "The connection cannot be made.", opening());
    }
  }

  /** No obstacle for ways on which names are resolved at the far end. */
  private void nameUnknown(String seen) {
    String code = "direct.name-unknown";
    String meaning =
        "The name has no address here. An address behind the gateway is enough: through the"
            + " gateway, and through an HTTP proxy, names are resolved at the far end.";
    found.add(
        facts.options().hasGateway() || facts.works(Way.CONNECT)
            ? Finding.note(code, seen, meaning, "")
            : Finding.problem(
                code,
                seen,
                meaning,
                "Check the name. Does it have an address behind the gateway?"));
  }

  /** Bad only where no other way leads there. */
  private void add(String code, String seen, String meaning, String advice) {
    found.add(
        facts.leading().isEmpty()
            ? Finding.problem(code, seen, meaning, advice)
            : Finding.note(code, seen, meaning, advice));
  }

  private String opening() {
    if (facts.leading().stream().anyMatch(Way::isLink)) {
      return "Nothing to do as long as calls go through the gateway.";
    }
    if (facts.works(Way.WEBSOCKET) || facts.works(Way.POST)) {
      return "See the findings about the gateway, through which this port need not be open.";
    }
    String ports =
        "Open the ports of the registry and of the objects in the firewall, or go through an"
            + " rmigate gateway: one HTTPS port is enough";
    return facts.options().hasGateway()
        ? ports + "."
        : ports + " (--gateway https://host/rmigate).";
  }

  private void connect() {
    WayResult connect = facts.result(Way.CONNECT);
    if (connect.isWorking()) {
      found.add(
          Finding.good(
              "connect.open",
              sentence(connect.words()),
              "The HTTP proxy allows CONNECT to the RMI port (HTTP-to-port, as the JDK once called"
                  + " it). Callbacks cannot use this way."));
      return;
    }
    connect
        .obstacle()
        .filter(obstacle -> !isSharedWithLink(connect))
        .ifPresent(
            obstacle -> {
              switch (obstacle) {
                case PROXY_LOGIN -> add("proxy.login", sentence(connect.words()), LOGIN, SET_LOGIN);
                case PROXY_UNREACHABLE ->
                    add(
                        "proxy.unreachable",
                        sentence(connect.words()),
                        "The HTTP proxy that is configured does not answer.",
                        WHICH_PROXY);
                case PROXY_REFUSES ->
                    add(
                        "proxy.refuses-rmi",
                        sentence(connect.words()),
                        "The HTTP proxy does not allow CONNECT to that port; most allow port 443"
                            + " only.",
                        facts.works(Way.WEBSOCKET) || facts.works(Way.POST)
                            ? "Nothing to do as long as calls go through the gateway."
                            : "Put an rmigate gateway on port 443, which this proxy allows.");
                case NOT_RMI ->
                    add(
                        "proxy.answers-itself",
                        sentence(connect.words()),
                        "The HTTP proxy accepts CONNECT and then answers in the server's place: it"
                            + " forwards HTTPS only.",
                        "");
                default ->
                    add(
                        "connect.fails",
                        sentence(connect.words()),
                        "The HTTP proxy does not lead to the RMI port.",
                        "");
              }
            });
  }

  private boolean isSharedWithLink(WayResult connect) {
    return List.of(Way.WEBSOCKET, Way.POST).stream()
        .map(facts::result)
        .anyMatch(
            link -> link.obstacle().isPresent() && link.obstacle().equals(connect.obstacle()));
  }

  private void link() {
    WayResult webSocket = facts.result(Way.WEBSOCKET);
    WayResult post = facts.result(Way.POST);
    if (webSocket.isWorking()) {
      found.add(
          Finding.good(
              "gateway.open",
              "The gateway answers, within " + millis(webSocket) + ": " + after(webSocket) + ".",
              "TLS, login and the upgrade to WebSocket work."));
    } else if (webSocket.obstacle().isPresent()) {
      if (post.isWorking()) {
        noUpgrade(webSocket);
      } else {
        broken(webSocket);
      }
    }
    if (post.obstacle().isPresent() && webSocket.isWorking()) {
      found.add(
          Finding.note(
              "gateway.no-post",
              sentence(post.words()),
              "POST, the fallback where an upgrade to WebSocket is refused, is not available."
                  + " WebSocket works here, so POST is not needed.",
              "Is post.enabled: true in rmigate.yaml?"));
    }
  }

  private void noUpgrade(WayResult webSocket) {
    boolean allowed = facts.options().config().ways().inOrder().contains(Way.POST);
    String meaning =
        "A device between here and the gateway (an HTTP proxy that inspects TLS, a load balancer,"
            + " the web server in front) does not forward the upgrade to WebSocket. POST works,"
            + " with the same calls, callbacks and references.";
    String toHaveIt =
        " To use WebSocket, let that device forward the headers Upgrade and Connection (nginx:"
            + " proxy_http_version 1.1, proxy_set_header Upgrade $http_upgrade, proxy_set_header"
            + " Connection upgrade).";
    found.add(
        allowed
            ? Finding.note(
                "gateway.upgrade-refused",
                sentence(webSocket.words()),
                meaning,
                "Nothing to do: the client uses POST by itself. way=post saves the attempt."
                    + toHaveIt)
            : Finding.warning(
                "gateway.upgrade-refused",
                sentence(webSocket.words()),
                meaning,
                "Add post to way=." + toHaveIt));
  }

  private static final String LOGIN =
      "The HTTP proxy requires a login. (The login at the gateway is another one.)";
  private static final String SET_LOGIN =
      "Set proxy-user=NAME and proxy-password-file=FILE, whose first line is the password; for"
          + " NTLM the name is DOMAIN\\user. For Negotiate a ticket of Kerberos is enough (kinit)."
          + " Then run this command again.";
  private static final String WHICH_PROXY =
      "Is it the right HTTP proxy? proxy=host:port or pac=URL names another one; proxy=none uses"
          + " none.";

  private void broken(WayResult link) {
    String seen = sentence(link.words());
    switch (link.obstacle().orElseThrow()) {
      case PROXY_LOGIN -> problem("proxy.login", seen, LOGIN, SET_LOGIN);
      case PROXY_UNREACHABLE ->
          problem(
              "proxy.unreachable",
              seen,
              "The HTTP proxy that is configured does not answer.",
              WHICH_PROXY);
      case PROXY_REFUSES ->
          problem(
              "proxy.refuses-gateway",
              seen,
              "The HTTP proxy answers, and refuses to connect to the gateway.",
              "Most HTTP proxies allow port 443 only: put the gateway there. Or ask the"
                  + " administrator of the proxy to allow its host and port.");
      case PORTAL ->
          problem(
              "portal",
              seen,
              "This network requires a login on a web page before it forwards anything (a captive"
                  + " portal).",
              "Open any page in a browser, log in, and run this command again.");
      case UNTRUSTED ->
          problem(
              "tls.untrusted",
              seen,
              "Either a device on the way inspects TLS and presents a certificate of its own (an"
                  + " HTTP proxy, a virus scanner, a captive portal), or the gateway's certificate"
                  + " comes from an authority that this JVM does not trust. The name of the issuer"
                  + " tells which.",
              "If the issuer is your company's authority, or the gateway's own: get its"
                  + " certificate as a PEM file and set truststore=FILE. If you do not know the"
                  + " issuer, ask the administrator of this network, and send no password until"
                  + " then. No password was sent so far.");
      case OTHER_NAME ->
          problem(
              "tls.name",
              seen,
              "The certificate is trusted, but it is not for the host name in the gateway's URL.",
              "Use the name of the certificate in the gateway's URL, or get a certificate for "
                  + Authority.required(facts.options().config().gateways().get(0)).host()
                  + " (subject alternative name).");
      case TLS ->
          problem(
              "tls.fails",
              seen,
              "The program at that address does not complete the TLS" + " handshake.",
              "");
      case GATEWAY_LOGIN ->
          problem(
              "gateway.login",
              seen,
              "The gateway answers, and refuses this login.",
              "user= and password-file=, token-file= or keystore= configure the login. The"
                  + " gateway's log has the reason of the refusal.");
      case GATEWAY_UNAVAILABLE ->
          problem(
              "gateway.unavailable",
              seen,
              "A server in front of the gateway answers that the gateway is unavailable.",
              "Is the gateway running, and is the server in front of it configured with its"
                  + " address?");
      case NAME_UNKNOWN ->
          problem(
              "gateway.name-unknown",
              seen,
              "The gateway's name has no address here.",
              "Check the name. If this network needs an HTTP proxy, configure it: proxy=host:port"
                  + " or pac=URL.");
      case REFUSED, UNREACHABLE ->
          problem(
              "gateway.refused",
              seen,
              "No program listens there, or a firewall rejects the connection.",
              "Is the gateway running, and is its port right? If this network needs an HTTP proxy,"
                  + " configure it: proxy=host:port or pac=URL.");
      case SILENCE ->
          problem(
              "gateway.silent",
              seen,
              "A firewall drops the packets without an answer, or the machine is down.",
              "If this network needs an HTTP proxy, configure it: proxy=host:port or pac=URL."
                  + " Otherwise open "
                  + gatewayAuthority()
                  + " in the firewall.");
      case SLOW ->
          problem(
              "gateway.slow",
              seen,
              "A server accepts the connection and then does not answer in time: the line is slow,"
                  + " the gateway is busy, or a device on the way holds back protocols that it does"
                  + " not know.",
              "--step 30s waits longer. If that does not help: is the URL the gateway's?");
      case UPGRADE_REFUSED ->
          problem(
              "gateway.upgrade-refused",
              seen,
              "The upgrade to WebSocket is refused, and POST does not come through either: "
                  + sentence(facts.result(Way.POST).words()),
              "Does the device in front of the gateway forward the header Upgrade? Is the URL that"
                  + " of the gateway's context path, such as https://host/rmigate?");
      case NO_GATEWAY ->
          problem(
              "gateway.foreign",
              seen,
              "The server at that address is no rmigate gateway.",
              "Is the URL that of the gateway's context path, such as https://host/rmigate?");
      default ->
          problem(
              "gateway.fails",
              seen,
              "The gateway cannot be reached.",
              facts.result(Way.POST).obstacle().isPresent()
                      && !facts.result(Way.POST).words().equals(link.words())
                  ? "POST fails, too: " + sentence(facts.result(Way.POST).words())
                  : "");
    }
  }

  private void problem(String code, String seen, String meaning, String advice) {
    found.add(Finding.problem(code, seen, meaning, advice));
  }

  private String gatewayAuthority() {
    URI gateway = facts.options().config().gateways().get(0);
    int otherwise = gateway.getScheme().equals("https") ? 443 : 80;
    Authority authority = Authority.required(gateway);
    return authority.host() + ":" + (authority.port() >= 0 ? authority.port() : otherwise);
  }

  private String server() {
    return facts.endpoint().map(EndpointId::toString).orElse("the server");
  }

  private static String after(WayResult result) {
    return result.words().replaceFirst("^a gateway answers: ", "");
  }

  private static String millis(WayResult result) {
    return result.took().toMillis() + " ms";
  }

  /** Messages of exceptions have no capital and no full stop; names of hosts and classes stay. */
  static String sentence(String words) {
    String text = words.strip();
    if (text.isEmpty()) {
      return text;
    }
    boolean name = text.matches("(?s)[a-z]+://.*") || text.split("[ :]", 2)[0].indexOf('.') >= 0;
    return (name ? text.charAt(0) : Character.toUpperCase(text.charAt(0)))
        + text.substring(1)
        + (text.matches("(?s).*[.?!…]") ? "" : ".");
  }
}
