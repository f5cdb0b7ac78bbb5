package io.rmigate.gateway.testing;

import io.rmigate.testing.KeytoolCommand;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A self-signed certificate, made by keytool.
 *
 * @param keystore PKCS12, with the key
 * @param truststore PKCS12, with the certificate alone
 * @param passwordFile holds the password of both in its first line
 * @param password that password
 */
public record DevelopmentCertificate(
    Path keystore, Path truststore, Path passwordFile, String password) {
  private static final String PEM_FILE = "gateway.pem";
  private static final Base64.Encoder PEM = Base64.getMimeEncoder(64, new byte[] {'\n'});

  /** Files of the certificate for this host, by name; made once for all tests of this JVM. */
  private static final Map<String, byte[]> LOCAL_FILES = new HashMap<>(); // guarded by itself

  /**
   * For 127.0.0.1 and localhost; makes the files in {@code directory}. All such certificates of one
   * JVM have the same key.
   */
  public static DevelopmentCertificate create(Path directory) throws IOException {
    synchronized (LOCAL_FILES) {
      if (LOCAL_FILES.isEmpty()) {
        DevelopmentCertificate made = create(directory, "ip:127.0.0.1,dns:localhost");
        for (Path file : made.files()) {
          LOCAL_FILES.put(file.getFileName().toString(), Files.readAllBytes(file));
        }
        return made;
      }
      for (Map.Entry<String, byte[]> file : LOCAL_FILES.entrySet()) {
        Files.write(directory.resolve(file.getKey()), file.getValue());
      }
      return in(directory);
    }
  }

  private static DevelopmentCertificate in(Path directory) {
    return new DevelopmentCertificate(
        directory.resolve("gateway.p12"),
        directory.resolve("truststore.p12"),
        directory.resolve("password"),
        "only-for-tests");
  }

  private List<Path> files() {
    return List.of(keystore, truststore, passwordFile, keystore.resolveSibling(PEM_FILE));
  }

  /** For the names that are listed as keytool takes them. */
  public static DevelopmentCertificate create(Path directory, String names) throws IOException {
    DevelopmentCertificate made = in(directory);
    Files.writeString(made.passwordFile, made.password + "\n");
    made.keytool(
        made.keystore,
        "-genkeypair",
        "-alias",
        "gateway",
        "-keyalg",
        "EC",
        "-groupname",
        "secp256r1",
        "-validity",
        "30",
        "-dname",
        "CN=localhost",
        "-ext",
        "san=" + names);
    Certificate certificate = made.certificate();
    Files.writeString(directory.resolve(PEM_FILE), pem(certificate));
    made.trust(certificate);
    return made;
  }

  private Certificate certificate() throws IOException {
    try {
      return KeyStore.getInstance(keystore.toFile(), password.toCharArray())
          .getCertificate("gateway");
    } catch (GeneralSecurityException e) {
      throw new IOException(e);
    }
  }

  /** As {@code keytool -importcert} has it. */
  private void trust(Certificate certificate) throws IOException {
    try (OutputStream file = Files.newOutputStream(truststore)) {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      store.setCertificateEntry("gateway", certificate);
      store.store(file, password.toCharArray());
    } catch (GeneralSecurityException e) {
      throw new IOException(e);
    }
  }

  /** As {@code keytool -exportcert -rfc} has it. */
  private static String pem(Certificate certificate) throws IOException {
    try {
      return "-----BEGIN CERTIFICATE-----\n"
          + PEM.encodeToString(certificate.getEncoded())
          + "\n-----END CERTIFICATE-----\n";
    } catch (CertificateEncodingException e) {
      throw new IOException(e);
    }
  }

  /** A revocation list that this has signed as an authority, in PEM, of one other certificate. */
  public Path revocationOf(X509Certificate certificate, Path file) throws IOException {
    keytool(
        keystore,
        "-gencrl",
        "-rfc",
        "-alias",
        "gateway",
        "-id",
        certificate.getSerialNumber().toString(),
        "-file",
        file.toAbsolutePath().toString());
    return file;
  }

  private void keytool(Path store, String... arguments) throws IOException {
    KeytoolCommand.run(store, password, arguments);
  }
}
