package io.rmigate.gateway.edge;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The page about endpoints has each path that the gateway answers. */
class EndpointsReferenceTest {
  private static final Path SOURCES = Path.of("src/main/java/io/rmigate/gateway");

  /** A path in a literal, perhaps for all paths below it. */
  private static final Pattern MAPPED = Pattern.compile("\"(/[a-z]+(?:/[a-z]+)*)(?:/\\*)?\"");

  private static final Pattern BELOW_ADMIN = Pattern.compile("case \"(/[a-z]+)\"");

  @Test
  void thePageHasEachPath() throws IOException {
    Set<String> paths = new TreeSet<>();
    Matcher mapped = MAPPED.matcher(Files.readString(SOURCES.resolve("GatewayBootstrap.java")));
    while (mapped.find()) {
      paths.add(mapped.group(1));
    }
    Matcher admin =
        BELOW_ADMIN.matcher(Files.readString(SOURCES.resolve("edge/AdminServlet.java")));
    while (admin.find()) {
      paths.add("/admin" + admin.group(1));
    }
    assertThat(paths).contains("/tunnel", "/health", "/admin/lockouts").hasSizeGreaterThan(12);
    String page = Files.readString(Path.of("../docs/reference/endpoints.md"));
    for (String path : paths) {
      assertThat(page).contains(path);
    }
    for (String changed : List.of("sessions", "leases", "lockouts")) {
      assertThat(page).contains("DELETE /admin/" + changed + "/");
    }
  }
}
