package io.rmigate.gateway.standalone;

import io.rmigate.gateway.config.ConfigException;
import io.rmigate.gateway.config.ConfigWatcher;
import io.rmigate.gateway.config.GatewayConfig;
import io.rmigate.gateway.config.GatewayConfig.ClientAuth;
import io.rmigate.gateway.config.GatewayConfig.Tls;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Collections;
import java.util.Optional;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The server's keys and authorities. When their files change, new connections use the new ones;
 * files that cannot be used are refused and the old keys stay.
 */
final class ReloadingTls implements ConfigWatcher.Listener {
  private static final Logger log = LoggerFactory.getLogger(ReloadingTls.class);

  private final SslContextFactory.Server contextFactory = new SslContextFactory.Server();

  /** Keys and authorities as read and checked, not yet in use. */
  private record Stores(KeyStore keys, String password, Optional<KeyStore> authorities) {}

  private ReloadingTls() {}

  static ReloadingTls load(Tls tls) throws ConfigException {
    ReloadingTls reloading = new ReloadingTls();
    SslContextFactory.Server factory = reloading.contextFactory;
    factory.setIncludeProtocols("TLSv1.2", "TLSv1.3");
    factory.setRenegotiationAllowed(false);
    factory.setWantClientAuth(tls.clientAuth() == ClientAuth.WANT);
    factory.setNeedClientAuth(tls.clientAuth() == ClientAuth.NEED);
    reloading.use(read(tls));
    return reloading;
  }

  SslContextFactory.Server contextFactory() {
    return contextFactory;
  }

  @Override
  public Runnable prepare(GatewayConfig next) throws ConfigException {
    if (next.tls().isEmpty()) {
      return () -> {}; // announced by the watcher as a matter of restart
    }
    Stores stores = read(next.tls().get());
    return () -> {
      try {
        contextFactory.reload(factory -> use(stores));
      } catch (Exception e) {
        log.error("new TLS keys could not be put to use, the ones before stay", e);
      }
    };
  }

  private void use(Stores stores) {
    contextFactory.setKeyStore(stores.keys());
    contextFactory.setKeyStorePassword(stores.password());
    // Without authorities of its own, client certificates of any public one would be let in.
    stores.authorities().ifPresent(contextFactory::setTrustStore);
  }

  private static Stores read(Tls tls) throws ConfigException {
    String password = firstLine(tls.passwordFile(), "tls.password-file");
    KeyStore keys = open(tls.keystore(), password, "tls.keystore");
    requireKey(keys, password, tls.keystore());
    Optional<KeyStore> authorities = Optional.empty();
    if (tls.truststore().isPresent()) {
      String truststorePassword =
          tls.truststorePasswordFile().isPresent()
              ? firstLine(tls.truststorePasswordFile().get(), "tls.truststore-password-file")
              : password;
      authorities = Optional.of(open(tls.truststore().get(), truststorePassword, "tls.truststore"));
    }
    return new Stores(keys, password, authorities);
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

  private static KeyStore open(Path file, String password, String key) throws ConfigException {
    try {
      return KeyStore.getInstance(file.toFile(), password.toCharArray());
    } catch (GeneralSecurityException | IOException e) {
      throw new ConfigException(
          file.toString(),
          key,
          "cannot be opened as PKCS12 or JKS with its password: " + e.getMessage());
    }
  }

  private static String firstLine(Path file, String key) throws ConfigException {
    try (java.io.BufferedReader lines = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      String line = lines.readLine();
      if (line == null || line.isEmpty()) {
        throw new ConfigException(file.toString(), key, "its first line is empty");
      }
      return line;
    } catch (IOException e) {
      throw new ConfigException(file.toString(), key, "cannot be read: " + e.getMessage());
    }
  }
}
