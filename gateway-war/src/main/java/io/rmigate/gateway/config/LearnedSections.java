package io.rmigate.gateway.config;

import io.rmigate.gateway.callback.CallbackSettings;
import io.rmigate.gateway.callback.CallbackSettings.Allowance;
import io.rmigate.gateway.callback.port.PortRange;
import io.rmigate.gateway.login.Principal;
import io.rmigate.gateway.policy.rule.LearnedPolicy;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The sections of a configuration by which what mode {@code learn} has noted is permitted: {@code
 * classes} and {@code targets}, and {@code callbacks} where servers call objects of clients and the
 * section that is there does not permit that.
 *
 * @param yaml to be put in place of the sections of these names
 * @param gaps what stays refused
 */
public record LearnedSections(String yaml, List<LearnedPolicy.Gap> gaps) {
  private static final String MISSING_ADDRESS =
      "at which address of this machine servers reach it is not known: add a section callbacks"
          + " with address, from and allow";

  public LearnedSections {
    gaps = List.copyOf(gaps);
  }

  /**
   * The sections for what was learnt.
   *
   * @param config that they are put into; empty: they are all that there will be
   * @param address finds the address of this machine by which some of these hosts are reached
   */
  public static LearnedSections of(
      LearnedPolicy learnt,
      Optional<GatewayConfig> config,
      Function<Set<String>, Optional<InetAddress>> address) {
    Optional<CallbackSettings> there = config.flatMap(read -> read.inside().callbacks());
    Set<String> missing =
        learnt.calledBack().stream()
            .filter(principal -> !permits(there, principal, ports(learnt, principal)))
            .collect(Collectors.toCollection(TreeSet::new));
    if (missing.isEmpty()) {
      return new LearnedSections(learnt.sections(), learnt.gaps());
    }
    Optional<InetAddress> at =
        there.map(CallbackSettings::address).or(() -> address.apply(learnt.callers()));
    if (at.isEmpty()) {
      List<LearnedPolicy.Gap> gaps = new ArrayList<>(learnt.gaps());
      gaps.add(new LearnedPolicy.Gap("callbacks", missing, MISSING_ADDRESS));
      return new LearnedSections(learnt.sections(), gaps);
    }
    List<Allowance> allow = new ArrayList<>();
    missing.forEach(principal -> allow.add(allowance(there, principal, ports(learnt, principal))));
    there.ifPresent(settings -> allow.addAll(settings.allow()));
    List<String> from =
        there.isPresent()
            ? List.of(there.get().from().toString().split(", ", -1))
            : callers(at.get(), learnt.callers());
    ConfigNode.Mapping section = section(at.get(), from, allow);
    there.ifPresent(settings -> putOthers(section, settings));
    ConfigNode.Mapping root = ConfigNode.Mapping.at("learned");
    root.put("callbacks", section);
    return new LearnedSections(ConfigText.of(root) + learnt.sections(), learnt.gaps());
  }

  private static Set<Integer> ports(LearnedPolicy learnt, String principal) {
    return learnt.callbacks().getOrDefault(principal, Set.of());
  }

  private static boolean permits(
      Optional<CallbackSettings> there, String principal, Set<Integer> ports) {
    return allowance(there, principal)
        .filter(allowance -> ports.stream().allMatch(allowance::allows))
        .isPresent();
  }

  private static Optional<Allowance> allowance(Optional<CallbackSettings> there, String principal) {
    Principal who = new Principal(principal, Principal.Scheme.CONTAINER);
    return there.flatMap(settings -> settings.allowance(who));
  }

  /** The current allowance of a principal, extended by these ports. */
  private static Allowance allowance(
      Optional<CallbackSettings> there, String principal, Set<Integer> ports) {
    Optional<Allowance> now = allowance(there, principal);
    Set<PortRange> explicit = new LinkedHashSet<>();
    now.ifPresent(allowance -> explicit.addAll(allowance.explicit()));
    new TreeSet<>(ports).forEach(port -> explicit.add(new PortRange(port, port)));
    return new Allowance(
        Set.of(principal),
        now.map(Allowance::maxPorts).orElse(CallbackSettings.MAX_PORTS),
        List.copyOf(explicit));
  }

  private static List<String> callers(InetAddress address, Set<String> hosts) {
    if (address.isLoopbackAddress()) {
      return List.of(address.getAddress().length == 4 ? "127.*" : "::1");
    }
    return List.copyOf(new TreeSet<>(hosts));
  }

  private static ConfigNode.Mapping section(
      InetAddress address, List<String> from, List<Allowance> allow) {
    ConfigNode.Mapping section = ConfigNode.Mapping.at("learned");
    put(section, ConfigKey.CALLBACKS_ADDRESS, address.getHostAddress());
    section.put("from", list(from));
    List<ConfigNode> entries = new ArrayList<>();
    for (Allowance one : allow) {
      ConfigNode.Mapping entry = ConfigNode.Mapping.at("learned");
      entry.put("principals", list(List.copyOf(new TreeSet<>(one.principals()))));
      if (one.maxPorts() != CallbackSettings.MAX_PORTS) {
        put(entry, ConfigKey.CALLBACKS_ALLOW_MAX_PORTS, Integer.toString(one.maxPorts()));
      }
      if (!one.explicit().isEmpty()) {
        entry.put("explicit", list(one.explicit().stream().map(PortRange::toString).toList()));
      }
      entries.add(entry);
    }
    section.put("allow", new ConfigNode.Sequence("learned", entries));
    return section;
  }

  private static void putOthers(ConfigNode.Mapping section, CallbackSettings there) {
    TreeMap<ConfigKey, String> others = new TreeMap<>();
    others.put(
        ConfigKey.CALLBACKS_MAX_CONNECTIONS, Integer.toString(there.connections().ofSession()));
    others.put(
        ConfigKey.CALLBACKS_MAX_CONNECTIONS_IN_ALL, Integer.toString(there.connections().inAll()));
    others.put(ConfigKey.CALLBACKS_QUARANTINE, Units.text(there.ports().quarantine()));
    others.put(ConfigKey.CALLBACKS_LEASE, Units.text(there.lease()));
    if (!there.host().equals(there.address().getHostAddress())) {
      others.put(ConfigKey.CALLBACKS_HOST, there.host());
    }
    if (!there.ports().range().equals(PortRange.ANY)) {
      others.put(ConfigKey.CALLBACKS_PORTS, there.ports().range().toString());
    }
    others.forEach(
        (key, text) -> {
          if (!text.equals(key.defaultText())) {
            put(section, key, text);
          }
        });
  }

  private static void put(ConfigNode.Mapping to, ConfigKey key, String text) {
    to.put(key.lastName(), new ConfigNode.Scalar("learned", text));
  }

  private static ConfigNode.Sequence list(List<String> texts) {
    List<ConfigNode> items = new ArrayList<>();
    texts.forEach(text -> items.add(new ConfigNode.Scalar("learned", text)));
    return new ConfigNode.Sequence("learned", items);
  }
}
