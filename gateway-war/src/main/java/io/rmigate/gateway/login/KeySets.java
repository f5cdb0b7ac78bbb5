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

  /**
   * Where keys are downloaded from.
   *
   * @param issuer whose metadata stand there; empty where a key set does. Issuers that differ by a
   *     slash at the end have their metadata at one address.
   */
  private record Place(URI address, String issuer) {}

  private final Map<Place, JWKSource<SecurityContext>> keys =
      new LinkedHashMap<>(MOST, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Place, JWKSource<SecurityContext>> eldest) {
          return size() > MOST;
        }
      };

  /** The keys at an address. */
  JWKSource<SecurityContext> at(URI jwks) throws MalformedURLException {
    return at(new Place(jwks, ""), new JwksDownload());
  }

  /** The keys that the metadata of an issuer name. */
  JWKSource<SecurityContext> of(String issuer, URI metadata) throws MalformedURLException {
    return at(new Place(metadata, issuer), new IssuerMetadata(issuer, new JwksDownload()));
  }

  private synchronized JWKSource<SecurityContext> at(Place place, ResourceRetriever download)
      throws MalformedURLException {
    JWKSource<SecurityContext> known = keys.get(place);
    if (known == null) {
      known = new DownloadedKeys(place.address().toURL(), download);
      keys.put(place, known);
    }
    return known;
  }
}
