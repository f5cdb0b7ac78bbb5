package io.rmigate.gateway.login;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.source.ImmutableJWKSet;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.jwk.source.RateLimitReachedException;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.DefaultJOSEObjectTypeVerifier;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jose.util.Base64URL;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.nimbusds.jwt.proc.DefaultJWTClaimsVerifier;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import io.rmigate.gateway.login.LoginSettings.Bearer;
import io.rmigate.gateway.problem.ConfigException;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URI;
import java.nio.file.Path;
import java.security.Key;
import java.text.ParseException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Bearer tokens (RFC 6750) that are signed JSON Web Tokens (RFC 7519).
 *
 * <p>Fixed before any token is seen: the algorithms, all of them with public keys, and the keys,
 * those of the configured set and no other. What a token's header says of keys ({@code jwk}, {@code
 * jku}, {@code x5u}, {@code x5c}) is not looked at.
 */
final class BearerLogin implements LoginScheme {
  private static final int MAX_TOKEN_CHARS = 8 * 1024;
  private static final int MAX_SKEW_SECONDS = 60;

  /** The library makes a map of each object, before it looks at the signature. */
  private static final int MAX_NESTING = 16;

  /** A token's signature, with issuer and audience. */
  record Signature(JWSHeader header, Key key, String issuer, String audience, String groupsClaim)
      implements Proof {}

  private final JWSVerificationKeySelector<SecurityContext> keySelector;
  private final String issuer;
  private final String audience;
  private final DefaultJWTProcessor<SecurityContext> tokens = new DefaultJWTProcessor<>();
  private final String principalClaim;
  private final String groupsClaim;
  private final boolean plainHttpAllowed;

  BearerLogin(Bearer bearer, JWKSource<SecurityContext> keys, boolean plainHttpAllowed) {
    this.principalClaim = bearer.principalClaim();
    this.groupsClaim = bearer.groupsClaim();
    this.plainHttpAllowed = plainHttpAllowed;
    Set<JWSAlgorithm> algorithms =
        bearer.algorithms().stream().map(JWSAlgorithm::parse).collect(Collectors.toSet());
    this.issuer = bearer.issuer();
    this.audience = bearer.audience();
    this.keySelector = new JWSVerificationKeySelector<>(algorithms, keys);
    tokens.setJWSKeySelector(keySelector);
    tokens.setJWSTypeVerifier(
        new DefaultJOSEObjectTypeVerifier<>(
            com.nimbusds.jose.JOSEObjectType.JWT,
            new com.nimbusds.jose.JOSEObjectType("at+jwt"),
            null));
    DefaultJWTClaimsVerifier<SecurityContext> claims =
        new DefaultJWTClaimsVerifier<>(
            bearer.audience(),
            new JWTClaimsSet.Builder().issuer(bearer.issuer()).build(),
            Set.of("exp", principalClaim));
    claims.setMaxClockSkew(MAX_SKEW_SECONDS);
    tokens.setJWTClaimsSetVerifier(claims);
  }

  static BearerLogin load(Bearer bearer, boolean plainHttpAllowed, KeySets downloaded)
      throws ConfigException {
    return new BearerLogin(bearer, keys(bearer, downloaded), plainHttpAllowed);
  }

  private static JWKSource<SecurityContext> keys(Bearer bearer, KeySets downloaded)
      throws ConfigException {
    Optional<URI> jwks = bearer.jwks();
    try {
      if (jwks.isEmpty()) {
        URI metadata = WebAddress.ofMetadata(bearer.issuer()).orElseThrow();
        return downloaded.of(bearer.issuer(), metadata);
      }
      if (!"file".equals(jwks.get().getScheme())) {
        return downloaded.at(jwks.get());
      }
    } catch (MalformedURLException e) {
      throw new ConfigException(
          "configuration",
          jwks.isEmpty() ? "logins.bearer.issuer" : "logins.bearer.jwks",
          e.getMessage());
    }
    Path file = Path.of(jwks.get());
    try {
      return new ImmutableJWKSet<>(JWKSet.load(file.toFile()).toPublicJWKSet());
    } catch (IOException | ParseException e) {
      throw new ConfigException(
          file.toString(), "logins.bearer.jwks", "is not a JSON Web Key Set: " + e.getMessage());
    }
  }

