package io.rmigate.client.transport.net;

import io.rmigate.client.config.Secret;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Optional;

/** Reads keystores and truststores of the kinds people have: PKCS12, JKS, PEM certificates. */
final class KeyStoreFile {
  private KeyStoreFile() {}

  /**
   * The store in {@code file}.
   *
   * @param key the configuration key, for messages
   */
  static KeyStore load(String key, Path file, Optional<Secret> passwordFile) throws IOException {
    char[] password = password(passwordFile);
    try {
      if (isPem(file)) {
        return certificates(file);
      }
      KeyStore store = KeyStore.getInstance(file.toFile(), password);
      if (store.size() == 0) {
        throw new IOException(
            key + " " + file + " is empty, or its content needs " + key + "-password-file");
      }
      return store;
    } catch (GeneralSecurityException | IOException e) {
      throw new IOException(key + " " + file + " cannot be used: " + e.getMessage(), e);
    }
  }

  /** The password as the JDK wants it; null for none. */
  static char[] password(Optional<Secret> passwordFile) throws IOException {
    return passwordFile.isPresent() ? passwordFile.get().read().toCharArray() : null;
  }

  private static boolean isPem(Path file) throws IOException {
    try (var in = Files.newInputStream(file)) {
      // Tools write the certificate's names in front: openssl s_client -showcerts, for one.
      String start = new String(in.readNBytes(16 * 1024), StandardCharsets.ISO_8859_1);
      return start.contains("-----BEGIN CERTIFICATE-----");
    }
  }

  private static KeyStore certificates(Path file) throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    String text = Files.readString(file, StandardCharsets.ISO_8859_1);
    byte[] fromFirst =
        text.substring(text.indexOf("-----BEGIN CERTIFICATE-----"))
            .getBytes(StandardCharsets.ISO_8859_1);
    int number = 0;
    for (Certificate certificate :
        CertificateFactory.getInstance("X.509")
            .generateCertificates(new ByteArrayInputStream(fromFirst))) {
      store.setCertificateEntry("certificate-" + number++, certificate);
    }
    return store;
  }
}
