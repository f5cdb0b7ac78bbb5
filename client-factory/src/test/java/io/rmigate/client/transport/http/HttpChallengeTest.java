package io.rmigate.client.transport.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** RFC 9110 §11.6.1: challenges in one field or several. */
class HttpChallengeTest {

  @Test
  void severalChallengesInOneField() {
    List<HttpChallenge> challenges =
        HttpChallenge.parse(
            List.of(
                "Digest realm=\"a, \\\"b\\\"\", qop=\"auth,auth-int\" ,nonce=abc, Basic realm=\"x=y\""));

    assertThat(challenges).extracting(HttpChallenge::scheme).containsExactly("Digest", "Basic");
    assertThat(challenges.get(0).parameters())
        .containsEntry("realm", "a, \"b\"")
        .containsEntry("qop", "auth,auth-int")
        .containsEntry("nonce", "abc");
    assertThat(challenges.get(1).parameters()).containsEntry("realm", "x=y");
  }

  @Test
  void schemesWithoutParametersAndWithToken68() {
    List<HttpChallenge> challenges =
        HttpChallenge.parse(
            List.of("Negotiate", "NTLM TlRMTVNTUAAC==, Basic realm=r", "Negotiate, NTLM"));

    assertThat(challenges)
        .extracting(HttpChallenge::scheme)
        .containsExactly("Negotiate", "NTLM", "Basic", "Negotiate", "NTLM");
    assertThat(challenges.get(2).parameters()).containsEntry("realm", "r");
  }

  @Test
  void parameterNamesHaveNoCaseAndTheFirstCounts() {
    HttpChallenge challenge =
        HttpChallenge.parse(List.of("digest REALM=\"one\", realm=two")).get(0);

    assertThat(challenge.is("Digest")).isTrue();
    assertThat(challenge.parameter("realm", "none")).isEqualTo("one");
    assertThat(challenge.parameter("nonce", "none")).isEqualTo("none");
  }

  @Test
  void rubbishEndsTheList() {
    assertThat(HttpChallenge.parse(List.of("", " , ,", "\"", "Basic realm=\"open", "=")))
        .extracting(HttpChallenge::scheme)
        .containsExactly("Basic", "realm");
  }

  @Test
  void longValuesDoNotExhaustTheStack() {
    String value = "\\\"x".repeat(4000);

    assertThat(
            HttpChallenge.parse(List.of("Digest realm=\"" + value + "\""))
                .get(0)
                .parameter("realm", ""))
        .hasSize(8000);
  }
}
