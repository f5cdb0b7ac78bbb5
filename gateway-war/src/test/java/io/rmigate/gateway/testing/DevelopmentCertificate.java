package io.rmigate.gateway.testing;

import io.rmigate.testing.KeytoolCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;

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

  /** For 127.0.0.1 and localhost; makes the files in {@code directory}. */
  public static DevelopmentCertificate create(Path directory)
      throws IOException, InterruptedException {
    return create(directory, "ip:127.0.0.1,dns:localhost");
  }

  /** For the names that are listed as keytool takes them. */
  public static DevelopmentCertificate create(Path directory, String names)
      throws IOException, InterruptedException {
    DevelopmentCertificate made =
        new DevelopmentCertificate(
            directory.resolve("gateway.p12"),
            directory.resolve("truststore.p12"),
            directory.resolve("password"),
            "only-for-tests");
    Files.writeString(made.passwordFile, made.password + "\n");
    Path certificate = directory.resolve("gateway.pem").toAbsolutePath();
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
    made.keytool(
        made.keystore, "-exportcert", "-rfc", "-alias", "gateway", "-file", certificate.toString());
    made.keytool(
        made.truststore,
        "-importcert",
        "-noprompt",
        "-alias",
        "gateway",
        "-file",
        certificate.toString());
    return made;
  }

  /** A revocation list that this has signed as an authority, in PEM, of one other certificate. */
  public Path revocationOf(X509Certificate certificate, Path file)
      throws IOException, InterruptedException {
    keytool(
        keystore,
        "-gencrl",
        "-rfc",
        "-alias",
        "gateway",
        "-id",
        certificate.getSerialNumber().toString(),
        "-file",
        file.toString());
    return file;
  }

  private void keytool(Path store, String... arguments) throws IOException, InterruptedException {
    KeytoolCommand.run(store, password, arguments);
  }
}
