package io.rmigate.gateway.tls;

import io.rmigate.gateway.problem.ConfigException;
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
import java.security.cert.CertificateParsingException;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;

/** Opens the files that {@code tls} names. */
public final class KeyStores {
  /** The kind of an alternative name that is a host name (RFC 5280, section 4.2.1.6). */
  private static final Integer DNS_NAME = 2;

  /** In front of its first key a file may say in plain words whose that is. */
  private static final int PEM_HEAD_BYTES = 4096;

  private KeyStores() {}

  /**
   * The authorities of clients' certificates; empty when none are configured.
   *
   * @throws ConfigException they cannot be read
   */
  public static Optional<KeyStore> authorities(TlsSettings tls) throws ConfigException {
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
   * The password of the server's own keys.
   *
   * @throws ConfigException it cannot be read
   */
  public static String password(TlsSettings tls) throws ConfigException {
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

  /** Whether a file holds keys or certificates as text. */
  public static boolean isPem(Path file) {
    try (InputStream content = Files.newInputStream(file)) {
      return new String(content.readNBytes(PEM_HEAD_BYTES), StandardCharsets.ISO_8859_1)
          .contains("-----BEGIN ");
    } catch (IOException e) {
      return false; // opening it reports the failure
    }
  }

  /**
   * The host names in the certificates of the server's own keys, in lower case: the alternative
   * names, or the common name of a certificate without any. They may begin with {@code *.}.
   *
   * @throws ConfigException they cannot be read
   */
  public static Set<String> hostNames(TlsSettings tls) throws ConfigException {
    Set<String> names = new LinkedHashSet<>();
    try {
      KeyStore keys = open(tls.keystore(), password(tls), "tls.keystore");
      for (String alias : Collections.list(keys.aliases())) {
        if (keys.isKeyEntry(alias)
            && keys.getCertificate(alias) instanceof X509Certificate certificate) {
          names.addAll(hostNames(certificate));
        }
      }
    } catch (GeneralSecurityException e) {
      throw new ConfigException(
          tls.keystore().toString(), "tls.keystore", "its names cannot be read: " + e.getMessage());
    }
    return names;
  }

  private static List<String> hostNames(X509Certificate certificate)
      throws CertificateParsingException {
    Collection<List<?>> alternatives = certificate.getSubjectAlternativeNames();
    if (alternatives != null) {
      return alternatives.stream()
          .filter(alternative -> alternative.get(0).equals(DNS_NAME))
          .map(alternative -> alternative.get(1).toString().toLowerCase(Locale.ROOT))
          .toList();
    }
    try {
      return new LdapName(certificate.getSubjectX500Principal().getName())
          .getRdns().stream()
              .filter(part -> part.getType().equalsIgnoreCase("CN"))
              .map(part -> part.getValue().toString().toLowerCase(Locale.ROOT))
              .toList();
    } catch (InvalidNameException e) {
      return List.of();
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
