package io.rmigate.gateway.login;

import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.proc.SecurityContext;
import java.net.MalformedURLException;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What is known of an issuer's keys, over changes of the configuration that leave it where it is:
 * while it cannot be asked, another line of the configuration must not make them unknown.
 * Thread-safe.
 */
public final class KeySets {
  /** A configuration that is refused may name another place, and the next one this one again. */
  private static final int MOST = 4;

  private final Map<URI, JWKSource<SecurityContext>> keys =
      new LinkedHashMap<>(MOST, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<URI, JWKSource<SecurityContext>> eldest) {
          return size() > MOST;
        }
      };

  /** Those that are downloaded from there. */
  synchronized JWKSource<SecurityContext> at(URI jwks) throws MalformedURLException {
    JWKSource<SecurityContext> known = keys.get(jwks);
    if (known == null) {
      known = new DownloadedKeys(jwks.toURL(), new JwksDownload());
      keys.put(jwks, known);
    }
    return known;
  }
}
