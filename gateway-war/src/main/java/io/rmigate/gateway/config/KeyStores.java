package io.rmigate.gateway.config;

import io.rmigate.gateway.config.GatewayConfig.Tls;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CRL;
import java.security.cert.CertificateFactory;
import java.security.cert.X509CRL;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** Opens the files that {@code tls} names. */
public final class KeyStores {

  private KeyStores() {}

  /**
   * The authorities of clients' certificates; empty when none are configured.
   *
   * @throws ConfigException they cannot be read
   */
  public static Optional<KeyStore> authorities(Tls tls) throws ConfigException {
    if (tls.truststore().isEmpty()) {
      return Optional.empty();
    }
    String password =
        tls.truststorePasswordFile().isPresent()
            ? firstLine(tls.truststorePasswordFile().get(), "tls.truststore-password-file")
            : password(tls);
    return Optional.of(open(tls.truststore().get(), password, "tls.truststore"));
  }

  /**
   * That of the server's own keys.
   *
   * @throws ConfigException it cannot be read
   */
  public static String password(Tls tls) throws ConfigException {
    return firstLine(tls.passwordFile(), "tls.password-file");
  }

  /**
   * Opens one.
   *
   * @param key of the configuration, for what is wrong with it
   * @throws ConfigException it cannot be read
   */
  public static KeyStore open(Path file, String password, String key) throws ConfigException {
    try {
      return KeyStore.getInstance(file.toFile(), password.toCharArray());
    } catch (GeneralSecurityException | IOException e) {
      throw new ConfigException(
          file.toString(),
          key,
          "cannot be opened as PKCS12 or JKS with its password: " + e.getMessage());
    }
  }

  /**
   * The lists of {@code tls.crl-file}, in PEM or DER; one at least.
   *
   * @throws ConfigException they cannot be read
   */
  public static List<X509CRL> revocationLists(Path file) throws ConfigException {
    try (InputStream content = Files.newInputStream(file)) {
      Collection<? extends CRL> read =
          CertificateFactory.getInstance("X.509").generateCRLs(content);
      if (!read.isEmpty()) {
        return read.stream().map(X509CRL.class::cast).toList();
      }
    } catch (GeneralSecurityException | IOException e) {
      throw new ConfigException(
          file.toString(), "tls.crl-file", "cannot be read as PEM or DER: " + e.getMessage());
    }
    throw new ConfigException(
        file.toString(), "tls.crl-file", "holds no revocation list, in PEM or DER");
  }

  private static String firstLine(Path file, String key) throws ConfigException {
    try (BufferedReader lines = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
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
