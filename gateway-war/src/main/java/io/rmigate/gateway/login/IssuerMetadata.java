package io.rmigate.gateway.login;

import com.nimbusds.jose.util.JSONObjectUtils;
import com.nimbusds.jose.util.Resource;
import com.nimbusds.jose.util.ResourceRetriever;
import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.text.ParseException;
import java.util.Map;

/**
 * The keys of an issuer, found by its name (OpenID Connect Discovery 1.0, section 4): the issuer's
 * metadata say where its key set is. Both are downloaded at each refresh, so that an issuer may
 * move its keys.
 */
final class IssuerMetadata implements ResourceRetriever {
  private final String issuer;
  private final ResourceRetriever download;

  /**
   * Downloads nothing yet.
   *
   * @param issuer an address, see {@link WebAddress#ofMetadata}
   * @param download bounded in time and size
   */
  IssuerMetadata(String issuer, ResourceRetriever download) {
    this.issuer = issuer;
    this.download = download;
  }

  /**
   * The key set.
   *
   * @param metadata the address of the issuer's metadata
   * @throws IOException one of the two cannot be downloaded, or the metadata are those of another
   *     issuer, or name no key set at an https:// address
   */
  @Override
  public Resource retrieveResource(URL metadata) throws IOException {
    Map<String, Object> said;
    String named;
    String keys;
    try {
      said = JSONObjectUtils.parse(download.retrieveResource(metadata).getContent());
      named = JSONObjectUtils.getString(said, "issuer");
      keys = JSONObjectUtils.getString(said, "jwks_uri");
    } catch (ParseException e) {
      throw new IOException(metadata + " is no metadata of an issuer: " + e.getMessage(), e);
    }
    if (!issuer.equals(named)) {
      throw new IOException(
          metadata
              + " is about the issuer "
              + named
              + "; logins.bearer.issuer is "
              + issuer
              + ", and both have to be the same to the letter");
    }
    URI address =
        WebAddress.https(String.valueOf(keys))
            .orElseThrow(
                () ->
                    new IOException(
                        metadata + " has the jwks_uri " + keys + ", no https:// address"));
    return download.retrieveResource(address.toURL());
  }
}
