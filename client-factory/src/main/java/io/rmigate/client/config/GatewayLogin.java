package io.rmigate.client.config;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** How this client says who it is in the {@code Authorization} header (RFC 9110 §11.6.2). */
public sealed interface GatewayLogin {

  /**
   * The header's value now, the secret read anew.
   *
   * @throws IOException the secret's file cannot be read or used; the message names it
   */
  String authorization() throws IOException;

  /** For messages: which login was tried and where it is configured; no secret. */
  String describe();

  /** HTTP Basic, RFC 7617, with UTF-8. */
  record Basic(String user, Secret password) implements GatewayLogin {
    @Override
    public String authorization() throws IOException {
      byte[] pair = (user + ":" + password.read()).getBytes(StandardCharsets.UTF_8);
      return "Basic " + Base64.getEncoder().encodeToString(pair);
    }

    @Override
    public String describe() {
      return "user '" + user + "' with the password of " + password;
    }
  }

  /** A bearer token, RFC 6750 §2.1. */
  record Bearer(Secret token) implements GatewayLogin {
    @Override
    public String authorization() throws IOException {
      String read = token.read().strip();
      if (!read.matches("[A-Za-z0-9._~+/-]+=*")) {
        throw new IOException(
            token + " does not hold a bearer token (RFC 6750: letters, digits, ._~+/-)");
      }
      return "Bearer " + read;
    }

    @Override
    public String describe() {
      return "the bearer token of " + token;
    }
  }
}
