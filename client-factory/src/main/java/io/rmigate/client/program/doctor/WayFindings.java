package io.rmigate.client.program.doctor;

import io.rmigate.client.config.Authority;
import io.rmigate.client.config.Way;
import io.rmigate.protocol.jrmp.EndpointId;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What stands between here and the server, and between here and the gateway. */
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
              "No firewall is in the way of this port. Whether its objects can be called, too, is"
                  + " said of the stub."));
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
              "If it has to (callbacks, listeners), go through the gateway and set callbacks: in"
                  + " its rmigate.yaml."));
    }
  }

  private void direct(WayResult direct, Obstacle obstacle) {
    String seen = sentence(direct.words());
    Optional<Way> other = facts.registryReachedBy(Way.DIRECT);
    String there =
        other.map(way -> "The server is up, for it answers by " + way.text() + ": ").orElse("");
    switch (obstacle) {
      case REFUSED ->
          add(
              other.isPresent() ? "firewall.rejects" : "direct.refused",
              seen,
              other.isPresent()
                  ? there
                      + "a firewall on the way rejects the connection (with a reset). Plain RMI"
                      + " fails at once, with java.rmi.ConnectException."
                  : "Nobody listens at that port, or a firewall answers in its place (with a"
                      + " reset). From here the two look the same.",
              other.isPresent() ? opening() : "Is " + server() + " right? " + opening());
      case UNREACHABLE ->
          add(
              "firewall.rejects",
              seen,
              there
                  + (there.isEmpty() ? "A" : "a")
                  + " router or firewall on the way answers that it does not pass this on"
                  + " (ICMP). Plain RMI fails at once, with java.rmi.ConnectIOException or"
                  + " NoRouteToHostException.",
              opening());
      case SILENCE ->
          add(
              "firewall.drops",
              seen,
              (other.isPresent()
                      ? there + "a firewall on the way drops the packets without a word. "
                      : "A firewall drops the packets without a word, or the machine is down. ")
                  + "Plain RMI hangs here for as long as the operating system tries, minutes for"
                  + " each connection; the fall-back to HTTP that old JDKs had never noticed.",
              opening());
      case NAME_UNKNOWN -> nameUnknown(seen);
      case NOT_RMI ->
          add(
              "direct.not-rmi",
              seen,
              "Something listens there that is no RMI server: another service, a load balancer, or"
                  + " a transparent proxy that accepts every connection.",
              "Is " + server() + " the registry's port?");
      default -> add("direct.fails", seen, "The connection does not come about.", opening());
    }
  }

  /** No obstacle for ways on which names are resolved at the far end. */
  private void nameUnknown(String seen) {
    String code = "direct.name-unknown";
    String meaning =
        "The name has no address here. If it has one inside, that is all that is needed: through"
            + " the gateway, and through an HTTP proxy, names are resolved at the far end.";
    found.add(
        facts.options().hasGateway() || facts.works(Way.CONNECT)
            ? Finding.note(code, seen, meaning, "")
            : Finding.problem(
                code, seen, meaning, "Is the name right? Does it have an address inside?"));
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
      return "Nothing, as long as calls go through the gateway.";
    }
    if (facts.works(Way.WEBSOCKET) || facts.works(Way.POST)) {
      return "See what is said of the gateway, through which this port need not be open.";
    }
    String ports =
        "Have the ports of the registry and of the objects opened, or go through an rmigate"
            + " gateway: one HTTPS port is enough";
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
              "The HTTP proxy lets CONNECT through to the RMI port (HTTP-to-port, as the JDK once"
                  + " called it). Callbacks do not come that way."));
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
                        "The HTTP proxy does not let CONNECT through to that port; most let 443"
                            + " through and nothing else.",
                        facts.works(Way.WEBSOCKET) || facts.works(Way.POST)
                            ? "Nothing, as long as calls go through the gateway."
                            : "Put an rmigate gateway on port 443, which this proxy lets through.");
                case NOT_RMI ->
                    add(
                        "proxy.answers-itself",
                        sentence(connect.words()),
                        "The HTTP proxy says yes to CONNECT and then answers in the server's place:"
                            + " it lets HTTPS through and nothing else.",
                        "");
                default ->
                    add(
                        "connect.fails",
                        sentence(connect.words()),
                        "There is no way through the HTTP proxy to the RMI port.",
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
              "Login, TLS and upgrade to WebSocket are as they should be."));
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
              "POST, which stands in where an upgrade is refused, is not to be had. WebSocket works"
                  + " here, so that nothing is lost.",
              "Is post.enabled: true in rmigate.yaml?"));
    }
  }

  private void noUpgrade(WayResult webSocket) {
    boolean allowed = facts.options().config().ways().inOrder().contains(Way.POST);
    String meaning =
        "Something between here and the gateway (an HTTP proxy that looks into TLS, a load"
            + " balancer, the web server in front) does not let the upgrade to WebSocket through."
            + " POST comes through, with the same calls, callbacks and references.";
    String toHaveIt =
        " To have WebSocket, let that box pass Upgrade and Connection on (nginx: proxy_http_version"
            + " 1.1, proxy_set_header Upgrade $http_upgrade, proxy_set_header Connection upgrade).";
    found.add(
        allowed
            ? Finding.note(
                "gateway.upgrade-refused",
                sentence(webSocket.words()),
                meaning,
                "Nothing: POST is taken by itself. way=post saves the attempt." + toHaveIt)
            : Finding.warning(
                "gateway.upgrade-refused",
                sentence(webSocket.words()),
                meaning,
                "Let way= name post." + toHaveIt));
  }

  private static final String LOGIN =
      "The HTTP proxy lets nobody through who has not logged in to it. (The login at the gateway is"
          + " another one.)";
  private static final String SET_LOGIN =
      "Set proxy-user=NAME and proxy-password-file=FILE, whose first line is the password; for NTLM"
          + " the name is DOMAIN\\user. For Negotiate a ticket of Kerberos is enough (kinit). Then"
          + " run this again.";
  private static final String WHICH_PROXY =
      "Is it the right one? proxy=host:port or pac=URL names another, proxy=none none.";

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
              "The HTTP proxy has answered, and does not lead to the gateway.",
              "Most HTTP proxies let port 443 through and nothing else: put the gateway there. Or"
                  + " ask who runs the proxy to let its host and port through.");
      case PORTAL ->
          problem(
              "portal",
              seen,
              "This network wants to be logged in to before it lets anything through (a captive"
                  + " portal).",
              "Open any page in a browser, log in, and run this again.");
      case UNTRUSTED ->
          problem(
              "tls.untrusted",
              seen,
              "Either somebody on the way opens TLS and shows a certificate of their own (an HTTP"
                  + " proxy that looks into TLS, a virus scanner, a captive portal), or the"
                  + " gateway's own certificate comes from an authority that this JVM does not"
                  + " know. The issuer's name tells which.",
              "If the issuer is your company's, or the gateway's own authority: have its"
                  + " certificate as a PEM file and set truststore=FILE. If you do not know the"
                  + " issuer, ask who runs this network, and send no password meanwhile: nothing"
                  + " was sent so far.");
      case OTHER_NAME ->
          problem(
              "tls.name",
              seen,
              "The certificate is trusted, and is not for the name in the gateway's URL.",
              "Name the gateway in the URL as its certificate does, or have a certificate made for "
                  + Authority.required(facts.options().config().gateways().get(0)).host()
                  + " (subject alternative name).");
      case TLS ->
          problem("tls.fails", seen, "There is no TLS with whoever is at that address.", "");
      case GATEWAY_LOGIN ->
          problem(
              "gateway.login",
              seen,
              "The gateway is there, and does not let this login in.",
              "user= and password-file=, token-file= or keystore= say who you are; what the gateway"
                  + " makes of it stands in its log.");
      case GATEWAY_UNAVAILABLE ->
          problem(
              "gateway.unavailable",
              seen,
              "Somebody answers for the gateway that it cannot serve now.",
              "Is the gateway up, and is the server in front of it told where it is?");
      case NAME_UNKNOWN ->
          problem(
              "gateway.name-unknown",
              seen,
              "The gateway's name has no address here.",
              "Is the name right? If this network reaches others through an HTTP proxy only, name"
                  + " it: proxy=host:port or pac=URL.");
      case REFUSED, UNREACHABLE ->
          problem(
              "gateway.refused",
              seen,
              "Nobody listens there, or a firewall rejects the connection.",
              "Is the gateway up, and is its port right? If this network reaches others through an"
                  + " HTTP proxy only, name it: proxy=host:port or pac=URL.");
      case SILENCE ->
          problem(
              "gateway.silent",
              seen,
              "A firewall drops the packets without a word, or the machine is down.",
              "If this network reaches others through an HTTP proxy only, name it: proxy=host:port"
                  + " or pac=URL. Else have "
                  + gatewayAuthority()
                  + " opened.");
      case SLOW ->
          problem(
              "gateway.slow",
              seen,
              "Somebody accepts the connection and then does not answer in time: the line is slow,"
                  + " or the gateway is busy, or a box on the way holds back what it does not"
                  + " know.",
              "--step 30s waits longer. If that does not help: is the URL the gateway's?");
      case UPGRADE_REFUSED ->
          problem(
              "gateway.upgrade-refused",
              seen,
              "The upgrade to WebSocket is refused, and POST does not come through either: "
                  + sentence(facts.result(Way.POST).words()),
              "Does the box in front of the gateway pass Upgrade on? Is the URL that of the"
                  + " gateway's context path, such as https://host/rmigate?");
      case NO_GATEWAY ->
          problem(
              "gateway.foreign",
              seen,
              "Somebody answers at that address who is no rmigate gateway.",
              "Is the URL that of the gateway's context path, such as https://host/rmigate?");
      default ->
          problem(
              "gateway.fails",
              seen,
              "There is no way to the gateway.",
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
