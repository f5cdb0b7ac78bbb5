package io.rmigate.gateway.services;

import io.rmigate.soap.json.Problem;
import java.util.Locale;

/** A request gets no further than here. */
final class ServiceRefusedException extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient Problem problem;
  private final String rule;

  ServiceRefusedException(Problem.Kind kind, String detail) {
    this(kind, detail, rule(kind));
  }

  /**
   * @param rule as metrics and audit call it
   */
  ServiceRefusedException(Problem.Kind kind, String detail, String rule) {
    super(detail, null, false, false);
    this.problem = Problem.of(kind, detail);
    this.rule = rule;
  }

  /** The name of the rule that refuses requests with such a problem. */
  static String rule(Problem.Kind kind) {
    return "service-" + kind.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  String rule() {
    return rule;
  }

  Problem problem() {
    return problem;
  }
}
