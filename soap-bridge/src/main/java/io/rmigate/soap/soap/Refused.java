package io.rmigate.soap.soap;

/** A request that gets no further: nothing was called. */
final class Refused extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient SoapProblem problem;

  Refused(SoapProblem.Kind kind, String text) {
    super(text);
    problem = new SoapProblem(kind, text);
  }

  /** What its client is told. */
  SoapProblem problem() {
    return problem;
  }
}
