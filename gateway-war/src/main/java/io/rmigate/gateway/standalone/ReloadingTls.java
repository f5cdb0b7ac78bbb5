package io.rmigate.gateway.standalone;

import io.rmigate.gateway.config.ConfigWatcher;
import io.rmigate.gateway.config.GatewayConfig;
import io.rmigate.gateway.problem.ConfigException;
import io.rmigate.gateway.tls.KeyStores;
import io.rmigate.gateway.tls.TlsSettings;
import io.rmigate.gateway.tls.TlsSettings.ClientAuth;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CRL;
import java.util.Collection;
import java.util.Collections;
import java.util.Optional;
import javax.net.ssl.TrustManager;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The server's keys, authorities and their revocation lists. When their files change, new
 * connections use the new ones; files that cannot be used are refused and the old keys stay.
 */
final class ReloadingTls implements ConfigWatcher.Listener {
  private static final Logger log = LoggerFactory.getLogger(ReloadingTls.class);

  private final Factory contextFactory = new Factory();

  /** Keys and authorities as read and checked, not yet in use. */
  private record Stores(
      KeyStore keys,
      String password,
      Optional<KeyStore> authorities,
      Optional<RevocationLists> revoked) {}

  /** Jetty's, but for who judges certificates where there are revocation lists. */
  private static final class Factory extends SslContextFactory.Server {
    /** Set before each time that the factory loads. */
    private Optional<RevocationLists> revoked = Optional.empty();

    @Override
    protected TrustManager[] getTrustManagers(KeyStore trusted, Collection<? extends CRL> none)
        throws Exception {
      return revoked.isPresent()
          ? revoked.get().trustManagers()
          : super.getTrustManagers(trusted, none);
    }

    private void use(Stores stores) {
      setKeyStore(stores.keys());
      setKeyStorePassword(stores.password());
      // Without authorities of its own, client certificates of any public one would be let in.
      stores.authorities().ifPresent(this::setTrustStore);
      revoked = stores.revoked();
    }
  }

  private ReloadingTls() {}

  static ReloadingTls load(TlsSettings tls) throws ConfigException {
    ReloadingTls reloading = new ReloadingTls();
    SslContextFactory.Server factory = reloading.contextFactory;
    factory.setIncludeProtocols("TLSv1.2", "TLSv1.3");
    factory.setRenegotiationAllowed(false);
    factory.setWantClientAuth(tls.clientAuth() == ClientAuth.WANT);
    factory.setNeedClientAuth(tls.clientAuth() == ClientAuth.NEED);
    reloading.contextFactory.use(read(tls));
    return reloading;
  }

  SslContextFactory.Server contextFactory() {
    return contextFactory;
  }

  @Override
  public Runnable prepare(GatewayConfig next) throws ConfigException {
    if (next.server().tls().isEmpty()) {
      return () -> {}; // announced by the watcher as a matter of restart
    }
    Stores stores = read(next.server().tls().get());
    return () -> {
      try {
        contextFactory.reload(factory -> contextFactory.use(stores));
      } catch (Exception e) { // has been tried with these
        log.error("new TLS keys cannot be used; the previous ones stay in use", e);
      }
    };
  }

  private static Stores read(TlsSettings tls) throws ConfigException {
    String password = KeyStores.password(tls);
    KeyStore keys = KeyStores.open(tls.keystore(), password, "tls.keystore");
    requireKey(keys, password, tls.keystore());
    Optional<KeyStore> authorities = KeyStores.authorities(tls);
    Optional<RevocationLists> revoked = Optional.empty();
    if (tls.crlFile().isPresent() && authorities.isPresent()) {
      revoked =
          Optional.of(
              RevocationLists.read(tls.crlFile().get(), authorities.get(), tls.truststore().get()));
    }
    Stores stores = new Stores(keys, password, authorities, revoked);
    requireUse(stores, tls.keystore());
    return stores;
  }

  /** A factory that fails while it reloads has no keys at all, neither these nor those before. */
  private static void requireUse(Stores stores, Path file) throws ConfigException {
    Factory trial = new Factory();
    trial.use(stores);
    try {
      trial.start();
      trial.stop();
    } catch (Exception e) {
      throw new ConfigException(
          file.toString(), "tls.keystore", "its keys cannot be used: " + e.getMessage());
    }
  }

  private static void requireKey(KeyStore keys, String password, Path file) throws ConfigException {
    try {
      for (String alias : Collections.list(keys.aliases())) {
        if (keys.isKeyEntry(alias) && keys.getKey(alias, password.toCharArray()) != null) {
          return;
        }
      }
    } catch (GeneralSecurityException e) {
      throw new ConfigException(
          file.toString(), "tls.keystore", "its key cannot be opened: " + e.getMessage());
    }
    throw new ConfigException(
        file.toString(), "tls.keystore", "holds no private key; a key with its chain is needed");
  }
}
