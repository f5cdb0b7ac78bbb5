package io.rmigate.java8;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.security.KeyStore;
import java.security.KeyStoreException;
import java.security.NoSuchAlgorithmException;
import java.security.cert.CertificateException;

/** Additions to {@link KeyStore}. */
public final class LaterKeyStore {
  private LaterKeyStore() {}

  private static final int JKS = 0xfeedfeed;
  private static final int JCEKS = 0xcececece;

  public static KeyStore getInstance(File file, char[] password)
      throws KeyStoreException, IOException, NoSuchAlgorithmException, CertificateException {
    KeyStore store = KeyStore.getInstance(typeOf(file));
    try (InputStream in = new FileInputStream(file)) {
      store.load(in, password);
    }
    return store;
  }

  private static String typeOf(File file) throws IOException {
    int magic;
    try (DataInputStream in = new DataInputStream(new FileInputStream(file))) {
      magic = in.readInt();
    } catch (EOFException e) {
      magic = 0;
    }
    return magic == JKS ? "JKS" : magic == JCEKS ? "JCEKS" : "PKCS12";
  }
}
