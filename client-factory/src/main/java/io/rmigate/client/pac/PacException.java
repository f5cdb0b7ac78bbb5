package io.rmigate.client.pac;

import java.io.IOException;

/** A PAC file cannot be understood, or has gone wrong; the message names file and line. */
public final class PacException extends IOException {
  private static final long serialVersionUID = 1;

  PacException(String message) {
    super(message);
  }

  static PacException at(String file, int line, String problem) {
    return new PacException(file + ", line " + line + ": " + problem);
  }
}
