package io.rmigate.soap.soap;

/** Thrown for a request that is refused before its operation is called. */
final class SoapRefusedException extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient SoapProblem problem;

  SoapRefusedException(SoapProblem.Kind kind, String text) {
    super(text);
    problem = new SoapProblem(kind, text);
  }

  /** The problem that the client is told. */
  SoapProblem problem() {
    return problem;
  }
}