  @Override
  public boolean holds(String name, Proof proof) {
    if (!(proof instanceof Signature signature)
        || !signature.issuer().equals(issuer)
        || !signature.audience().equals(audience)
        || !signature.groupsClaim().equals(groupsClaim)) {
      return false;
    }
    try {
      return keySelector.selectJWSKeys(signature.header(), null).contains(signature.key());
    } catch (RateLimitReachedException askedJustNow) {
      return false; // it was not among what the issuer said a moment ago
    } catch (KeySourceException unreachable) {
      return true; // the issuer cannot be asked; the token expires at its own time
    }
  }

  /** The signature of the token, if it is valid. */
  private Optional<Signature> signature(String token) throws ParseException, JOSEException {
    SignedJWT signed = SignedJWT.parse(token);
    JWSHeader header = signed.getHeader();
    for (Key key : keySelector.selectJWSKeys(header, null)) {
      if (signed.verify(tokens.getJWSVerifierFactory().createJWSVerifier(header, key))) {
        return Optional.of(new Signature(header, key, issuer, audience, groupsClaim));
      }
    }
    return Optional.empty();
  }

  @Override
  public Optional<String> challenge() {
    return Optional.of("Bearer realm=\"rmigate\"");
  }

  @Override
  public Optional<LoginResult> attempt(HttpServletRequest request) {
    return AuthorizationHeader.of(request)
        .filter(header -> header.is("Bearer"))
        .map(header -> judge(header.credentials(), request));
  }

  /** With the same tolerance as at the door: else a session would end as soon as it is let in. */
  private static Instant end(JWTClaimsSet claims) {
    return claims.getExpirationTime().toInstant().plusSeconds(MAX_SKEW_SECONDS);
  }

  /** A list of names, or one name; a claim of another type names no group. */
  private Set<String> groups(JWTClaimsSet claims) {
    Object said = claims.getClaim(groupsClaim);
    return (said instanceof List<?> list ? list.stream() : Stream.ofNullable(said))
        .filter(String.class::isInstance)
        .map(String.class::cast)
        .collect(Collectors.toUnmodifiableSet());
  }

  private LoginResult judge(String token, HttpServletRequest request) {
    if (!request.isSecure() && !plainHttpAllowed) {
      return new LoginResult.Refused("a token over plain HTTP (see insecure in the configuration)");
    }
    if (token.length() > MAX_TOKEN_CHARS) {
      return new LoginResult.Refused("a token of unusual length");
    }
    if (isNestedDeep(token)) {
      return new LoginResult.Refused("a token of objects or lists nested unusually deep");
    }
    try {
      JWTClaimsSet claims = tokens.process(token, null);
      Object name = claims.getClaim(principalClaim);
      if (!(name instanceof String text) || text.isBlank()) {
        return new LoginResult.Refused("a token whose " + principalClaim + " is not a name");
      }
      Optional<Signature> signature = signature(token);
      if (signature.isEmpty()) {
        return new LoginResult.Refused("a token whose key has just been withdrawn");
      }
      return new LoginResult.Accepted(
          new Principal(
              text,
              Principal.Scheme.BEARER,
              groups(claims),
              Optional.of(end(claims)),
              List.of(signature.get())));
    } catch (ParseException e) {
      return new LoginResult.Refused("a token that is not a JSON Web Token");
    } catch (BadJOSEException e) {
      return new LoginResult.Refused("a token that is refused: " + e.getMessage());
    } catch (JOSEException e) {
      String cause = e.getCause() == null ? "" : " (" + e.getCause() + ")";
      return new LoginResult.Refused("a token that cannot be checked: " + e.getMessage() + cause);
    } catch (RuntimeException e) {
      // A crafted token may make the library throw any exception; the token is refused.
      return new LoginResult.Refused("a token that cannot be read: " + e);
    }
  }

  private static boolean isNestedDeep(String token) {
    for (String part : token.split("\\.", 3)) {
      int depth = 0;
      boolean quoted = false;
      byte[] text = new Base64URL(part).decode();
      for (int i = 0; i < text.length; i++) {
        switch (text[i]) {
          case '"' -> quoted = !quoted;
          case '\\' -> i += quoted ? 1 : 0; // what follows ends no string
          case '{', '[' -> depth += quoted ? 0 : 1;
          case '}', ']' -> depth -= quoted ? 0 : 1;
          default -> {}
        }
        if (depth > MAX_NESTING) {
          return true;
        }
      }
    }
    return false;
  }
}
