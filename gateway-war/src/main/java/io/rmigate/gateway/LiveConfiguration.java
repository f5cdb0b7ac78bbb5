package io.rmigate.gateway;

import io.rmigate.gateway.callback.CallbackSettings;
import io.rmigate.gateway.config.ConfigWatcher;
import io.rmigate.gateway.config.GatewayConfig;
import io.rmigate.gateway.config.Live;
import io.rmigate.gateway.edge.HostNames;
import io.rmigate.gateway.grant.GrantKeySource;
import io.rmigate.gateway.grant.GrantKeys;
import io.rmigate.gateway.grant.GrantSeal;
import io.rmigate.gateway.grant.GrantSettings;
import io.rmigate.gateway.login.KeySets;
import io.rmigate.gateway.login.Login;
import io.rmigate.gateway.login.LoginAudit;
import io.rmigate.gateway.lookup.LookupSettings;
import io.rmigate.gateway.policy.Rulebook;
import io.rmigate.gateway.policy.rule.ClassMode;
import io.rmigate.gateway.policy.rule.EntryRules;
import io.rmigate.gateway.policy.rule.LearningLog;
import io.rmigate.gateway.problem.ConfigException;
import io.rmigate.gateway.route.TargetGrant;
import io.rmigate.gateway.route.TargetPolicy;
import io.rmigate.gateway.session.CompressionPolicy;
import io.rmigate.gateway.tls.KeyStores;
import io.rmigate.gateway.tls.TlsSettings;
import java.io.IOException;
import java.time.Clock;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The parts of a gateway that follow its configuration: each reload replaces them. Immutable. */
public final class LiveConfiguration {
  private static final Logger log = LoggerFactory.getLogger(GatewayBootstrap.class);

  private final KeySets keySets = new KeySets();
  private final Live<Login> login;
  private final Live<HostNames> hostNames;
  private final Live<TargetPolicy> policy;
  private final Live<CompressionPolicy> compression;
  private final Live<LookupSettings> lookups;
  private final Live<Optional<CallbackSettings>> callbacks;
  private final GrantSeal seal;

  /**
   * Makes the parts for the configuration in force.
   *
   * @param isStandalone whether TLS is this gateway's, not that of a container
   * @throws ConfigException with every problem in the files that the configuration names
   */
  LiveConfiguration(
      ConfigWatcher watcher, boolean isStandalone, LoginAudit logins, LearningLog learned)
      throws ConfigException {
    login =
        watcher.live(
            config ->
                login(
                    config,
                    logins,
                    isStandalone ? config.server().tls() : Optional.empty(),
                    keySets));
    hostNames = watcher.live(config -> hostNames(config, isStandalone));
    warnOfHostNames(false, hostNames.get());
    hostNames.onChange((before, next) -> warnOfHostNames(before.isAny(), next));
    policy = watcher.live(config -> policy(config, learned));
    policy.onChange((before, next) -> next.follow(before));
    compression = watcher.live(config -> config.tunnel().compression());
    lookups = watcher.live(config -> config.tunnel().lookups());
    callbacks = watcher.live(config -> config.inside().callbacks());
    GrantKeySource source = new GrantKeySource(watcher.current().operation().state());
    Live<GrantKeys> keys = watcher.live(config -> source.keys(config.tunnel().grants()));
    Live<GrantSettings> grants = watcher.live(config -> config.tunnel().grants());
    seal = new GrantSeal(keys, grants, Clock.systemUTC());
  }

  /**
   * The ways to log in of a configuration.
   *
   * @param ownTls by which this gateway's own server authenticates clients; empty in a container
   * @param downloaded keys that earlier configurations have downloaded
   * @throws ConfigException with every problem in the files that the configuration names
   */
  public static Login login(
      GatewayConfig config, LoginAudit logins, Optional<TlsSettings> ownTls, KeySets downloaded)
      throws ConfigException {
    return Login.of(
        config.access().logins(),
        config.sourceName(),
        config.server().insecure(),
        config.principals(),
        logins,
        ownTls,
        downloaded);
  }

  private static HostNames hostNames(GatewayConfig config, boolean isStandalone)
      throws ConfigException {
    if (!isStandalone) {
      return HostNames.ofApplication(config.hostNames());
    }
    return HostNames.ofStandalone(
        config.hostNames(),
        config.listeningHosts(),
        config.server().tls().isPresent()
            ? KeyStores.hostNames(config.server().tls().get())
            : Set.of());
  }

  private static void warnOfHostNames(boolean isWarned, HostNames next) {
    if (next.isAny() && !isWarned) {
      log.warn(
          "hosts: requests for every host name are accepted, because the configuration has no name"
              + " of this gateway or has *; a web page whose name leads here (DNS rebinding) can"
              + " use the gateway as its reader can: list the names that clients use in hosts");
    }
  }

  private static TargetPolicy policy(GatewayConfig config, LearningLog learned)
      throws ConfigException {
    Rulebook rulebook = rulebook(config, learned);
    warnOfClassRules(config, rulebook.mode());
    return new TargetPolicy(
        config.policy().targets(),
        config.policy().raw(),
        config.policy().mapping(),
        rulebook,
        config.policy().restraints());
  }

  /**
   * The rules of calls, with the jars of their interfaces.
   *
   * @throws ConfigException the jars cannot be read, or have no remote interface
   */
  public static Rulebook rulebook(GatewayConfig config, LearningLog learned)
      throws ConfigException {
    try {
      return Rulebook.of(
          config.policy().classes(), learned, Optional.of(config.operation().state()));
    } catch (IOException e) {
      throw new ConfigException(
          config.source().map(Object::toString).orElse("command line"),
          "classes.interfaces",
          e.getMessage());
    }
  }

  /** Warns of calls whose classes are not checked, for all targets or in an entry of targets. */
  private static void warnOfClassRules(GatewayConfig config, ClassMode mode) {
    switch (mode) {
      case OFF ->
          log.warn(
              "class rules: OFF by classes.mode: a principal may send any class to a server that it"
                  + " may call, unless its entry of targets has a class-mode");
      case LEARN ->
          log.warn(
              "class rules: LEARN by classes.mode: a principal may send any class to a server that"
                  + " it may call; the class is noted, unless its entry of targets has a"
                  + " class-mode");
      case ENFORCE -> log.info("class rules: {}", mode);
    }
    for (TargetGrant grant : config.policy().targets()) {
      grant
          .calls()
          .get(EntryRules.MODE)
          .filter(own -> own != ClassMode.ENFORCE)
          .ifPresent(
              own ->
                  log.warn(
                      "class rules: {} for {} at {}: they may send any class there{}",
                      own,
                      grant.principals(),
                      grant.allow(),
                      own == ClassMode.LEARN ? ", which is noted" : ""));
    }
  }

  Login login() {
    return login.get();
  }

  HostNames hostNames() {
    return hostNames.get();
  }

  Live<TargetPolicy> policy() {
    return policy;
  }

  Live<CompressionPolicy> compression() {
    return compression;
  }

  Live<LookupSettings> lookups() {
    return lookups;
  }

  Live<Optional<CallbackSettings>> callbacks() {
    return callbacks;
  }

  GrantSeal seal() {
    return seal;
  }
}
