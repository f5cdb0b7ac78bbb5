package io.rmigate.gateway.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.login.UserLines;
import io.rmigate.gateway.testing.ClassJar;
import io.rmigate.gateway.testing.DevelopmentCertificate;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.rmi.Remote;
import java.rmi.RemoteException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** {@code rmigate.yaml.example} starts a gateway as it is, once what it names lies beside it. */
class ExampleConfigurationTest {
  /** What the jar has. */
  interface Clock extends Remote {
    void tick() throws RemoteException;
  }

  @TempDir Path directory;
  private final StringWriter err = new StringWriter();

  @BeforeEach
  void putBesideItWhatItsHeadLists() throws Exception {
    Files.copy(Path.of("rmigate.yaml.example"), directory.resolve("rmigate.yaml"));
    DevelopmentCertificate made = DevelopmentCertificate.create(directory);
    Files.move(made.passwordFile(), directory.resolve("gateway.password"));
    Files.writeString(directory.resolve("users"), UserLines.user("alice", "wonder"));
    ClassJar.in(Files.createDirectory(directory.resolve("interfaces")), Clock.class);
  }

  private int check() {
    CommandLine commandLine = Standalone.commandLine(() -> {});
    commandLine.setErr(new PrintWriter(err));
    return commandLine.execute("--config", directory.resolve("rmigate.yaml").toString(), "--check");
  }

  @Test
  void itIsFitToStartAGateway() {
    assertThat(check()).as("%s", err).isZero();
  }

  @Test
  void withoutItsCertificateTheCheckSaysSo() throws Exception {
    Files.delete(directory.resolve("gateway.p12"));

    assertThat(check()).isEqualTo(2);
    assertThat(err.toString()).contains("tls.keystore").contains("gateway.p12");
  }
}
