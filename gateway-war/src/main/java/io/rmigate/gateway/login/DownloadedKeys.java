package io.rmigate.gateway.login;

import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSelector;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.jwk.source.RateLimitReachedException;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jose.util.ResourceRetriever;
import java.net.URL;
import java.time.Duration;
import java.util.List;

/**
 * The keys that an issuer publishes, asked for anew every few minutes. Thread-safe; {@link #get}
 * blocks for a download.
 */
final class DownloadedKeys implements JWKSource<SecurityContext> {
  /** For so long the keys known last are good while the issuer cannot be asked. */
  private static final Duration OUTAGE = Duration.ofDays(1);

  private final JWKSource<SecurityContext> source;
  private volatile boolean known;

  DownloadedKeys(URL from, ResourceRetriever download) {
    this.source = source(from, download);
  }

  static JWKSource<SecurityContext> source(URL from, ResourceRetriever download) {
    return JWKSourceBuilder.<SecurityContext>create(from, download)
        .outageTolerant(OUTAGE.toMillis())
        .build();
  }

  /**
   * @throws RateLimitReachedException if a moment ago the issuer has named no such key
   * @throws KeySourceException if its keys cannot be read
   */
  @Override
  public List<JWK> get(JWKSelector selector, SecurityContext context) throws KeySourceException {
    try {
      List<JWK> keys = source.get(selector, context);
      known = true;
      return keys;
    } catch (RateLimitReachedException askedJustNow) {
      if (!known) { // and got no answer
        throw new KeySourceException("the issuer's keys are not known yet", askedJustNow);
      }
      throw askedJustNow;
    }
  }
}
