package io.rmigate.gateway.testing;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

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
    Path certificate = directory.resolve("gateway.pem");
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

  private void keytool(Path store, String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(ChildJvm.jdk().resolve("bin/keytool").toString());
    command.addAll(Arrays.asList(arguments));
    command.addAll(
        List.of("-storetype", "PKCS12", "-keystore", store.toString(), "-storepass", password));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException("keytool: " + output);
    }
  }
}
