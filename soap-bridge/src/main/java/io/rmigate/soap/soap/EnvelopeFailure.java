package io.rmigate.soap.soap;

import com.sun.xml.ws.protocol.soap.VersionMismatchException;
import io.rmigate.soap.http.BodyTooLargeException;
import io.rmigate.soap.http.DamagedBodyException;
import io.rmigate.soap.soap.SoapProblem.Kind;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.util.HashSet;
import java.util.Set;
import javax.xml.stream.XMLStreamException;
import org.jvnet.mimepull.MIMEParsingException;

/**
 * Finds out why an envelope could not be read. Every layer wraps what it got from the one below,
 * and what counts is the innermost word on it.
 */
final class EnvelopeFailure {
  private EnvelopeFailure() {}

  /**
   * What its sender is told.
   *
   * @throws IOException the client is gone
   */
  static SoapProblem of(Exception failure, Packaging packaging) throws IOException {
    Throwable last = failure;
    Set<Throwable> seen = new HashSet<>();
    for (Throwable e = failure; e != null && seen.add(e); e = inner(e)) {
      last = e;
      if (e instanceof EnvelopeBoundException
          || e instanceof BrokenRuleException
          || e instanceof DamagedBodyException) {
        return new SoapProblem(Kind.BAD_ENVELOPE, "The request " + e.getMessage() + ".");
      }
      if (e instanceof BodyTooLargeException) {
        return new SoapProblem(Kind.TOO_LARGE, "The request is too large: " + e.getMessage() + ".");
      }
      if (e instanceof CharacterCodingException) {
        return bad("is not in the encoding that it is said to be in");
      }
      if (e instanceof VersionMismatchException) {
        return new SoapProblem(
            Kind.VERSION_MISMATCH, "The envelope is not of the version that its media type says.");
      }
    }
    if (last instanceof IOException gone) {
      throw gone;
    }
    if (last instanceof MIMEParsingException) {
      return bad("is no package with all its parts");
    }
    return last instanceof XMLStreamException
        ? bad("is not well-formed: " + firstLine(last))
        : bad("is not a SOAP envelope");
  }

  /** Whether the parser of a package failed, and nothing that an argument's class has done. */
  static boolean isOfPackage(RuntimeException failure) {
    Set<Throwable> seen = new HashSet<>();
    for (Throwable e = failure; e != null && seen.add(e); e = inner(e)) {
      if (e instanceof MIMEParsingException) {
        return true;
      }
    }
    return false;
  }

  private static Throwable inner(Throwable e) {
    return e instanceof XMLStreamException xml && xml.getNestedException() != null
        ? xml.getNestedException()
        : e.getCause();
  }

  private static SoapProblem bad(String what) {
    return new SoapProblem(Kind.BAD_ENVELOPE, "The request " + what + ".");
  }

  /** A parser's message without the place. */
  private static String firstLine(Throwable e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse("").replaceAll("\\.+$", "");
  }
}
