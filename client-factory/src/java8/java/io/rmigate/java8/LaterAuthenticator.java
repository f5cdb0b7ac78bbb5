package io.rmigate.java8;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.net.Authenticator;
import java.net.InetAddress;
import java.net.PasswordAuthentication;
import java.net.URL;

/** Additions to {@link Authenticator}, whose fields Java 8 sets and reads only itself. */
public final class LaterAuthenticator {
  private LaterAuthenticator() {}

  public static Authenticator getDefault() {
    try {
      Field field = Authenticator.class.getDeclaredField("theAuthenticator");
      field.setAccessible(true);
      return (Authenticator) field.get(null);
    } catch (ReflectiveOperationException e) {
      return null;
    }
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
    try {
      synchronized (authenticator) {
        set(authenticator, "requestingHost", host);
        set(authenticator, "requestingSite", site);
        set(authenticator, "requestingPort", port);
        set(authenticator, "requestingProtocol", protocol);
        set(authenticator, "requestingPrompt", prompt);
        set(authenticator, "requestingScheme", scheme);
        set(authenticator, "requestingURL", url);
        set(authenticator, "requestingAuthType", type);
        Method ask = Authenticator.class.getDeclaredMethod("getPasswordAuthentication");
        ask.setAccessible(true);
        return (PasswordAuthentication) ask.invoke(authenticator);
      }
    } catch (ReflectiveOperationException e) {
      return null;
    }
  }

  private static void set(Authenticator authenticator, String name, Object value)
      throws ReflectiveOperationException {
    Field field = Authenticator.class.getDeclaredField(name);
    field.setAccessible(true);
    field.set(authenticator, value);
  }
}
