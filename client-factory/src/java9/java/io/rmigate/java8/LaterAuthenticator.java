package io.rmigate.java8;

import java.net.Authenticator;
import java.net.InetAddress;
import java.net.PasswordAuthentication;
import java.net.URL;

/** Additions to {@link Authenticator}. */
public final class LaterAuthenticator {
  private LaterAuthenticator() {}

  public static Authenticator getDefault() {
    return Authenticator.getDefault();
  }

  public static PasswordAuthentication requestPasswordAuthenticationInstance(
      Authenticator authenticator,
      String host,
      InetAddress site,
      int port,
      String protocol,
      String prompt,
      String scheme,
      URL url,
      Authenticator.RequestorType type) {
    return authenticator.requestPasswordAuthenticationInstance(
        host, site, port, protocol, prompt, scheme, url, type);
  }
}
