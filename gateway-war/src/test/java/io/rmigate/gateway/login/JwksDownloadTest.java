package io.rmigate.gateway.login;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.source.JWKSetBasedJWKSource;
import com.nimbusds.jose.jwk.source.JWKSetCacheRefreshEvaluator;
import com.nimbusds.jose.jwk.source.JWKSetSource;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jose.util.Resource;
import com.nimbusds.jose.util.ResourceRetriever;
import io.rmigate.gateway.login.LoginSettings.Bearer;
import io.rmigate.testing.RefusingPort;
import java.io.IOException;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Where keys of issuers are asked for, and for how long those do that were there once. */
class JwksDownloadTest {

  /** THREATS T28: who sets a proxy would hear whom the gateway believes. */
  @Test
  void noProxyOfTheJvmIsAsked() throws Exception {
    List<URI> asked = new CopyOnWriteArrayList<>();
    ProxySelector before = ProxySelector.getDefault();
    ProxySelector.setDefault(
        new ProxySelector() {
          @Override
          public List<Proxy> select(URI uri) {
            asked.add(uri);
            return List.of(Proxy.NO_PROXY);
          }

          @Override
          public void connectFailed(URI uri, SocketAddress address, IOException failure) {}
        });
    try (RefusingPort closed = new RefusingPort()) {
      JwksDownload download = new JwksDownload();
      URI address = URI.create("https://127.0.0.1:" + closed.number() + "/keys");
      assertThatThrownBy(() -> download.retrieveResource(address.toURL()))
          .isInstanceOf(IOException.class);
    } finally {
      ProxySelector.setDefault(before);
    }
    assertThat(asked).isEmpty();
  }

  /** The library asks the issuer for what it does not know only twice within half a minute. */
  @Test
  void tokensOfAWithdrawnKeyHoldNoMoreHoweverManyThereAre() throws Exception {
    ECKey withdrawn = new ECKeyGenerator(Curve.P_256).keyID("old").generate();
    JWKSet before = new JWKSet(withdrawn.toPublicJWK());
    JWKSet after = new JWKSet(new ECKeyGenerator(Curve.P_256).keyID("new").generate());
    AtomicReference<JWKSet> said = new AtomicReference<>(before);
    AtomicInteger asked = new AtomicInteger();
    ResourceRetriever issuer =
        address -> {
          asked.incrementAndGet();
          return new Resource(said.get().toPublicJWKSet().toString(), "application/json");
        };
    URI jwks = URI.create("https://issuer.example/keys");
    Bearer bearer =
        new Bearer(Optional.of(jwks), "issuer", "rmigate", "sub", "groups", Set.of("ES256"));
    Proof proof =
        new BearerLogin.Signature(
            new JWSHeader.Builder(JWSAlgorithm.ES256).keyID("old").build(),
            withdrawn.toPublicKey(),
            "issuer",
            "rmigate",
            "groups");
    BearerLogin login = new BearerLogin(bearer, new DownloadedKeys(jwks.toURL(), issuer), false);
    assertThat(login.holds("alice", proof)).isTrue();

    said.set(after);
    login = new BearerLogin(bearer, new DownloadedKeys(jwks.toURL(), issuer), false);

    for (int session = 0; session < 50; session++) {
      assertThat(login.holds("alice", proof)).as("session %d", session).isFalse();
    }
    assertThat(asked).hasValueLessThan(10);
  }

  /** As when its configuration is changed while it cannot be reached. */
  @Test
  void tokensHoldWhileTheIssuerHasNeverBeenReachedHoweverManyThereAre() throws Exception {
    URI jwks = URI.create("https://issuer.example/keys");
    Bearer bearer =
        new Bearer(Optional.of(jwks), "issuer", "rmigate", "sub", "groups", Set.of("ES256"));
    Proof proof =
        new BearerLogin.Signature(
            new JWSHeader.Builder(JWSAlgorithm.ES256).keyID("old").build(),
            new ECKeyGenerator(Curve.P_256).generate().toPublicKey(),
            "issuer",
            "rmigate",
            "groups");
    ResourceRetriever unreachable =
        address -> {
          throw new IOException("scripted");
        };
    BearerLogin login =
        new BearerLogin(bearer, new DownloadedKeys(jwks.toURL(), unreachable), false);

    for (int session = 0; session < 50; session++) {
      assertThat(login.holds("alice", proof)).as("session %d", session).isTrue();
    }
  }

  @Test
  void whatIsKnownOfAnIssuerOutlivesAChangeOfTheConfiguration() throws Exception {
    KeySets kept = new KeySets();
    URI here = URI.create("https://issuer.example/keys");
    URI there = URI.create("https://other.example/keys");
    Object known = kept.at(here);
    assertThat(kept.at(there)).as("what a configuration names that is refused").isNotSameAs(known);
    assertThat(kept.at(here)).isSameAs(known);
  }

  @Test
  void keysOfAnIssuerThatCannotBeReachedDoForADay() throws Exception {
    JWKSet set = new JWKSet(new ECKeyGenerator(Curve.P_256).keyID("ec").generate().toPublicJWK());
    AtomicBoolean reachable = new AtomicBoolean(true);
    JWKSetSource<SecurityContext> keys =
        ((JWKSetBasedJWKSource<SecurityContext>)
                DownloadedKeys.source(
                    URI.create("https://issuer.example/keys").toURL(),
                    address -> {
                      if (!reachable.get()) {
                        throw new IOException("scripted");
                      }
                      return new Resource(set.toString(), "application/json");
                    }))
            .getJWKSetSource();
    long start = System.currentTimeMillis();
    keys.getJWKSet(JWKSetCacheRefreshEvaluator.noRefresh(), start, null);

    reachable.set(false);

    long almost = start + Duration.ofHours(23).toMillis();
    assertThat(
            keys.getJWKSet(JWKSetCacheRefreshEvaluator.noRefresh(), almost, null)
                .getKeyByKeyId("ec"))
        .isNotNull();
    long after = start + Duration.ofHours(25).toMillis();
    assertThatThrownBy(() -> keys.getJWKSet(JWKSetCacheRefreshEvaluator.noRefresh(), after, null))
        .isInstanceOf(KeySourceException.class);
  }
}
