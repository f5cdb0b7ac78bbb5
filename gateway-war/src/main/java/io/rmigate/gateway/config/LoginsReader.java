package io.rmigate.gateway.config;

import io.rmigate.gateway.config.ConfigNode.Entry;
import io.rmigate.gateway.config.ConfigNode.Scalar;
import io.rmigate.gateway.login.LoginSettings;
import io.rmigate.gateway.login.LoginSettings.Bearer;
import io.rmigate.gateway.login.WebAddress;
import io.rmigate.gateway.tls.KeyStores;
import io.rmigate.gateway.tls.TlsSettings;
import io.rmigate.gateway.tls.TlsSettings.ClientAuth;
import java.net.URI;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Reads {@code tls} and {@code logins}. One use, one thread. */
final class LoginsReader {
  private final ConfigValues values;

  LoginsReader(ConfigValues values) {
    this.values = values;
  }

  /** Empty: none. */
  Optional<TlsSettings> tls() {
    Optional<Entry> section = values.section("tls");
    if (section.isEmpty()) {
      return Optional.empty();
    }
    String origin = section.get().keyOrigin();
    Optional<Path> keystore = keystore(origin);
    Optional<Path> passwordFile = values.requiredFile(ConfigKey.TLS_PASSWORD_FILE, origin);
    ClientAuth clientAuth =
        ClientAuth.valueOf(values.choice(ConfigKey.TLS_CLIENT_AUTH).toUpperCase(Locale.ROOT));
    Optional<Path> truststore = truststore();
    Optional<Path> truststorePasswordFile = values.file(ConfigKey.TLS_TRUSTSTORE_PASSWORD_FILE);
    if (clientAuth != ClientAuth.NONE && !values.isGiven(ConfigKey.TLS_TRUSTSTORE)) {
      values.problem(
          origin,
          ConfigKey.TLS_TRUSTSTORE.path(),
          "required with tls.client-auth "
              + values.choice(ConfigKey.TLS_CLIENT_AUTH)
              + ": only the authorities in it may issue client certificates");
    }
    Optional<Path> crlFile = values.file(ConfigKey.TLS_CRL_FILE);
    if (clientAuth == ClientAuth.NONE && values.isGiven(ConfigKey.TLS_CRL_FILE)) {
      values.problem(
          origin,
          ConfigKey.TLS_CRL_FILE.path(),
          "needs tls.client-auth: want or need; without it no client is asked for a certificate");
    }
    if (keystore.isEmpty() || passwordFile.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new TlsSettings(
            keystore.get(),
            passwordFile.get(),
            clientAuth,
            truststore,
            truststorePasswordFile,
            crlFile));
  }

  private Optional<Path> keystore(String sectionOrigin) {
    ConfigKey key = ConfigKey.TLS_KEYSTORE;
    Optional<Path> file = values.requiredFile(key, sectionOrigin);
    return file.filter(
        keys ->
            isNoPem(
                key,
                keys,
                "openssl pkcs12 -export -in " + keys + " -inkey KEY.pem -out gateway.p12"));
  }

  private Optional<Path> truststore() {
    ConfigKey key = ConfigKey.TLS_TRUSTSTORE;
    return values
        .file(key)
        .filter(
            authorities ->
                isNoPem(
                    key,
                    authorities,
                    "keytool -importcert -file " + authorities + " -keystore truststore.p12"));
  }

  /** The usual form of certificates, which is none of a keystore: named with its line. */
  private boolean isNoPem(ConfigKey key, Path file, String command) {
    if (!KeyStores.isPem(file)) {
      return true;
    }
    values.problem(
        values.scalar(key).origin(),
        key.path(),
        file + " is PEM; make a PKCS12 file of it: " + command);
    return false;
  }

  LoginSettings logins() {
    Optional<Entry> section = values.section("logins");
    Optional<Path> usersFile = Optional.empty();
    Optional<Entry> basic = values.section("logins.basic");
    if (basic.isPresent()) {
      usersFile = values.requiredFile(ConfigKey.LOGINS_BASIC_USERS_FILE, basic.get().keyOrigin());
    }
    Optional<Bearer> bearer = Optional.empty();
    Optional<Entry> bearerSection = values.section("logins.bearer");
    if (bearerSection.isPresent()) {
      bearer = bearer(bearerSection.get().keyOrigin());
    }
    LoginSettings logins =
        new LoginSettings(
            values.flag(ConfigKey.LOGINS_ANONYMOUS),
            usersFile,
            bearer,
            values.flag(ConfigKey.LOGINS_CLIENT_CERTIFICATE),
            values.flag(ConfigKey.LOGINS_CONTAINER));
    boolean any =
        logins.anonymous()
            || basic.isPresent()
            || bearerSection.isPresent()
            || logins.clientCertificate()
            || logins.container();
    if (!any) {
      values.problem(
          section.map(Entry::keyOrigin).orElse(values.root().origin()),
          "logins",
          "no client can log in; configure basic, bearer, client-certificate or container, or set"
              + " anonymous: true to let every client in");
    }
    return logins;
  }

  private Optional<Bearer> bearer(String origin) {
    Optional<URI> jwks = values.given(ConfigKey.LOGINS_BEARER_JWKS).flatMap(this::jwks);
    Optional<Scalar> issuer = values.required(ConfigKey.LOGINS_BEARER_ISSUER, origin);
    if (!values.isGiven(ConfigKey.LOGINS_BEARER_JWKS)) {
      issuer.ifPresent(this::requireDiscoverable);
    }
    Optional<Scalar> audience = values.required(ConfigKey.LOGINS_BEARER_AUDIENCE, origin);
    ConfigKey key = ConfigKey.LOGINS_BEARER_ALGORITHMS;
    List<String> algorithms = values.list(values.root(), key, key.path(), false);
    if (issuer.isEmpty() || audience.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new Bearer(
            jwks,
            issuer.get().text(),
            audience.get().text(),
            values.text(ConfigKey.LOGINS_BEARER_PRINCIPAL_CLAIM),
            values.text(ConfigKey.LOGINS_BEARER_GROUPS_CLAIM),
            new LinkedHashSet<>(algorithms)));
  }

  /** Its keys are found by its name, as OpenID Connect Discovery 1.0, section 4, says. */
  private void requireDiscoverable(Scalar issuer) {
    if (WebAddress.ofMetadata(issuer.text()).isEmpty()) {
      values.problem(
          issuer.origin(),
          ConfigKey.LOGINS_BEARER_ISSUER.path(),
          "\""
              + issuer.text()
              + "\" is not an https:// address, so its keys cannot be found; set "
              + ConfigKey.LOGINS_BEARER_JWKS.path());
    }
  }

  private Optional<URI> jwks(Scalar value) {
    if (value.text().startsWith("https://")) {
      Optional<URI> address = WebAddress.https(value.text());
      if (address.isEmpty()) {
        values.notAllowed(ConfigKey.LOGINS_BEARER_JWKS, value, "is not an address");
      }
      return address;
    }
    if (value.text().contains("://")) {
      values.notAllowed(
          ConfigKey.LOGINS_BEARER_JWKS,
          value,
          "is plain HTTP, over which an attacker could replace the keys");
      return Optional.empty();
    }
    return values.readable(ConfigKey.LOGINS_BEARER_JWKS, value).map(Path::toUri);
  }
}
