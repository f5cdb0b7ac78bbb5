package io.rmigate.client.transport.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.client.transport.http.HttpChallenge;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** RFC 7616. */
class DigestLoginTest {
  private static final String NONCE = "7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v";
  private static final String CNONCE = "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ";

  @ParameterizedTest
  @CsvSource({
    "MD5, 8ca523f5e9506fed4657c9700eebdbec",
    "SHA-256, 753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1",
  })
  void examplesOfTheSpecification(String algorithm, String response) {
    // RFC 7616 §3.9.1
    DigestLogin login =
        login(
            "Digest realm=\"http-auth@example.org\", qop=\"auth, auth-int\", algorithm="
                + algorithm
                + ", nonce=\""
                + NONCE
                + "\", opaque=\"FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS\"");

    assertThat(login.authorization("Mufasa", "Circle of Life", "GET", "/dir/index.html", CNONCE))
        .startsWith("Digest username=\"Mufasa\", realm=\"http-auth@example.org\", ")
        .contains("uri=\"/dir/index.html\"")
        .contains("algorithm=" + algorithm + ", qop=auth, nc=00000001")
        .contains("response=\"" + response + "\"")
        .contains("opaque=\"FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS\"");
  }

  @Test
  void algorithmIsMd5IfNotNamed() {
    assertThat(
            login("Digest realm=\"r\", nonce=\"n\", qop=\"auth\"")
                .authorization("u", "p", "GET", "/", "c"))
        .contains("algorithm=MD5");
  }

  @Test
  void quotesAreEscaped() {
    assertThat(
            login("Digest realm=\"a\\\"b\", nonce=\"n\", qop=auth")
                .authorization("u\\v", "p", "GET", "/", "c"))
        .contains("username=\"u\\\\v\"")
        .contains("realm=\"a\\\"b\"");
  }

  @Test
  void strongerAlgorithmHasMoreStrength() {
    assertThat(login("Digest realm=r, nonce=n, qop=auth, algorithm=SHA-256").strength())
        .isGreaterThan(login("Digest realm=r, nonce=n, qop=auth, algorithm=md5").strength());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Basic realm=r",
        "Digest realm=r, qop=auth", // no nonce
        "Digest realm=r, nonce=n", // RFC 2069, without qop
        "Digest realm=r, nonce=n, qop=auth-int",
        "Digest realm=r, nonce=n, qop=auth, algorithm=MD5-sess",
        "Digest realm=r, nonce=n, qop=auth, algorithm=SHA-512-256",
      })
  void whatIsNotKnownIsNotAnswered(String challenge) {
    assertThat(DigestLogin.answering(HttpChallenge.parse(List.of(challenge)).get(0))).isEmpty();
  }

  private static DigestLogin login(String challenge) {
    return DigestLogin.answering(HttpChallenge.parse(List.of(challenge)).get(0)).orElseThrow();
  }
}
