package io.rmigate.gateway.config;

import io.rmigate.gateway.problem.ConfigException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Where a gateway inside a servlet container finds its file. */
public final class ConfigLocation {
  /** Name of the system property and of the servlet context's init parameter. */
  public static final String PROPERTY = "rmigate.config";

  /** Name of the environment variable. */
  public static final String VARIABLE = "RMIGATE_CONFIG";

  private ConfigLocation() {}

  /**
   * The first that is set: system property, environment variable, init parameter.
   *
   * @param initParameter of the servlet context
   * @throws ConfigException none is set; the message says exactly what to do
   */
  public static Path find(
      Optional<String> systemProperty,
      Map<String, String> environment,
      Optional<String> initParameter)
      throws ConfigException {
    return Stream.of(systemProperty, Optional.ofNullable(environment.get(VARIABLE)), initParameter)
        .flatMap(Optional::stream)
        .filter(value -> !value.isBlank())
        .findFirst()
        .map(Path::of)
        .orElseThrow(
            () ->
                new ConfigException(
                    "rmigate",
                    "",
                    "no configuration. Write an rmigate.yaml (rmigate.yaml.example beside the"
                        + " gateway's README is one to start from) and name it by the system"
                        + " property -D"
                        + PROPERTY
                        + "=/path/rmigate.yaml, the environment variable "
                        + VARIABLE
                        + " or the servlet context's init parameter "
                        + PROPERTY));
  }
}
