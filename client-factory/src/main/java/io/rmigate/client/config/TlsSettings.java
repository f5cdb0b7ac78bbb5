package io.rmigate.client.config;

import java.nio.file.Path;
import java.util.List;
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
    List<CertificatePin> pins) {}
