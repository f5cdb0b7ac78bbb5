package io.rmigate.client.program.doctor;

import io.rmigate.client.config.ConfigKey;
import io.rmigate.client.config.Way;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.message.StubView;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The recommendation: the way to use, and the lines to write, each for its place. It holds no
 * password: a password within a URL is left out.
 *
 * @param way the best one that leads there; empty if none does
 * @param words why, in a sentence
 * @param pastes the lines to copy
 */
record Recommendation(Optional<Way> way, String words, List<Paste> pastes) {

  /**
   * Lines for a place.
   *
   * @param code for scripts
   * @param title for people
   */
  record Paste(String code, String title, String text) {}

  Recommendation {
    pastes = List.copyOf(pastes);
  }

  static Recommendation of(Observations facts) {
    List<Way> leading = facts.leading();
    Optional<Way> best = leading.stream().findFirst();
    Optional<Way> configured = facts.configured();
    List<Paste> pastes = new ArrayList<>();
    if (best.isPresent()) {
      // Past a gateway that only has to permit it is no advice.
      boolean within = configured.isPresent() || isPolicy(facts);
      Way taken = configured.orElse(within ? Way.WEBSOCKET : best.get());
      Map<String, String> keys = keys(facts, taken, within);
      client(facts, "The client, by an option of its JVM", keys, pastes);
    } else if (facts.options().hasGateway()) {
      Map<String, String> missing = missing(facts);
      if (!missing.isEmpty()) {
        Map<String, String> keys = keys(facts, Way.WEBSOCKET, true);
        keys.putAll(missing);
        client(facts, "The client, with your NAME and FILE, by an option of its JVM", keys, pastes);
      } else {
        needingSockets(facts)
            .map(way -> keys(facts, way, true))
            .ifPresent(keys -> client(facts, "The client, by an option of its JVM", keys, pastes));
      }
    }
    gateway(facts, pastes);
    return new Recommendation(best, words(facts, leading, configured), pastes);
  }

  private static String words(Observations facts, List<Way> leading, Optional<Way> configured) {
    if (leading.isEmpty()) {
      return "No way leads there. The findings above say what to do first.";
    }
    Way best = leading.get(0);
    if (!facts.options().hasGateway()) {
      return best == Way.DIRECT
          ? isRegistryAlone(facts)
              ? "Plain RMI reaches the registry from here. To test an object, add one of the"
                  + " registry's names to the URL."
              : "Plain RMI works from here. There is nothing to configure."
          : "CONNECT through the HTTP proxy leads there.";
    }
    if (configured.isEmpty() && isPolicy(facts)) {
      return "Through the gateway, as soon as its rmigate.yaml permits it: see above. Without the"
          + " gateway, by "
          + names(leading)
          + ", it works from here.";
    }
    if (configured.isEmpty()) {
      return "By "
          + names(leading)
          + " it works, but way="
          + facts.options().config().ways()
          + " does not allow that.";
    }
    Way taken = configured.get();
    return best == taken
        ? "By " + taken.text() + ", which the configuration uses."
        : "By "
            + best.text()
            + ", the way with the least cost. The configuration (way="
            + facts.options().config().ways()
            + ") uses "
            + taken.text()
            + ", which works, too: calls then go through the gateway, with its policy and its"
            + " callbacks. way=auto uses the best way that works.";
  }

  /** Whether nothing but the gateway's configuration is in the way of what the client takes. */
  private static boolean isPolicy(Observations facts) {
    return facts.visits().stream()
        .filter(visit -> visit.way().isLink())
        .flatMap(visit -> Stream.concat(visit.registry().stream(), visit.object().stream()))
        .flatMap(step -> step.obstacle().stream())
        .anyMatch(Obstacle::isPolicy);
  }

  /** Objects have ports of their own, to which the doctor has not connected. */
  private static boolean isRegistryAlone(Observations facts) {
    return facts
        .options()
        .target()
        .filter(target -> target instanceof Target.Bound bound && bound.name().isEmpty())
        .isPresent();
  }

  private static String names(List<Way> ways) {
    return ways.stream().map(Way::text).collect(Collectors.joining(" or "));
  }

  /** The configuration keys that the way to the gateway lacks. */
  private static Map<String, String> missing(Observations facts) {
    return facts
        .result(Way.WEBSOCKET)
        .obstacle()
        .map(
            obstacle ->
                switch (obstacle) {
                  case PROXY_LOGIN -> keys(ConfigKey.PROXY_USER, ConfigKey.PROXY_PASSWORD_FILE);
                  case GATEWAY_LOGIN -> keys(ConfigKey.USER, ConfigKey.PASSWORD_FILE);
                  case UNTRUSTED -> Map.of(ConfigKey.TRUSTSTORE.key(), "FILE");
                  default -> Map.<String, String>of();
                })
        .orElse(Map.of());
  }

  /** The way that would lead to the stub's object if its sockets were carried. */
  private static Optional<Way> needingSockets(Observations facts) {
    return facts.visits().stream()
        .filter(ServerProbe::isHelpedBySockets)
        .map(ServerProbe::way)
        .findFirst();
  }

