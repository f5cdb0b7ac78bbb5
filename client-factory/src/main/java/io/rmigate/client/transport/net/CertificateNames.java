package io.rmigate.client.transport.net;

import io.rmigate.protocol.LogText;
import java.security.cert.CertificateException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Certificates that are trusted, and are for another name than the one that was asked for. */
public final class CertificateNames {
  /** Message of the JDK about a wrong name, for which the JDK has no exception of its own. */
  private static final Pattern OTHERS =
      Pattern.compile("No (?:subject alternative .*|name )matching .* found");

  // Kinds of names (RFC 5280, section 4.2.1.6).
  private static final Integer DNS_NAME = 2;
  private static final Integer ADDRESS = 7;

  private CertificateNames() {}

  /** Whether that is the reason of a failure. */
  public static boolean areOthers(Throwable failure) {
    for (Throwable t = failure; t != null; t = t.getCause()) {
      if (t instanceof CertificateException
          && t.getMessage() != null
          && OTHERS.matcher(t.getMessage()).find()) {
        return true;
      }
    }
    return false;
  }

  /** The names that it is for, as the end of a message; empty when it has none. */
  static String told(X509Certificate certificate) {
    try {
      Collection<List<?>> names = certificate.getSubjectAlternativeNames();
      String all =
          names == null
              ? ""
              : names.stream()
                  .filter(name -> DNS_NAME.equals(name.get(0)) || ADDRESS.equals(name.get(0)))
                  .map(name -> String.valueOf(name.get(1)))
                  .collect(Collectors.joining(", "));
      return all.isEmpty() ? "" : "; it is for " + LogText.brief(all);
    } catch (CertificateParsingException unreadable) {
      return "";
    }
  }
}
