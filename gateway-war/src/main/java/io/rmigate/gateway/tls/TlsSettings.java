package io.rmigate.gateway.tls;

import java.nio.file.Path;
import java.util.Optional;

/**
 * The key of the gateway's own server, the authorities with what they have revoked, and what is
 * asked of clients. Passwords stay in their files.
 *
 * @param keystore PKCS12 or JKS
 * @param passwordFile its first line is the password of the key store
 * @param clientAuth whether a client certificate is asked for
 * @param truststore the authorities of client certificates
 * @param truststorePasswordFile its first line is the password of the trust store; empty: that of
 *     the key store
 * @param crlFile certificates that the authorities have revoked, in PEM or DER
 */
public record TlsSettings(
    Path keystore,
    Path passwordFile,
    ClientAuth clientAuth,
    Optional<Path> truststore,
    Optional<Path> truststorePasswordFile,
    Optional<Path> crlFile) {

  /** Whether a client certificate is asked for. */
  public enum ClientAuth {
    NONE,
    WANT,
    NEED
  }
}
