package io.rmigate.client.transport.proxy;

import io.rmigate.client.config.HttpProxy;
import io.rmigate.client.transport.http.HttpChallenge;
import io.rmigate.client.transport.http.HttpHead;
import io.rmigate.client.transport.http.HttpRefusedException;
import io.rmigate.protocol.LogText;
import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;

/** The meaning of an HTTP proxy's refusal, and what to do about it. */
record ProxyRefusal(HttpProxy proxy, TunnelEnd end) {

  /**
   * The exception for {@code head}.
   *
   * @param page the web page behind it, in words; empty if there is none
   * @param loggedIn whether the login was sent
   */
  IOException explain(
      HttpHead head, String page, List<HttpChallenge> challenges, boolean loggedIn) {
    String answered =
        proxy
            + " answered "
            + head.statusLine()
            + " to CONNECT "
            + end.authority()
            + (page.isEmpty() ? "" : " (" + page + ")");
    return switch (head.status()) {
      case 407 -> refused(head, answered + loginWanted(challenges, loggedIn));
      case 401 -> // what tinyproxy says to a wrong login
          refused(
              head,
              answered
                  + (loggedIn
                      ? loginWanted(challenges, true)
                      : " where 200 was expected; is this an HTTP proxy?"));
      case 403, 405 ->
          refused(
              head,
              answered
                  + ": it does not let connections to that host or port through; ask its"
                  + " administrator, or try "
                  + end.alternative());
      case 301, 302, 303, 307, 308 ->
          refused(
              head,
              answered
                  + " and points to "
                  + head.first("location").map(LogText::brief).orElse("nowhere")
                  + ": a page where this network, or the HTTP proxy, wants to be logged in to (a"
                  + " captive portal)? Open it in a browser");
      case 500, 502, 503, 504 ->
          new ProxyRefusedException(
              answered + ": it could not reach " + end.what() + "; is that name known there?");
      default -> refused(head, answered + " where 200 was expected; is this an HTTP proxy?");
    };
  }

  private static IOException refused(HttpHead head, String message) {
    return new HttpRefusedException(true, head.status(), message);
  }

  private String loginWanted(List<HttpChallenge> challenges, boolean loggedIn) {
    if (loggedIn) {
      HttpProxy.Login login = proxy.login().orElseThrow();
      return ": it refused the login of user '"
          + login.user()
          + "' (password: "
          + login.password()
          + ")";
    }
    return ": it wants a login ("
        + offered(challenges)
        + ")"
        + (!proxy.withheld().isEmpty()
            ? "; " + proxy.withheld()
            : proxy.login().isEmpty()
                ? (isKerberosOffered(challenges) ? "; log in to Kerberos (kinit), or" : ";")
                    + " set proxy-user= and proxy-password-file="
                : " that could not be done; rmigate knows Basic and Digest (MD5 or SHA-256 with"
                    + " qop=auth), and has the JDK do NTLM and Negotiate, but not over TLS to the"
                    + " HTTP proxy");
  }

  private static boolean isKerberosOffered(List<HttpChallenge> challenges) {
    return challenges.stream().anyMatch(c -> c.is("Negotiate"));
  }

  /** The schemes, for messages. */
  private static String offered(List<HttpChallenge> challenges) {
    return challenges.isEmpty()
        ? "no scheme named"
        : challenges.stream()
            .map(c -> LogText.brief(c.scheme()))
            .distinct()
            .collect(Collectors.joining(", "));
  }
}
