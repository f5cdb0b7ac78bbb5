package io.rmigate.perf.gatling;

import io.rmigate.perf.link.EmulatedLink;
import io.rmigate.perf.link.LinkProfile;
import io.rmigate.perf.ways.Way;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * A network between client and server.
 *
 * @param passing the ways that are expected to get through
 * @param refused the ways that are expected not to, each call of which must fail, and soon; those
 *     in neither have nothing to try there
 */
record Scenario(
    String name,
    String description,
    Set<Way> passing,
    Set<Way> refused,
    Layout layout,
    Users users) {

  /**
   * The users that a scenario allows.
   *
   * @param pause of each user between its lookup and its calls
   * @param most users at a time: more would only wait for the line
   * @param mostArrivals users that begin each second: more would not get over the line
   */
  record Users(Duration pause, int most, double mostArrivals) {
    static Users unlimited(Duration pause) {
      return new Users(pause, Integer.MAX_VALUE, Double.MAX_VALUE);
    }

    /** The levels, each limited to these users. */
    List<Level> levels(List<Level> wanted) {
      return wanted.stream()
          .map(
              level ->
                  new Level(
                      level.model(),
                      level.model() == Level.Model.CLOSED
                          ? Math.min(level.users(), most)
                          : Math.min(level.users(), mostArrivals)))
          .distinct()
          .toList();
    }
  }

  /** Sets the boxes up. */
  interface Layout {
    ClientNetwork lay(Boxes boxes) throws IOException;
  }

  private static final Set<Way> ALL =
      EnumSet.of(Way.DIRECT, Way.CONNECT, Way.WEBSOCKET, Way.POST, Way.AUTO, Way.SOAP, Way.JSON);
  private static final Set<Way> TO_GATEWAY =
      EnumSet.of(Way.WEBSOCKET, Way.POST, Way.AUTO, Way.SOAP, Way.JSON);
  private static final Set<Way> REQUESTS = EnumSet.of(Way.POST, Way.AUTO, Way.SOAP, Way.JSON);
  private static final Set<Way> ONLY_CONNECT = EnumSet.of(Way.CONNECT, Way.AUTO);
  private static final Set<Way> NONE = EnumSet.noneOf(Way.class);
  private static final Duration IDLE = Duration.ofSeconds(30);

  /** Bits that a user of the largest message format needs, each way: nine SOAP calls. */
  private static final long BITS_OF_A_USER = 100_000;

  /** Share of a user, so that on the slowest link a turn of all users takes two minutes at most. */
  private static final long BITS_PER_SECOND_OF_A_USER = 600;

  /** All scenarios. */
  static List<Scenario> all() {
    List<Scenario> all =
        new ArrayList<>(
            List.of(
                of(
                    "open",
                    "nothing is in the way; connect goes through an HTTP proxy",
                    ALL,
                    NONE,
                    boxes -> {
                      int proxy = boxes.proxy(Optional.empty());
                      int gateway = boxes.site().gatewayPort();
                      return outside(ClientNetwork.INSIDE, gateway, Optional.of(proxy));
                    }),
                of(
                    "reject",
                    "a firewall rejects what goes to the server; the gateway can be reached",
                    TO_GATEWAY,
                    EnumSet.of(Way.DIRECT),
                    boxes ->
                        outside(ClientNetwork.EDGE, boxes.site().gatewayPort(), Optional.empty())),
                of(
                    "drop",
                    "a firewall drops what goes to the server; the gateway can be reached",
                    TO_GATEWAY,
                    EnumSet.of(Way.DIRECT),
                    boxes -> {
                      boxes.silence();
                      return outside(
                          ClientNetwork.EDGE, boxes.site().gatewayPort(), Optional.empty());
                    }),
                of(
                    "proxy-basic",
                    "nothing but an HTTP proxy can be reached, which demands Basic",
                    EnumSet.complementOf(EnumSet.of(Way.DIRECT, Way.SERVLET)),
                    EnumSet.of(Way.DIRECT),
                    Scenario::behindProxy),
                of(
                    "no-upgrade",
                    "what is in front of the gateway passes no upgrade on",
                    REQUESTS,
                    EnumSet.of(Way.DIRECT, Way.WEBSOCKET),
                    boxes ->
                        outside(ClientNetwork.EDGE, boxes.interceptor(false), Optional.empty())),
                of(
                    "buffering",
                    "what is in front of the gateway buffers whole bodies, passes no upgrade on and"
                        + " closes each connection behind an answer",
                    REQUESTS,
                    EnumSet.of(Way.DIRECT, Way.WEBSOCKET),
                    boxes ->
                        outside(ClientNetwork.EDGE, boxes.interceptor(true), Optional.empty())),
                new Scenario(
                    "idle-cut",
                    "connections are cut after 30 s of silence; users are silent for 35 s",
                    ALL,
                    NONE,
                    Scenario::withIdleCut,
                    Users.unlimited(IDLE.plusSeconds(5)))));
    LinkProfile.NAMED.forEach(profile -> all.add(link(profile)));
    return all;
  }

  private static Scenario of(
      String name, String description, Set<Way> passing, Set<Way> refused, Layout layout) {
    return new Scenario(
        name, description, passing, refused, layout, Users.unlimited(Duration.ZERO));
  }

  private static ClientNetwork outside(String server, int gateway, Optional<Integer> proxy) {
    return new ClientNetwork(
        server, ClientNetwork.INSIDE, gateway, proxy, Optional.empty(), ONLY_CONNECT);
  }

  private static ClientNetwork behindProxy(Boxes boxes) throws IOException {
    Optional<String> login = Optional.of("anna:" + UUID.randomUUID());
    return new ClientNetwork(
        ClientNetwork.EDGE,
        ClientNetwork.EDGE,
        boxes.site().gatewayPort(),
        Optional.of(boxes.proxy(login)),
        login,
        EnumSet.complementOf(EnumSet.of(Way.DIRECT)));
  }

  private static ClientNetwork withIdleCut(Boxes boxes) throws IOException {
    boxes.idleCutServer(IDLE);
    int proxy = boxes.idleCut(boxes.proxy(Optional.empty()), IDLE);
    int gateway = boxes.idleCut(boxes.site().gatewayPort(), IDLE);
    return outside(ClientNetwork.EDGE, gateway, Optional.of(proxy));
  }

  private static Scenario link(LinkProfile profile) {
    double slower =
        Math.min((double) profile.up().bitsPerSecond(), (double) profile.down().bitsPerSecond());
    return new Scenario(
        "link-" + profile.name(),
        "a slow link to everything: " + profile.describe(),
        ALL,
        NONE,
        boxes -> {
          EmulatedLink link = boxes.link(profile);
          int proxy = Boxes.over(link, boxes.proxy(Optional.empty()));
          int gateway = Boxes.over(link, boxes.site().gatewayPort());
          return outside(ClientNetwork.EDGE, gateway, Optional.of(proxy));
        },
        new Users(
            Duration.ZERO,
            (int) Math.min(Integer.MAX_VALUE, slower / BITS_PER_SECOND_OF_A_USER),
            slower / BITS_OF_A_USER));
  }

  /**
   * By its name.
   *
   * @throws IllegalArgumentException there is none
   */
  static Scenario named(String name) {
    return all().stream()
        .filter(scenario -> scenario.name.equals(name))
        .findFirst()
        .orElseThrow(
            () -> new IllegalArgumentException("no scenario \"" + name + "\"; see --list"));
  }
}
