package io.rmigate.gateway.edge;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The version of this gateway. Read from a resource: a WAR's manifest is not in the class path. */
public final class GatewayVersion {
  /** The version of this gateway, such as {@code 0.1.0}. */
  public static final String CURRENT = read();

  private GatewayVersion() {}

  private static String read() {
    try (InputStream resource = GatewayVersion.class.getResourceAsStream("version.txt")) {
      if (resource == null) {
        throw new IllegalStateException("version.txt is missing beside GatewayVersion.class");
      }
      return new String(resource.readAllBytes(), StandardCharsets.UTF_8).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
