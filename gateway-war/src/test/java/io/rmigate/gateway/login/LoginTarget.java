package io.rmigate.gateway.login;

import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Collections;
import java.util.List;

/** Authorization headers: passwords, tokens and others. */
public final class LoginTarget {
  private static final String LOGINS =
      """
      basic:
        users-file: users
      bearer:
        jwks: keys.json
        issuer: https://issuer.example/
        audience: rmigate
      """;

  /** Of the token in the corpus; the private one no longer exists. */
  private static final String KEYS =
      """
      {"keys":[{"kty":"EC","crv":"P-256","kid":"ec","x":"rEHyho-33NpwMXt3vHfMSRqHpC4GMLZwHQsUef8OtqA","y":"WDONACIDOVs1L7V1J39Rch1jcHDEPQD0HWlvhnbL1I4"}]}
      """;

  private static Path directory;
  private static Login login;

  /** Makes the files of the logins. */
  public static void fuzzerInitialize() throws Exception {
    directory = Files.createTempDirectory("fuzz");
    Files.writeString(directory.resolve("keys.json"), KEYS);
    Files.writeString(directory.resolve("users"), UserLines.user("bob", "builder"));
    login = LoginServer.login(directory, LOGINS, "insecure: true\n");
  }

  /** Takes them away again. */
  public static void fuzzerTearDown() throws IOException {
    for (String name : List.of("keys.json", "users", "rmigate.yaml")) {
      Files.deleteIfExists(directory.resolve(name));
    }
    Files.deleteIfExists(directory);
  }

  /** A login succeeds only with the password, or with the token including its last claim. */
  public static void fuzzerTestOneInput(byte[] input) {
    String header = new String(input, StandardCharsets.ISO_8859_1);
    LoginResult result = login.authenticate(request(header));
    if (result instanceof LoginResult.Accepted accepted
        && !accepted.principal().name().equals(expected(header))) {
      throw new IllegalStateException("let in as " + accepted.principal());
    }
  }

  /** Whose credentials it has; null if they are wrong. */
  private static String expected(String header) {
    int blank = header.strip().indexOf(' ');
    String credentials = header.strip().substring(blank + 1).strip();
    if (header.strip().regionMatches(true, 0, "Basic ", 0, 6)) {
      String pair = new String(Base64.getDecoder().decode(credentials), StandardCharsets.UTF_8);
      return pair.equals("bob:builder") ? "bob" : null;
    }
    return "alice"; // whom the only token names that there is
  }

  private static HttpServletRequest request(String authorization) {
    return (HttpServletRequest)
        Proxy.newProxyInstance(
            LoginTarget.class.getClassLoader(),
            new Class<?>[] {HttpServletRequest.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "getHeaders" -> Collections.enumeration(List.of(authorization));
                  case "getRemoteAddr" -> "192.0.2.7";
                  case "getRemotePort" -> 9;
                  case "getServletPath" -> "/tunnel";
                  case "isSecure" -> true;
                  case "getQueryString", "getUserPrincipal", "getAttribute" -> null;
                  default -> throw new UnsupportedOperationException(method.toString());
                });
  }

  private LoginTarget() {}
}
