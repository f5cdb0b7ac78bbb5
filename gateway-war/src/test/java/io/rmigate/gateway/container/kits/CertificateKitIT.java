package io.rmigate.gateway.container.kits;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.testing.BuiltArtefacts;
import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.gateway.testing.InsideHosts;
import io.rmigate.gateway.testing.LeftoverCheck;
import io.rmigate.sample.SampleServer;
import io.rmigate.testing.Tier;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** {@code deploy/certificates}: what its commands make, used. */
@Tag(Tier.FULL)
@ExtendWith(LeftoverCheck.class)
class CertificateKitIT {
  private final Tool make = new Tool(KitFile.path("certificates/make"));
  private final Tool fromPem = new Tool(KitFile.path("certificates/from-pem"));
  private KitBed bed;
  private Path pki;

  @BeforeEach
  void startServer() throws Exception {
    Tool.find("openssl", "package openssl of Debian");
    Tool.find("bash", "package bash of Debian");
    bed = new KitBed(getClass());
    pki = Files.createDirectories(bed.directory().resolve("pki"));
    make.succeeds("authority", pki.toString());
    make.succeeds("gateway", pki.toString(), "gw.example", "127.0.0.1");
  }

  @AfterEach
  void stopEverything() throws Exception {
    if (bed != null) {
      bed.close();
    }
  }

  @Test
  void clientsLogInWithCertificatesAndARenewalIsTakenWhileTheGatewayRuns() throws Exception {
    make.succeeds("client", pki.toString(), "alice");
    make.succeeds("truststore", pki.toString());
    configure();
    URI gateway = KitBed.uri(bed.gateway("gateway"));
    ChildJvm client = client(gateway);
    assertThat(client.awaitExit(KitBed.SOON)).as(() -> String.join("\n", client.output())).isZero();

    X509Certificate before = shown(gateway);
    make.succeeds("gateway", pki.toString(), "gw.example", "127.0.0.1");
    fromPem.succeeds(
        pem("-nokeys").toString(), pem("-nocerts", "-nodes").toString(), bed.etc().toString());
    Awaitility.await().atMost(KitBed.SOON).until(() -> !shown(gateway).equals(before));
    X509Certificate renewed = shown(gateway);
    assertThat(renewed.getSubjectAlternativeNames()).hasSize(2);
    assertThat(renewed.getIssuerX500Principal()).isEqualTo(before.getIssuerX500Principal());
  }

  /** Configures logins by certificates of that authority; only alice may reach the targets. */
  private void configure() throws IOException {
    for (String name : new String[] {"gateway.p12", "gateway.password", "clients.p12"}) {
      Files.deleteIfExists(bed.etc().resolve(name));
      Files.copy(pki.resolve(name), bed.etc().resolve(name));
    }
    Path file = bed.etc().resolve("rmigate.yaml");
    Files.writeString(
        file,
        Files.readString(file)
            .replace(
                "  password-file: gateway.password\n",
                """
                  password-file: gateway.password
                  client-auth: want
                  truststore: clients.p12
                """)
            .replace("principals: [\"*\"]", "principals: [alice]")
            .replace("logins:\n", "logins:\n  client-certificate: true\n"));
  }

  private ChildJvm client(URI gateway) throws InterruptedException {
    String javaagent =
        "-javaagent:%s=%s,truststore=%s,keystore=%s,keystore-password-file=%s,tunnel=%s:*,connect-timeout=60s"
            .formatted(
                BuiltArtefacts.javaagent(),
                gateway,
                pki.resolve("ca.pem"),
                pki.resolve("alice.p12"),
                pki.resolve("alice.password"),
                InsideHosts.INSIDE);
    return bed.start(
        ChildJvm.named("client", bed.directory())
            .jvmOptions(bed.hosts().outsideOption(), "-Xmx200m", javaagent)
            .classPath(BuiltArtefacts.codeSource(SampleServer.class))
            .main("io.rmigate.sample.SampleClient")
            .arguments("--host", InsideHosts.INSIDE, "--port", bed.registryPort())
            .arguments("--payload-mb", "1", "--threads", "2"));
  }

  /** A part of the new keystore as an authority would have sent it. */
  private Path pem(String... which) throws IOException, InterruptedException {
    Path pem = bed.directory().resolve("renewed" + which[0] + ".pem");
    Tool.find("openssl", "package openssl of Debian")
        .succeeds(
            concatenated(
                which,
                "pkcs12",
                "-in",
                pki.resolve("gateway.p12").toString(),
                "-passin",
                "file:" + pki.resolve("gateway.password"),
                "-out",
                pem.toString()));
    return pem;
  }

  private static String[] concatenated(String[] options, String... command) {
    String[] all = new String[command.length + options.length];
    System.arraycopy(command, 0, all, 0, command.length);
    System.arraycopy(options, 0, all, command.length, options.length);
    return all;
  }

  private static X509Certificate shown(URI gateway) throws Exception {
    SSLContext tls = SSLContext.getInstance("TLS");
    tls.init(null, new TrustManager[] {new Anybody()}, null);
    try (SSLSocket socket =
        (SSLSocket) tls.getSocketFactory().createSocket(gateway.getHost(), gateway.getPort())) {
      return (X509Certificate) socket.getSession().getPeerCertificates()[0];
    }
  }

  /** The certificate is looked at, not trusted. */
  private static final class Anybody implements X509TrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
