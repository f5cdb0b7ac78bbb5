package io.rmigate.client.transport;

import io.rmigate.testing.KeytoolCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.Base64;

/** Keys and certificates as an administrator makes them: with the JDK's keytool. */
public final class Keytool {
  public static final String PASSWORD = "changeit";

  private final Path directory;

  public Keytool(Path directory) {
    this.directory = directory;
  }

  /** A PKCS12 file with a key and a certificate signed by itself. */
  public Path selfSigned(String name, String subjectAlternativeNames) throws Exception {
    return selfSigned(name, subjectAlternativeNames, "EC");
  }

  /** A PKCS12 file with a certificate signed by itself, and a key of that kind. */
  public Path selfSigned(String name, String subjectAlternativeNames, String algorithm)
      throws Exception {
    Path file = directory.resolve(name + ".p12");
    KeytoolCommand.run(
        file,
        PASSWORD,
        "-genkeypair",
        "-alias",
        name,
        "-keyalg",
        algorithm,
        "-dname",
        "CN=" + name + ", O=rmigate test",
        "-validity",
        "3",
        "-ext",
        "san=" + subjectAlternativeNames);
    return file;
  }

  public static KeyStore load(Path file) throws Exception {
    return KeyStore.getInstance(file.toFile(), PASSWORD.toCharArray());
  }

  public static X509Certificate certificate(Path file) throws Exception {
    KeyStore store = load(file);
    return (X509Certificate) store.getCertificate(store.aliases().nextElement());
  }

  /** The certificate alone, as text, with a line of prose before it as tools write them. */
  public Path pem(Path file) throws Exception {
    Path pem = Path.of(file + ".pem");
    return write(
        pem,
        "subject=any\n-----BEGIN CERTIFICATE-----\n"
            + Base64.getMimeEncoder().encodeToString(certificate(file).getEncoded())
            + "\n-----END CERTIFICATE-----\n");
  }

  /** A PKCS12 file with nothing but the certificate. */
  public Path truststore(Path file) throws Exception {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setCertificateEntry("trusted", certificate(file));
    Path path = Path.of(file + ".trust");
    try (var out = Files.newOutputStream(path)) {
      store.store(out, PASSWORD.toCharArray());
    }
    return path;
  }

  public Path passwordFile() throws IOException {
    return write(directory.resolve("store-password"), PASSWORD + "\n");
  }

  private static Path write(Path file, String text) throws IOException {
    return Files.writeString(file, text);
  }
}
