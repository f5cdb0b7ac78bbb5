package io.rmigate.gateway.problem;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/** The configuration cannot be used; carries every problem found, not only the first. */
public final class ConfigException extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient List<ConfigProblem> problems;

  /** At least one problem; the message has one line for each. */
  public ConfigException(List<ConfigProblem> problems) {
    super(
        inOrder(problems).stream().map(ConfigProblem::toString).collect(Collectors.joining("\n")));
    this.problems = inOrder(problems);
  }

  private static List<ConfigProblem> inOrder(List<ConfigProblem> problems) {
    return problems.stream().sorted(Comparator.comparingInt(ConfigProblem::line)).toList();
  }

  /** A single problem. */
  public ConfigException(String origin, String path, String message) {
    this(List.of(new ConfigProblem(origin, path, message)));
  }

  /** In the order of the file; what does not stand in one comes first. */
  public List<ConfigProblem> problems() {
    return problems;
  }
}
