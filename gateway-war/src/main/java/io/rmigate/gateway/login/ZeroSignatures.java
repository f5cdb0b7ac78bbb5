package io.rmigate.gateway.login;

import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.security.ProviderException;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;
import java.security.spec.ECGenParameterSpec;
import java.util.Map;

/**
 * Whether this JVM accepts a signature of zeros for every key: the ECDSA of JDK 17.0.2 and of some
 * before it does (CVE-2022-21449). The library that reads tokens looks for zeros itself; TLS, by
 * which clients with certificates come, does not (THREATS T45, T47).
 */
final class ZeroSignatures {

  /** By algorithm: r and s as two numbers of DER, and as they are. */
  private static final Map<String, byte[]> ZEROS =
      Map.of(
          "SHA256withECDSA", new byte[] {0x30, 6, 2, 1, 0, 2, 1, 0},
          "SHA256withECDSAinP1363Format", new byte[64]);

  /** Tries it, with a key made for that. Takes milliseconds. */
  static boolean areTaken() {
    try {
      KeyPairGenerator keys = KeyPairGenerator.getInstance("EC");
      keys.initialize(new ECGenParameterSpec("secp256r1"));
      PublicKey anyKey = keys.generateKeyPair().getPublic();
      for (Map.Entry<String, byte[]> zeros : ZEROS.entrySet()) {
        if (isTaken(zeros.getKey(), zeros.getValue(), anyKey)) {
          return true;
        }
      }
      return false;
    } catch (GeneralSecurityException | ProviderException unable) {
      return false; // without ECDSA no such signature is accepted
    }
  }

  private static boolean isTaken(String algorithm, byte[] zeros, PublicKey key)
      throws GeneralSecurityException {
    Signature signature;
    try {
      signature = Signature.getInstance(algorithm);
    } catch (NoSuchAlgorithmException none) {
      return false;
    }
    signature.initVerify(key);
    signature.update(new byte[] {1});
    try {
      return signature.verify(zeros);
    } catch (SignatureException | ProviderException refused) {
      return false;
    }
  }

  private ZeroSignatures() {}
}
