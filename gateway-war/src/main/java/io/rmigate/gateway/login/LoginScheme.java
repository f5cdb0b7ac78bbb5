package io.rmigate.gateway.login;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;

/** One way to log in. Thread-safe; called by threads of the container and may block for a hash. */
interface LoginScheme {

  /** Looks for its kind of credential and judges it; empty when there is none in the request. */
  Optional<LoginResult> attempt(HttpServletRequest request);

  /**
   * Whether the proof of that name still holds; false for a proof of another scheme. May block, for
   * keys that have to be downloaded.
   */
  boolean holds(String name, Proof proof);

  /**
   * The challenge of the scheme in a {@code WWW-Authenticate} header (RFC 9110, section 11.6.1).
   */
  Optional<String> challenge();
}
