package io.rmigate.gateway.login;

import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jose.util.ResourceRetriever;
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
  JWKSource<SecurityContext> at(URI jwks) throws MalformedURLException {
    return at(jwks, new JwksDownload());
  }

  /** Those that the issuer with these metadata names. */
  JWKSource<SecurityContext> of(String issuer, URI metadata) throws MalformedURLException {
    return at(metadata, new IssuerMetadata(issuer, new JwksDownload()));
  }

  private synchronized JWKSource<SecurityContext> at(URI address, ResourceRetriever download)
      throws MalformedURLException {
    JWKSource<SecurityContext> known = keys.get(address);
    if (known == null) {
      known = new DownloadedKeys(address.toURL(), download);
      keys.put(address, known);
    }
    return known;
  }
}
