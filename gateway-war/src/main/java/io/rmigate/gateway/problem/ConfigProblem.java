package io.rmigate.gateway.problem;

/**
 * One thing that is wrong with the configuration.
 *
 * @param origin where it stands: {@code file:line}, an environment variable, a command-line option
 * @param path the key, such as {@code session.heartbeat}; empty when no key is concerned
 * @param message what is wrong and what is allowed
 */
public record ConfigProblem(String origin, String path, String message) {

  /** The line in {@link #origin}; 0 when there is none. */
  int line() {
    String line = origin.substring(origin.lastIndexOf(':') + 1);
    return line.matches("\\d{1,9}") ? Integer.parseInt(line) : 0;
  }

  /** {@code origin: path: message}, the form editors and terminals make clickable. */
  @Override
  public String toString() {
    return path.isEmpty() ? origin + ": " + message : origin + ": " + path + ": " + message;
  }
}
