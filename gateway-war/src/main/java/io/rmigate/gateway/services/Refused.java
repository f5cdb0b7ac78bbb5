package io.rmigate.gateway.services;

import io.rmigate.soap.json.Problem;

/** A request gets no further than here. */
final class Refused extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient Problem problem;

  Refused(Problem.Kind kind, String detail) {
    super(detail, null, false, false);
    problem = Problem.of(kind, detail);
  }

  Problem problem() {
    return problem;
  }
}
