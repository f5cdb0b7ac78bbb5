package io.rmigate.gateway.config;

import io.rmigate.gateway.problem.ConfigException;
import io.rmigate.gateway.testing.FuzzFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Files for the gateway's configuration. */
public final class ConfigurationTarget {
  private static final Path FILE = FuzzFile.ending(".yaml");

  /** Reads it, or says what is wrong, a line for each thing. Confined to one thread at a time. */
  public static void fuzzerTestOneInput(byte[] input) throws IOException {
    Files.write(FILE, input);
    try {
      GatewayConfig.load(FILE, Map.of());
    } catch (ConfigException wrong) {
      if (wrong.getMessage().isBlank()) {
        throw new IllegalStateException("nothing said", wrong);
      }
    }
  }

  private ConfigurationTarget() {}
}
