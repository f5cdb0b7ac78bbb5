package io.rmigate.gateway.config;

import io.rmigate.gateway.config.ConfigNode.Entry;
import io.rmigate.gateway.config.ConfigNode.Mapping;
import io.rmigate.gateway.config.ConfigNode.Nothing;
import io.rmigate.gateway.config.ConfigNode.Scalar;
import io.rmigate.gateway.route.EndpointMapping;
import io.rmigate.gateway.route.RawGrant;
import io.rmigate.gateway.route.TargetGrant;
import io.rmigate.protocol.jrmp.message.RegistryOperation;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Reads what can be reached: {@code targets}, {@code raw} and {@code map}. One use, one thread. */
final class TargetsReader {
  private static final String NOTHING =
      "no server can be reached; add a list of entries with principals and allow";

  private static final Pattern HOST_PATTERN =
      Pattern.compile("\\[[0-9A-Fa-f:.]+\\]|[\\p{Alnum}._*-]+");

  private final ConfigValues values;
  private final PolicyReader policy;
  private final RestraintsReader restraints;

  TargetsReader(ConfigValues values, PolicyReader policy, RestraintsReader restraints) {
    this.values = values;
    this.policy = policy;
    this.restraints = restraints;
  }

  List<TargetGrant> targets() {
    Entry entry = values.root().entries().get("targets");
    if (entry == null || entry.value() instanceof Nothing) {
      values.problem(
          entry == null ? values.root().origin() : entry.keyOrigin(), "targets", NOTHING);
      return List.of();
    }
    List<TargetGrant> grants = new ArrayList<>();
    values.items(
        values.root(),
        "",
        "targets",
        "principals and allow",
        NOTHING,
        (item, path) -> grants.add(grant(item, path)));
    return grants;
  }

  private TargetGrant grant(Mapping item, String path) {
    List<String> principals =
        values.list(item, ConfigKey.TARGETS_PRINCIPALS, path + ".principals", false);
    List<String> allow = values.list(item, ConfigKey.TARGETS_ALLOW, path + ".allow", false);
    Set<RegistryOperation> registry = EnumSet.noneOf(RegistryOperation.class);
    for (String name : values.list(item, ConfigKey.TARGETS_REGISTRY, path + ".registry", true)) {
      registry.add(RegistryOperation.valueOf(name.toUpperCase(Locale.ROOT)));
    }
    return new TargetGrant(
        new LinkedHashSet<>(principals),
        allow,
        registry,
        policy.entry(item, path),
        restraints.ofTarget(item, path),
        policy.flag(item, ConfigKey.TARGETS_EXPLAIN, path));
  }

  List<RawGrant> raw() {
    List<RawGrant> grants = new ArrayList<>();
    values.items(
        values.root(),
        "",
        "raw",
        "principals and allow",
        ConfigValues.EMPTY,
        (item, path) ->
            grants.add(
                new RawGrant(
                    new LinkedHashSet<>(
                        values.list(item, ConfigKey.RAW_PRINCIPALS, path + ".principals", false)),
                    values.list(item, ConfigKey.RAW_ALLOW, path + ".allow", false),
                    values.choice(item, ConfigKey.RAW_FIRST_BYTES, path).equals("tls"))));
    return grants;
  }

  EndpointMapping mapping() {
    List<EndpointMapping.Rule> rules = new ArrayList<>();
    values.items(
        values.root(),
        "",
        "map",
        "host",
        ConfigValues.EMPTY + " with host",
        (item, path) -> mappingRule(item, path).ifPresent(rules::add));
    return new EndpointMapping(values.flag(ConfigKey.MAP_LOOPBACK), rules);
  }

  private Optional<EndpointMapping.Rule> mappingRule(Mapping item, String path) {
    if (item.entries().get(ConfigKey.MAP_HOST.lastName()) == null) {
      values.problem(
          item.origin(),
          path + ".host",
          "required; allowed: " + ConfigKey.MAP_HOST.allowed().text());
      return Optional.empty();
    }
    Optional<String> host = host(item, ConfigKey.MAP_HOST, path, HOST_PATTERN);
    Optional<String> to =
        item.entries().get(ConfigKey.MAP_TO.lastName()) == null
            ? Optional.empty()
            : host(item, ConfigKey.MAP_TO, path, ConfigValues.HOST);
    return host.map(hosts -> new EndpointMapping.Rule(hosts, to));
  }

  /** A host of an item of a list; one that is none is reported. */
  private Optional<String> host(Mapping item, ConfigKey key, String path, Pattern allowed) {
    ConfigNode value = item.entries().get(key.lastName()).value();
    String where = path + "." + key.lastName();
    if (value instanceof Scalar scalar) {
      String text = scalar.text().strip();
      if (allowed.matcher(text).matches()) {
        return Optional.of(text);
      }
      values.problem(
          value.origin(),
          where,
          "\"" + scalar.text() + "\" is not a host; allowed: " + key.allowed().text());
    } else {
      values.problem(
          value.origin(),
          where,
          "expected one value, found " + value.kind() + "; allowed: " + key.allowed().text());
    }
    return Optional.empty();
  }
}
