package io.rmigate.gateway.login;

import java.net.URI;
import java.util.Optional;

/** Addresses of HTTPS, from which the gateway downloads keys. */
public final class WebAddress {
  private static final String METADATA = "/.well-known/openid-configuration";

  private WebAddress() {}

  /** An https:// address with a host and no user; empty when the text is none. */
  public static Optional<URI> https(String text) {
    if (!text.startsWith("https://")) {
      return Optional.empty();
    }
    try {
      URI uri = URI.create(text);
      return uri.getHost() == null || uri.getUserInfo() != null
          ? Optional.empty()
          : Optional.of(uri);
    } catch (IllegalArgumentException noAddress) {
      return Optional.empty();
    }
  }

  /**
   * The address of an issuer's metadata (OpenID Connect Discovery 1.0, section 4.1); empty when the
   * issuer is no address, or has a query or a fragment.
   */
  public static Optional<URI> ofMetadata(String issuer) {
    return https(issuer)
        .filter(uri -> uri.getRawQuery() == null && uri.getRawFragment() == null)
        .map(uri -> URI.create(issuer.replaceAll("/$", "") + METADATA));
  }
}
