package io.rmigate.gateway.login;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import io.rmigate.gateway.problem.ConfigException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.ProviderException;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Security;
import java.security.SignatureSpi;
import java.security.spec.AlgorithmParameterSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** THREATS T45: CVE-2022-21449. */
class ZeroSignaturesTest {
  private static final String BEARER =
      """
      bearer:
        jwks: keys.json
        issuer: https://issuer.example/
        audience: rmigate
      """;

  @TempDir Path directory;

  @Test
  void thisJvmTakesNoZeros() {
    assertThat(ZeroSignatures.areTaken()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"SHA256withECDSA", "SHA256withECDSAinP1363Format"})
  void whereZerosAreTakenForASignatureNobodyLogsInByOne(String algorithm) throws Exception {
    Files.writeString(
        directory.resolve("keys.json"),
        new JWKSet(new ECKeyGenerator(Curve.P_256).keyID("ec").generate().toPublicJWK())
            .toString());
    String password =
        "basic:\n  users-file: "
            + Files.writeString(
                directory.resolve("users"), "alice:" + PasswordHash.of(new char[] {'x'}, 1000));
    Provider credulous = new Credulous(algorithm, false);
    Security.insertProviderAt(credulous, 1);
    try {
      assertThatThrownBy(() -> LoginServer.login(directory, BEARER, "insecure: true\n"))
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining("logins.bearer: this JVM");
      assertThatThrownBy(
              () -> LoginServer.login(directory, "client-certificate: true", "insecure: true\n"))
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining("logins.client-certificate: this JVM");
      assertThat(LoginServer.login(directory, password, "insecure: true\n")).isNotNull();
    } finally {
      Security.removeProvider(credulous.getName());
    }
    assertThat(LoginServer.login(directory, BEARER, "insecure: true\n")).isNotNull();
  }

  /** Such as one whose token is not there. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aProviderThatFailsTakesNoZeros(boolean atTheKey) {
    Provider failing = atTheKey ? new Keyless() : new Credulous("SHA256withECDSA", true);
    Security.insertProviderAt(failing, 1);
    try {
      assertThat(ZeroSignatures.areTaken()).isFalse();
    } finally {
      Security.removeProvider(failing.getName());
    }
  }

  /** Makes no keys. */
  private static final class Keyless extends Provider {
    private static final long serialVersionUID = 1L;

    Keyless() {
      super("keyless", "1", "makes no keys");
      putService(
          new Service(
              this, "KeyPairGenerator", "EC", KeyPairGenerator.class.getName(), null, null) {
            @Override
            public Object newInstance(Object none) {
              return new KeyPairGenerator("EC") { // for a mere Spi others would step in
                @Override
                public void initialize(AlgorithmParameterSpec curve, SecureRandom random) {}

                @Override
                public KeyPair generateKeyPair() {
                  throw new ProviderException("no token is there");
                }
              };
            }
          });
    }
  }

  /** Takes all signatures of one algorithm, or fails at each. */
  private static final class Credulous extends Provider {
    private static final long serialVersionUID = 1L;

    Credulous(String algorithm, boolean fails) {
      super("credulous", "1", "takes every signature");
      putService(
          new Service(this, "Signature", algorithm, Verifier.class.getName(), null, null) {
            @Override
            public Object newInstance(Object none) {
              return new Verifier(fails);
            }
          });
    }
  }

  private static final class Verifier extends SignatureSpi {
    private final boolean fails;

    Verifier(boolean fails) {
      this.fails = fails;
    }

    @Override
    protected void engineInitVerify(PublicKey key) {}

    @Override
    protected void engineInitSign(PrivateKey key) {
      throw new UnsupportedOperationException();
    }

    @Override
    protected void engineUpdate(byte b) {}

    @Override
    protected void engineUpdate(byte[] bytes, int offset, int length) {}

    @Override
    protected byte[] engineSign() {
      throw new UnsupportedOperationException();
    }

    @Override
    protected boolean engineVerify(byte[] signature) {
      if (fails) {
        throw new ProviderException("no token is there");
      }
      return true;
    }

    @Override
    @Deprecated
    protected void engineSetParameter(String name, Object value) {
      throw new UnsupportedOperationException();
    }

    @Override
    @Deprecated
    protected Object engineGetParameter(String name) {
      throw new UnsupportedOperationException();
    }
  }
}
