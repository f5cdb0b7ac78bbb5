package io.rmigate.gateway.login;

import java.math.BigInteger;
import java.security.Principal;
import java.security.PublicKey;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Collection;
import java.util.Date;
import java.util.List;
import java.util.Set;
import javax.security.auth.x500.X500Principal;

/** A certificate that TLS is said to have let pass; its subject is always alice. */
@SuppressWarnings({
  "serial",
  "deprecation"
}) // never serialized; the abstract methods are what they are
final class ScriptedCertificate extends X509Certificate {
  private static final long serialVersionUID = 1L;
  private static final int DNS_NAME = 2;

  private final String alternative;
  private final String usage;
  private final boolean unreadable;

  private ScriptedCertificate(String alternative, String usage, boolean unreadable) {
    this.alternative = alternative;
    this.usage = usage;
    this.unreadable = unreadable;
  }

  /** With a subject alternative name and an extended key usage; null for none. */
  static ScriptedCertificate of(String alternative, String usage) {
    return new ScriptedCertificate(alternative, usage, false);
  }

  static ScriptedCertificate unreadable() {
    return new ScriptedCertificate(null, null, true);
  }

  @Override
  public Collection<List<?>> getSubjectAlternativeNames() throws CertificateParsingException {
    if (unreadable) {
      throw new CertificateParsingException("scripted");
    }
    return alternative == null ? null : List.of(List.of(DNS_NAME, alternative));
  }

  @Override
  public List<String> getExtendedKeyUsage() {
    return usage == null ? null : List.of(usage);
  }

  @Override
  public void checkValidity() {}

  @Override
  public void checkValidity(Date date) {}

  @Override
  public int getVersion() {
    return 3;
  }

  @Override
  public BigInteger getSerialNumber() {
    return BigInteger.ONE;
  }

  @Override
  public Principal getIssuerDN() {
    return getIssuerX500Principal();
  }

  @Override
  public Principal getSubjectDN() {
    return getSubjectX500Principal();
  }

  @Override
  public X500Principal getIssuerX500Principal() {
    return new X500Principal("CN=own");
  }

  @Override
  public X500Principal getSubjectX500Principal() {
    return new X500Principal("CN=alice");
  }

  @Override
  public Date getNotBefore() {
    return Date.from(Instant.now().minusSeconds(60));
  }

  @Override
  public Date getNotAfter() {
    return Date.from(Instant.now().plusSeconds(3600));
  }

  @Override
  public byte[] getTBSCertificate() {
    return new byte[0];
  }

  @Override
  public byte[] getSignature() {
    return new byte[0];
  }

  @Override
  public String getSigAlgName() {
    return "none";
  }

  @Override
  public String getSigAlgOID() {
    return "0.0";
  }

  @Override
  public byte[] getSigAlgParams() {
    return new byte[0];
  }

  @Override
  public boolean[] getIssuerUniqueID() {
    return new boolean[0];
  }

  @Override
  public boolean[] getSubjectUniqueID() {
    return new boolean[0];
  }

  @Override
  public boolean[] getKeyUsage() {
    return new boolean[9];
  }

  @Override
  public int getBasicConstraints() {
    return -1;
  }

  @Override
  public byte[] getEncoded() {
    return new byte[0];
  }

  @Override
  public void verify(PublicKey key) {}

  @Override
  public void verify(PublicKey key, String provider) {}

  @Override
  public String toString() {
    return "scripted";
  }

  @Override
  public PublicKey getPublicKey() {
    throw new AssertionError("not expected to be asked");
  }

  @Override
  public boolean hasUnsupportedCriticalExtension() {
    return false;
  }

  @Override
  public Set<String> getCriticalExtensionOIDs() {
    return Set.of();
  }

  @Override
  public Set<String> getNonCriticalExtensionOIDs() {
    return Set.of();
  }

  @Override
  public byte[] getExtensionValue(String oid) {
    return new byte[0];
  }
}
