package io.rmigate.gateway.config;

import io.rmigate.gateway.callback.CallbackSettings;
import io.rmigate.gateway.callback.InnerPeers;
import io.rmigate.gateway.callback.port.PortRange;
import io.rmigate.gateway.config.ConfigNode.Entry;
import io.rmigate.gateway.config.ConfigNode.Mapping;
import io.rmigate.gateway.config.ConfigNode.Scalar;
import io.rmigate.gateway.config.ConfigNode.Sequence;
import io.rmigate.gateway.relay.address.OwnAddresses;
import io.rmigate.protocol.AddressLiteral;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads {@code callbacks}. One use, one thread. */
final class CallbacksReader {
  private static final Logger log = LoggerFactory.getLogger(CallbacksReader.class);

  private final ConfigValues values;

  CallbacksReader(ConfigValues values) {
    this.values = values;
  }

  /** Empty: there are none. */
  Optional<CallbackSettings> callbacks() {
    Optional<Entry> section = values.section("callbacks");
    if (section.isEmpty()) {
      return Optional.empty();
    }
    String origin = section.get().keyOrigin();
    Optional<InetAddress> address =
        values.required(ConfigKey.CALLBACKS_ADDRESS, origin).flatMap(this::innerAddress);
    String host =
        values
            .given(ConfigKey.CALLBACKS_HOST)
            .map(this::innerHost)
            .orElseGet(() -> address.map(InetAddress::getHostAddress).orElse(""));
    Mapping entries = section.get().value() instanceof Mapping all ? all : Mapping.at(origin);
    ConfigKey from = ConfigKey.CALLBACKS_FROM;
    List<String> peers = values.list(values.root(), from, from.path(), true);
    if (!values.isGiven(from)) {
      values.problem(origin, from.path(), "required; allowed: " + from.allowed().text());
    }
    CallbackSettings settings =
        new CallbackSettings(
            address.orElse(InetAddress.getLoopbackAddress()),
            host,
            new CallbackSettings.ListenerPorts(
                innerPorts(), values.duration(ConfigKey.CALLBACKS_QUARANTINE)),
            InnerPeers.of(peers),
            allowances(entries, origin),
            new CallbackSettings.ConnectionLimits(
                values.count(ConfigKey.CALLBACKS_MAX_CONNECTIONS),
                values.count(ConfigKey.CALLBACKS_MAX_CONNECTIONS_IN_ALL)),
            values.duration(ConfigKey.CALLBACKS_LEASE));
    if (settings.ports().quarantine().compareTo(settings.lease()) <= 0) {
      log.warn(
          "callbacks.quarantine is {}, no longer than callbacks.lease of {}: servers may still have"
              + " stubs of a freed port when another session gets that port",
          Units.text(settings.ports().quarantine()),
          Units.text(settings.lease()));
    }
    return Optional.of(settings);
  }

  private Optional<InetAddress> innerAddress(Scalar value) {
    String text = value.text().replaceAll("^\\[(.*)]$", "$1");
    Optional<InetAddress> address =
        AddressLiteral.parse(text)
            .filter(one -> !one.isAnyLocalAddress() && !one.isMulticastAddress());
    if (address.isEmpty()) {
      values.notAllowed(ConfigKey.CALLBACKS_ADDRESS, value, "is not valid");
    }
    address.filter(one -> !OwnAddresses.has(one)).ifPresent(one -> doubt(value, one));
    return address;
  }

  private void doubt(Scalar value, InetAddress address) {
    values.doubt(
        value.origin(),
        ConfigKey.CALLBACKS_ADDRESS.path(),
        address.getHostAddress()
            + " is not an address of this machine, so the gateway cannot listen there; use one of: "
            + OwnAddresses.all().stream()
                .map(InetAddress::getHostAddress)
                .collect(Collectors.joining(", ")));
  }

  private String innerHost(Scalar value) {
    if (!ConfigValues.HOST.matcher(value.text()).matches()) {
      values.notAllowed(ConfigKey.CALLBACKS_HOST, value, "is not a host");
    }
    return value.text();
  }

  private PortRange innerPorts() {
    Scalar value = values.scalar(ConfigKey.CALLBACKS_PORTS);
    if (value.text().equals("0")) {
      return PortRange.ANY;
    }
    Optional<PortRange> range = PortRange.parse(value.text());
    if (range.isEmpty()) {
      values.notAllowed(ConfigKey.CALLBACKS_PORTS, value, "is not a valid value");
    }
    return range.orElse(PortRange.ANY);
  }

  private List<CallbackSettings.Allowance> allowances(Mapping callbacks, String origin) {
    List<CallbackSettings.Allowance> allowances = new ArrayList<>();
    Entry entry = callbacks.entries().get("allow");
    if (entry != null && entry.value() instanceof Sequence list && !list.items().isEmpty()) {
      values.items(
          callbacks,
          "callbacks.",
          "allow",
          "principals",
          "",
          (item, path) -> allowances.add(allowance(item, path)));
    } else {
      values.problem(
          entry == null ? origin : entry.keyOrigin(),
          "callbacks.allow",
          "no principal may export objects; add a list of entries with principals");
    }
    return allowances;
  }

  private CallbackSettings.Allowance allowance(Mapping item, String path) {
    ConfigKey who = ConfigKey.CALLBACKS_ALLOW_PRINCIPALS;
    List<String> principals = values.list(item, who, path + ".principals", false);
    ConfigKey explicit = ConfigKey.CALLBACKS_ALLOW_EXPLICIT;
    List<PortRange> ports =
        item.entries().containsKey(explicit.lastName())
            ? values.list(item, explicit, path + "." + explicit.lastName(), true).stream()
                .flatMap(text -> PortRange.parse(text).stream())
                .toList()
            : List.of();
    return new CallbackSettings.Allowance(
        new LinkedHashSet<>(principals), maxPorts(item, path), ports);
  }

  private int maxPorts(Mapping item, String path) {
    ConfigKey key = ConfigKey.CALLBACKS_ALLOW_MAX_PORTS;
    Entry entry = item.entries().get(key.lastName());
    if (entry == null) {
      return CallbackSettings.MAX_PORTS;
    }
    if (entry.value() instanceof Scalar value && value.text().matches("\\d{1,9}")) {
      int count = Integer.parseInt(value.text());
      if (count >= key.allowed().min() && count <= key.allowed().max()) {
        return count;
      }
    }
    values.problem(
        entry.value().origin(),
        path + "." + key.lastName(),
        entry.value().kind() + " is not valid; allowed: " + key.allowed().text());
    return CallbackSettings.MAX_PORTS;
  }
}
