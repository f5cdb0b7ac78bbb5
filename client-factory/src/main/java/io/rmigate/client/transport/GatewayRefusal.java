package io.rmigate.client.transport;

import io.rmigate.client.config.ClientConfig;
import io.rmigate.client.config.GatewayLogin;
import io.rmigate.client.transport.http.HttpHead;
import io.rmigate.client.transport.http.HttpRefusedException;
import io.rmigate.protocol.LogText;
import java.io.IOException;
import java.net.URI;
import java.util.Optional;

/** The meaning of an unexpected HTTP answer of the gateway, and what to do about it. */
public record GatewayRefusal(URI gateway, ClientConfig config, String path) {

  /**
   * The exception to throw.
   *
   * @param ofTransport what this status means to the transport in use; empty: nothing of its own
   * @param expected for messages: {@code 101 Switching Protocols}
   */
  public IOException of(HttpHead head, Optional<String> ofTransport, String expected) {
    String answered = gateway + " answered " + head.statusLine();
    String text = ofTransport.map(own -> answered + own).orElseGet(() -> text(head, expected));
    return isUnavailable(head.status())
        ? new GatewayUnavailableException(text)
        : new HttpRefusedException(false, head.status(), text);
  }

  private static boolean isUnavailable(int status) {
    return status == 429 || (status >= 500 && status != 501 && status != 505);
  }

  private String text(HttpHead head, String expected) {
    String answered = gateway + " answered " + head.statusLine();
    return switch (head.status()) {
      case 301, 302, 303, 307, 308 ->
          answered
              + " and points to "
              + head.first("location").map(LogText::brief).orElse("nowhere")
              + "; rmigate does not follow: if that is the gateway, configure its URL; if it is the login"
              + " page of this network (a captive portal), open it in a browser";
      case 401 -> answered + ": " + loginTried();
      case 403 ->
          answered
              + ": the login is known but may not use the tunnel ("
              + login()
              + "); the gateway's audit log names the rule";
      case 404 ->
          answered
              + " for "
              + gateway.getPath()
              + path
              + ": is the URL that of the gateway's context path, such as https://host/rmigate?";
      case 407 ->
          answered
              + ": an HTTP proxy on the way wants a login although it is not configured; set proxy=, "
              + "proxy-user= and proxy-password-file=";
      case 421 ->
          answered
              + ": the gateway does not go by the host name "
              + gateway.getRawAuthority()
              + "; use another of its names, or have its operator add this one to hosts in rmigate.yaml";
      case 429, 503 ->
          answered
              + ": the gateway is draining, full or not up yet"
              + head.first("retry-after")
                  .map(after -> " (Retry-After: " + LogText.brief(after) + ")")
                  .orElse("");
      case 502, 504 ->
          answered + ": a server in front of the gateway could not reach it; is the gateway up?";
      default -> answered + " where " + expected + " was expected; is this an rmigate gateway?";
    };
  }

  private String loginTried() {
    return config.login().isEmpty()
        ? "it wants a login and none is configured; set user= and password-file=, token-file=, or"
            + " keystore= for a client certificate"
        : "it refused " + login() + "; check that login and how the gateway expects it";
  }

  private String login() {
    return config.login().map(GatewayLogin::describe).orElse("no login configured");
  }
}