  private static Map<String, String> keys(ConfigKey name, ConfigKey file) {
    Map<String, String> keys = new LinkedHashMap<>();
    keys.put(name.key(), "NAME");
    keys.put(file.key(), "FILE");
    return keys;
  }

  private static void client(
      Observations facts, String title, Map<String, String> keys, List<Paste> pastes) {
    if (!facts.options().hasGateway()) {
      return;
    }
    String gateway = facts.options().config().gatewayList();
    String arguments =
        gateway
            + keys.entrySet().stream()
                .map(key -> "," + key.getKey() + "=" + key.getValue())
                .collect(Collectors.joining());
    if (keys.values().stream().noneMatch(value -> value.contains(","))) {
      pastes.add(new Paste("javaagent", title, "-javaagent:rmigate-client.jar=" + arguments));
    }
    pastes.add(
        new Paste(
            "system-properties",
            "The same as system properties",
            "-Drmigate.gateway="
                + gateway
                + keys.entrySet().stream()
                    .map(key -> "\n-Drmigate." + key.getKey() + "=" + key.getValue())
                    .collect(Collectors.joining())));
  }

  private static Map<String, String> keys(Observations facts, Way way, boolean allowed) {
    Map<String, String> keys = new LinkedHashMap<>();
    facts.endpoint().ifPresent(endpoint -> keys.put("tunnel", pattern(endpoint.host()) + ":*"));
    for (ConfigKey key : ConfigKey.values()) {
      String value = facts.options().given().get(key);
      if (value != null && key != ConfigKey.GATEWAY) {
        keys.put(key.key(), key == ConfigKey.PROXY ? withoutLogin(value) : value);
      }
    }
    if (!allowed) {
      keys.put("way", way.text());
    }
    facts
        .stub()
        .filter(stub -> stub.factory().isPresent() && way.isLink())
        .filter(stub -> needingSockets(facts).isPresent())
        .ifPresent(stub -> keys.putIfAbsent("sockets", endpoint(stub)));
    return keys;
  }

  private static String endpoint(StubView stub) {
    return pattern(stub.reference().host()) + ":" + stub.reference().port();
  }

  private static String pattern(String host) {
    return host.indexOf(':') >= 0 ? "[" + host + "]" : host;
  }

  private static String withoutLogin(String proxy) {
    return proxy.replaceFirst("^((?:[a-z]+://)?)[^/]*@", "$1");
  }

  private static void gateway(Observations facts, List<Paste> pastes) {
    String principal = principal(facts);
    StringBuilder yaml = new StringBuilder();
    for (ServerProbe visit : facts.visits()) {
      boolean registry =
          visit.registry().flatMap(ServerProbe.Step::obstacle).equals(Optional.of(Obstacle.POLICY));
      boolean object =
          visit.object().flatMap(ServerProbe.Step::obstacle).equals(Optional.of(Obstacle.POLICY));
      if (registry || object) {
        EndpointId endpoint =
            registry
                ? facts.endpoint().orElseThrow()
                : Observations.endpoint(visit.stub().orElseThrow());
        yaml.append(entry("targets", principal, endpoint));
      }
    }
    facts
        .stub()
        .filter(stub -> isRawMissing(facts))
        .ifPresent(stub -> yaml.append(entry("raw", principal, Observations.endpoint(stub))));
    StubFindings.replyRefused(facts).ifPresent(visit -> yaml.append(replies(facts, principal)));
    if (yaml.length() > 0) {
      pastes.add(
          new Paste(
              "rmigate.yaml", "The gateway, in its rmigate.yaml", yaml.toString().stripTrailing()));
    }
  }

  /** The lines of the gateway's configuration that let the registry's answer pass. */
  private static String replies(Observations facts, String principal) {
    if (StubFindings.isManagement(facts)) {
      return entry("targets", principal, facts.endpoint().orElseThrow())
          + "    jmx: true"
          + System.lineSeparator();
    }
    return "classes:" + System.lineSeparator() + "  interfaces: DIRECTORY" + System.lineSeparator();
  }

  /** The principal for which the gateway takes this client, as far as that is known here. */
  private static String principal(Observations facts) {
    var config = facts.options().config();
    return Optional.ofNullable(facts.options().given().get(ConfigKey.USER))
        .orElse(
            config.login().isPresent() || config.tls().keystore().isPresent()
                ? "NAME"
                : "anonymous");
  }

  private static boolean isRawMissing(Observations facts) {
    return facts.visits().stream()
        .filter(visit -> visit.way().isLink())
        .flatMap(visit -> visit.object().stream())
        .anyMatch(step -> step.obstacle().equals(Optional.of(Obstacle.POLICY_RAW)));
  }

  private static String entry(String section, String principal, EndpointId endpoint) {
    return String.format(
        Locale.ROOT,
        "%s:%n  - principals: ['%s']%n    allow: ['%s:%d']%n",
        section,
        principal,
        pattern(endpoint.host()),
        endpoint.port());
  }
}
