package io.rmigate.client.config;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the TLS layer to the gateway, or to an HTTP proxy, is made from.
 *
 * @param keystore client certificate and key; empty: no client certificate is offered
 * @param truststore empty: the JVM's own certificate authorities
 * @param pins empty: any key of a trusted certificate; else one of these
 */
public record TlsSettings(
    Optional<Path> keystore,
    Optional<Secret> keystorePassword,
    Optional<Path> truststore,
    Optional<Secret> truststorePassword,
    List<CertificatePin> pins) {
  /**
   * The TLS layer to the gateways.
   *
   * @throws ClientConfigException a password without its store, or a setting of TLS with a gateway
   *     whose scheme is http
   */
  static TlsSettings towardsGateways(Map<ConfigKey, ConfigValue> values, List<URI> gateways) {
    ConfigValue keystore = values.get(ConfigKey.KEYSTORE);
    ConfigValue truststore = values.get(ConfigKey.TRUSTSTORE);
    ConfigValue pin = values.get(ConfigKey.PIN);
    ConfigKey.KEYSTORE_PASSWORD_FILE.require(ConfigKey.KEYSTORE, values);
    ConfigKey.TRUSTSTORE_PASSWORD_FILE.require(ConfigKey.TRUSTSTORE, values);
    for (URI gateway : gateways) {
      if (gateway.getScheme().equals("http")) {
        // A pin must not be ignored because the connection is plain text.
        for (ConfigValue value : new ConfigValue[] {keystore, truststore, pin}) {
          if (value != null) {
            throw value.problem("has no effect on " + gateway + ", which is not https");
          }
        }
      }
    }
    return new TlsSettings(
        file(keystore),
        secret(values.get(ConfigKey.KEYSTORE_PASSWORD_FILE)),
        file(truststore),
        secret(values.get(ConfigKey.TRUSTSTORE_PASSWORD_FILE)),
        pin == null ? List.of() : CertificatePin.all(pin));
  }

  /**
   * The TLS layer to an HTTP proxy that is spoken to over TLS.
   *
   * @param gateway whose truststore counts when the proxy has none of its own
   */
  static TlsSettings towardsProxy(Map<ConfigKey, ConfigValue> values, TlsSettings gateway) {
    ConfigValue store = values.get(ConfigKey.PROXY_TRUSTSTORE);
    ConfigKey.PROXY_TRUSTSTORE_PASSWORD_FILE.require(ConfigKey.PROXY_TRUSTSTORE, values);
    return new TlsSettings(
        Optional.empty(),
        Optional.empty(),
        store == null ? gateway.truststore() : file(store),
        store == null
            ? gateway.truststorePassword()
            : secret(values.get(ConfigKey.PROXY_TRUSTSTORE_PASSWORD_FILE)),
        List.of());
  }

  private static Optional<Path> file(ConfigValue value) {
    return value == null ? Optional.empty() : Optional.of(value.file());
  }

  private static Optional<Secret> secret(ConfigValue value) {
    return value == null ? Optional.empty() : Optional.of(value.secret());
  }
}
