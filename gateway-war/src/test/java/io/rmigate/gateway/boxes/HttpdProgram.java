package io.rmigate.gateway.boxes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Apache httpd with the modules that boxes need and nothing else around a file. */
final class HttpdProgram {
  private static final Installed PROGRAM =
      Installed.of("apache2-bin", "/usr/sbin/apache2", "/usr/sbin/httpd");
  private static final Installed MODULES =
      Installed.of("apache2-bin", "/usr/lib/apache2/modules", "/usr/lib64/httpd/modules");

  private static final List<String> LOADED =
      List.of(
          "mpm_event",
          "unixd",
          "log_config",
          "authn_core",
          "authn_file",
          "authz_core",
          "authz_host",
          "authz_user",
          "auth_basic",
          "auth_digest",
          "headers",
          "buffer",
          "reqtimeout",
          "socache_shmcb",
          "ssl",
          "proxy",
          "proxy_http",
          "proxy_connect");

  private HttpdProgram() {}

  static Optional<Installed> missing() {
    return PROGRAM.missing().or(MODULES::missing);
  }

  /** Writes the file around {@code file}, and says what to run. */
  static List<String> command(Path directory, Path file) throws IOException {
    List<String> lines = new ArrayList<>();
    for (String module : LOADED) {
      Path library = MODULES.path().resolve("mod_" + module + ".so");
      if (Files.exists(library)) { // else it is built in, or httpd says what it misses
        lines.add("LoadModule " + module + "_module " + library);
      }
    }
    lines.addAll(
        List.of(
            "ServerName localhost",
            "User #65534",
            "Group #65534",
            "PidFile " + directory + "/httpd.pid",
            "ErrorLog " + directory + "/error.log",
            "Mutex file:" + directory + " default",
            "DefaultRuntimeDir " + directory,
            "LogFormat \"%h %r %>s %b %D\" short",
            "CustomLog " + directory + "/access.log short",
            "RequestReadTimeout header=20-40,MinRate=500 body=20,MinRate=500", // as Debian has it
            "Include " + file));
    Path main = Files.write(directory.resolve("httpd.conf"), lines);
    return List.of(
        PROGRAM.toString(), "-d", directory.toString(), "-f", main.toString(), "-DFOREGROUND");
  }
}
