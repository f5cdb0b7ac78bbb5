package io.rmigate.gateway.edge;

import jakarta.servlet.ServletContext;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The servlet container that runs this gateway, as it calls itself.
 *
 * @param name such as {@code jetty/12.1.14} or {@code Apache Tomcat/11.0.2}
 */
public record HostContainer(String name) {
  /** The first release of Jetty without CVE-2026-19203 and CVE-2026-19204. */
  private static final int[] JETTY_FIXED = {12, 1, 14};

  private static final Pattern JETTY =
      Pattern.compile("jetty/(\\d{1,9})\\.(\\d{1,9})\\.(\\d{1,9}).*", Pattern.CASE_INSENSITIVE);

  /** In Jetty: properties of an endpoint, which hold for its WebSocket from then on. */
  private static final String AUTO_FRAGMENT = "org.eclipse.jetty.websocket.autoFragment";

  private static final String MAX_FRAME_SIZE = "org.eclipse.jetty.websocket.maxFrameSize";

  /** The container of that application. */
  public static HostContainer of(ServletContext context) {
    return new HostContainer(String.valueOf(context.getServerInfo()));
  }

  /**
   * Why an operator should replace this container by a newer release, in a sentence for the log;
   * empty: no reason is known.
   */
  public Optional<String> weakness() {
    return isOldJetty()
        ? Optional.of(
            "container "
                + name
                + " is older than Jetty 12.1.14 and takes memory for WebSocket frames before it"
                + " checks them (CVE-2026-19203, CVE-2026-19204): install Jetty 12.1.14 or newer")
        : Optional.empty();
  }

  private boolean isOldJetty() {
    Matcher version = JETTY.matcher(name);
    if (!version.matches()) {
      return false;
    }
    for (int i = 0; i < JETTY_FIXED.length; i++) {
      int part = Integer.parseInt(version.group(i + 1));
      if (part != JETTY_FIXED[i]) {
        return part < JETTY_FIXED[i];
      }
    }
    return false;
  }

  /**
   * Bounds the frames that the container takes memory for, where it has no such bound of its own.
   * An old Jetty checks the length of a frame before it allocates only if it is told not to pass on
   * frames in fragments. Others pass on the bytes that have come, for any length that a frame
   * claims.
   *
   * @param properties of the endpoint whose WebSocket has just been opened
   * @param maxBytes of a frame; longer ones end the WebSocket
   */
  void boundFrames(Map<String, Object> properties, long maxBytes) {
    if (isOldJetty()) {
      properties.put(AUTO_FRAGMENT, false);
      properties.put(MAX_FRAME_SIZE, maxBytes);
    }
  }
}
