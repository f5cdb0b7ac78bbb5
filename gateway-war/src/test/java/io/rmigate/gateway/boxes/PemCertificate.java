package io.rmigate.gateway.boxes;

import io.rmigate.gateway.testing.DevelopmentCertificate;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;

/**
 * A certificate and its key as programs other than Java's take them.
 *
 * @param certificate PEM
 * @param key PEM, PKCS#8
 * @param both one behind the other
 */
record PemCertificate(String certificate, String key, String both) {
  static PemCertificate of(DevelopmentCertificate made)
      throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(made.keystore())) {
      store.load(in, made.password().toCharArray());
    }
    String alias = store.aliases().nextElement();
    String certificate = pem("CERTIFICATE", store.getCertificate(alias).getEncoded());
    String key =
        pem("PRIVATE KEY", store.getKey(alias, made.password().toCharArray()).getEncoded());
    return new PemCertificate(certificate, key, certificate + key);
  }

  private static String pem(String type, byte[] der) {
    String body =
        Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII)).encodeToString(der);
    return "-----BEGIN " + type + "-----\n" + body + "\n-----END " + type + "-----\n";
  }

  /** A file with the certificate. */
  Path certificateIn(Path directory) throws IOException {
    return Files.writeString(directory.resolve("certificate.pem"), certificate);
  }

  /** A file with the key. */
  Path keyIn(Path directory) throws IOException {
    return Files.writeString(directory.resolve("key.pem"), key);
  }

  /** A file with both. */
  Path bothIn(Path directory) throws IOException {
    return Files.writeString(directory.resolve("both.pem"), both);
  }
}
