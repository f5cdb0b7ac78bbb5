package io.rmigate.client.mediator;

import io.rmigate.client.callback.CallbackSettings;
import io.rmigate.client.config.ClientConfig;
import io.rmigate.client.config.LeaseMode;
import io.rmigate.protocol.coding.Compression;
import io.rmigate.protocol.tunnel.Hello;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The settings of a mediator agent.
 *
 * @param connectTimeout for a link, and for a thread that waits for one
 * @param grace how long to try to go on with the session of a link that is lost; zero: not at all
 * @param properties the agent's description of itself in its hello
 * @param compression of the links
 * @param lookups the treatment of lookups
 * @param leases the treatment of leases
 * @param callbacks the treatment of exported objects
 * @param leaseTerm empty: the agent is for its own JVM. Else it is for any number of others: for
 *     how long each of them is granted a lease; one that does not renew it is taken to be dead
 */
public record MediatorSettings(
    Duration connectTimeout,
    Duration grace,
    Map<String, String> properties,
    Compression compression,
    LookupSettings lookups,
    LeaseMode leases,
    CallbackSettings callbacks,
    Optional<Duration> leaseTerm) {

  public MediatorSettings {
    properties = Map.copyOf(properties);
  }

  /** Lookups and leases are mediated; sessions end with their links, and nothing is exported. */
  public static MediatorSettings of(
      Duration connectTimeout, Map<String, String> properties, Compression compression) {
    return new MediatorSettings(
        connectTimeout,
        Duration.ZERO,
        properties,
        compression,
        LookupSettings.DEFAULTS,
        LeaseMode.ON,
        CallbackSettings.OFF,
        Optional.empty());
  }

  /** The settings that the configuration gives, for the JVM that the agent is in. */
  public static MediatorSettings from(ClientConfig config, Map<String, String> properties) {
    return new MediatorSettings(
        config.connectTimeout(),
        config.grace(),
        properties,
        config.compression(),
        new LookupSettings(config.lookups(), config.uncached(), config.preload()),
        config.leases(),
        new CallbackSettings(
            config.exports(),
            config.callbackHost(),
            config.callbacksHostname(),
            config.callsOwnStubsDirectly()),
        Optional.empty());
  }

  /**
   * The properties of the agent's hello: its description of itself, and the names to look up in
   * advance.
   */
  Map<String, String> helloProperties() {
    Map<String, String> all = new HashMap<>(properties);
    if (lookups.cached() && !lookups.preload().isEmpty()) {
      all.put(Hello.PRELOAD, String.join("|", lookups.preload()));
    }
    return Map.copyOf(all);
  }

  /** These settings with another grace. */
  public MediatorSettings withGrace(Duration other) {
    return new MediatorSettings(
        connectTimeout, other, properties, compression, lookups, leases, callbacks, leaseTerm);
  }

  /** These settings with other lookups and leases. */
  public MediatorSettings mediating(LookupSettings otherLookups, LeaseMode otherLeases) {
    return new MediatorSettings(
        connectTimeout,
        grace,
        properties,
        compression,
        otherLookups,
        otherLeases,
        callbacks,
        leaseTerm);
  }

  /** These settings with other callbacks. */
  public MediatorSettings withCallbacks(CallbackSettings other) {
    return new MediatorSettings(
        connectTimeout, grace, properties, compression, lookups, leases, other, leaseTerm);
  }

  /** These settings for other JVMs, whose objects are not exported here. */
  public MediatorSettings forOthers(Duration term) {
    return new MediatorSettings(
        connectTimeout,
        grace,
        properties,
        compression,
        lookups,
        leases,
        CallbackSettings.OFF,
        Optional.of(term));
  }
}
