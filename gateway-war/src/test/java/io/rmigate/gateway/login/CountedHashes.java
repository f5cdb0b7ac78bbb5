package io.rmigate.gateway.login;

import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.security.Provider;
import java.security.Security;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.KeySpec;
import java.util.concurrent.atomic.AtomicLong;
import javax.crypto.SecretKey;
import javax.crypto.SecretKeyFactory;
import javax.crypto.SecretKeyFactorySpi;
import javax.crypto.spec.PBEKeySpec;

/**
 * Stands before the JDK's own PBKDF2, in this JVM, and counts what it is asked for. There is one at
 * a time. Thread-safe.
 */
final class CountedHashes implements AutoCloseable {
  private static final String ALGORITHM = "PBKDF2WithHmacSHA256";

  private final AtomicLong iterations = new AtomicLong();
  private final Provider provider = new Counting();

  CountedHashes() {
    Security.insertProviderAt(provider, 1);
  }

  /** In all, since this was made. */
  long iterations() {
    return iterations.get();
  }

  @Override
  public void close() {
    Security.removeProvider(provider.getName());
  }

  private final class Counting extends Provider {
    private static final long serialVersionUID = 1L;

    Counting() {
      super("counted-hashes", "1", "counts PBKDF2");
      putService(
          new Service(this, "SecretKeyFactory", ALGORITHM, Hash.class.getName(), null, null) {
            @Override
            public Object newInstance(Object none) throws NoSuchAlgorithmException {
              try {
                return new Hash(SecretKeyFactory.getInstance(ALGORITHM, "SunJCE"));
              } catch (GeneralSecurityException e) {
                throw new NoSuchAlgorithmException(e);
              }
            }
          });
    }
  }

  private final class Hash extends SecretKeyFactorySpi {
    private final SecretKeyFactory real;

    Hash(SecretKeyFactory real) {
      this.real = real;
    }

    @Override
    protected SecretKey engineGenerateSecret(KeySpec spec) throws InvalidKeySpecException {
      iterations.addAndGet(((PBEKeySpec) spec).getIterationCount());
      return real.generateSecret(spec);
    }

    @Override
    protected KeySpec engineGetKeySpec(SecretKey key, Class<?> type)
        throws InvalidKeySpecException {
      return real.getKeySpec(key, type);
    }

    @Override
    protected SecretKey engineTranslateKey(SecretKey key) throws InvalidKeyException {
      return real.translateKey(key);
    }
  }
}
