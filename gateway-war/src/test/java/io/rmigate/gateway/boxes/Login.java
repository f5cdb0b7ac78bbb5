package io.rmigate.gateway.boxes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The one user there is, in the forms in which boxes know users. */
final class Login {
  static final String USER = "ann";
  static final String PASSWORD = "pass";

  /** {@code openssl passwd -apr1 -salt rmigate0 pass}. */
  private static final String HTPASSWD = USER + ":$apr1$rmigate0$MTijw7xpNTtxGf2KsDQ1y.\n";

  static final String REALM = "the box";

  /** {@code printf 'ann:the box:pass' | md5sum}. */
  private static final String HTDIGEST = USER + ":" + REALM + ":4a3240c2c2fc67b035ce29d3742779e0\n";

  private Login() {}

  /** As htpasswd writes it. */
  static Path htpasswdIn(Path directory) throws IOException {
    return Files.writeString(directory.resolve("htpasswd"), HTPASSWD);
  }

  /** As htdigest writes it. */
  static Path htdigestIn(Path directory) throws IOException {
    return Files.writeString(directory.resolve("htdigest"), HTDIGEST);
  }
}
