package io.rmigate.client.program.doctor;

import io.rmigate.client.config.ClientConfigException;
import io.rmigate.protocol.jrmp.EndpointId;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The target to be reached, as the command line names it. */
public sealed interface Target {
  /** The port of a registry whose URL names none. */
  int REGISTRY_PORT = 1099;

  /** The target as it was written, for people. */
  String text();

  /**
   * A name that a registry has bound, or all its names.
   *
   * @param registry where the registry is said to be; never resolved to be compared
   * @param name empty: all that there is
   * @param management whether the URL is that of a JMX connector
   */
  record Bound(String text, EndpointId registry, String name, boolean management)
      implements Target {}

  /**
   * A stub that the URL itself holds.
   *
   * @param stream its serialization stream
   */
  @SuppressWarnings("ArrayRecordComponent") // wire bytes: identity, not value
  record Serialized(String text, byte[] stream) implements Target {
    /** Without the stub, which is long. */
    @Override
    public String text() {
      return text.substring(0, Math.min(text.length(), 60)) + (text.length() > 60 ? "…" : "");
    }
  }

  /** {@code rmi://host:port/name}, {@code //host:port/name}, {@code host:port/name}. */
  Pattern RMI =
      Pattern.compile(
          "(?:rmi:)?+(?://)?+(\\[[0-9A-Fa-f:.]+(?:%[^\\]/]+)?\\]|[^/:\\[\\]\\s]*)(?::(\\d{1,5}))?(?:/(.*))?");

  /** RFC 2609 form of JMX: what stands before the second path is of no meaning to a client. */
  Pattern JMX = Pattern.compile("service:jmx:rmi://[^/]*/(jndi|stub)/(.*)");

  /**
   * Parses a target.
   *
   * @throws ClientConfigException with one line for the user
   */
  static Target parse(String text) {
    if (text.startsWith("service:")) {
      Matcher jmx = JMX.matcher(text);
      if (!jmx.matches()) {
        throw new ClientConfigException(
            "'"
                + text
                + "': of JMX service URLs these are understood:"
                + " service:jmx:rmi:///jndi/rmi://host:port/jmxrmi and service:jmx:rmi:///stub/…");
      }
      return jmx.group(1).equals("stub")
          ? new Serialized(text, decoded(text, jmx.group(2)))
          : bound(text, jmx.group(2), true);
    }
    return bound(text, text, false);
  }

  private static byte[] decoded(String text, String base64) {
    try {
      return Base64.getDecoder().decode(base64.replaceAll("\\s", ""));
    } catch (IllegalArgumentException e) {
      throw new ClientConfigException(
          "'" + text + "': what stands behind /stub/ is no Base64: " + e.getMessage());
    }
  }

  private static Target bound(String text, String url, boolean management) {
    Matcher rmi = RMI.matcher(url);
    int port = 0;
    if (rmi.matches()) {
      port = rmi.group(2) == null ? REGISTRY_PORT : Integer.parseInt(rmi.group(2));
    }
    if (port < 1 || port > 0xFFFF) {
      throw new ClientConfigException(
          "'" + text + "' is no name in a registry: rmi://host:port/name, or a JMX service URL");
    }
    String host = rmi.group(1).isEmpty() ? "localhost" : rmi.group(1);
    String name = rmi.group(3) == null ? "" : rmi.group(3);
    return new Bound(text, new EndpointId(host.replaceAll("^\\[|]$", ""), port), name, management);
  }
}
