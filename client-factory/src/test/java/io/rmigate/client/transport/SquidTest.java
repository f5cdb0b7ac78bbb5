package io.rmigate.client.transport;

import static io.rmigate.testing.Patience.PATIENCE;
import static io.rmigate.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.rmigate.client.config.ClientConfig;
import io.rmigate.client.config.ConfigKey;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Digest at the HTTP proxy most companies have. Skipped where it is not installed; {@code
 * -Drmigate.test.squid-root} names another root directory than / to look for it.
 */
@Timeout(300)
class SquidTest {
  private static final Path ROOT = Path.of(System.getProperty("rmigate.test.squid-root", "/"));
  private static final Path SQUID = ROOT.resolve("usr/sbin/squid");
  private static final Path HELPER = ROOT.resolve("usr/lib/squid/digest_file_auth");

  @TempDir Path directory;
  private Process squid;
  private int port;

  @BeforeEach
  void startSquid() throws Exception {
    assumeTrue(Files.isExecutable(SQUID), "squid is not installed: " + SQUID);
    assumeTrue(Files.isExecutable(HELPER), "squid has no Digest helper: " + HELPER);
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort(); // squid has no "any port, and tell me"
    }
    Path users = Files.writeString(directory.resolve("users"), "ann:pass\n");
    Path configuration =
        Files.writeString(
            directory.resolve("squid.conf"),
            """
            http_port 127.0.0.1:%d
            auth_param digest program %s %s
            auth_param digest children 1
            auth_param digest realm the proxy
            acl known proxy_auth REQUIRED
            http_access allow known
            http_access deny all
            cache deny all
            access_log none
            mime_table %s
            icon_directory %s
            unlinkd_program %s
            cache_log %s/cache.log
            pid_filename none
            coredump_dir %s
            netdb_filename none
            pinger_enable off
            shutdown_lifetime 0 seconds
            """
                .formatted(
                    port,
                    HELPER,
                    users,
                    ROOT.resolve("usr/share/squid/mime.conf"),
                    ROOT.resolve("usr/share/squid/icons"),
                    ROOT.resolve("usr/lib/squid/unlinkd"),
                    directory,
                    directory));
    // Started by root, squid becomes another user, who must be able to read and write here.
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
    squid =
        new ProcessBuilder(SQUID.toString(), "-N", "-f", configuration.toString())
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("out").toFile())
            .start();
    await().until(this::listens);
  }

  private boolean listens() throws IOException {
    assertThat(squid.isAlive())
        .as(() -> "squid is running: " + contentOf("out") + contentOf("cache.log"))
        .isTrue();
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  private String contentOf(String file) {
    try {
      return Files.readString(directory.resolve(file));
    } catch (IOException e) {
      return "(" + file + " cannot be read)";
    }
  }

  @AfterEach
  void stopSquid() throws InterruptedException {
    if (squid != null) {
      squid.descendants().forEach(ProcessHandle::destroyForcibly);
      squid.destroyForcibly();
      assertThat(squid.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS))
          .as("squid has ended")
          .isTrue();
    }
  }

  @Test
  void digestLogin() throws Exception {
    try (ScriptedWebSocketPeer gateway =
            new ScriptedWebSocketPeer(
                c -> {
                  c.upgrade();
                  c.sendHex("8201 2a");
                  c.readFrame();
                });
        WebSocketTransport transport =
            new WebSocketConnector(config(gateway, "pass")).connect(PATIENCE)) {
      byte[] target = new byte[1];

      assertThat(transport.read(target, 0, 1)).isEqualTo(1);
      assertThat(target[0]).isEqualTo((byte) 0x2a);
    }
  }

  @Test
  void wrongPasswordIsRefused() throws Exception {
    try (ScriptedWebSocketPeer gateway = new ScriptedWebSocketPeer(c -> c.upgrade())) {
      WebSocketConnector connector = new WebSocketConnector(config(gateway, "wrong"));

      assertThatThrownBy(() -> connector.connect(PATIENCE))
          .hasMessageContaining("refused the login of user 'ann'");
      assertThat(gateway.requests()).isEmpty();
    }
  }

  private ClientConfig config(ScriptedWebSocketPeer gateway, String password) throws IOException {
    Path file = Files.writeString(directory.resolve("password"), password);
    return ClientConfig.builder()
        .set(ConfigKey.GATEWAY, "http://127.0.0.1:" + gateway.port() + "/rmigate")
        .set(ConfigKey.PROXY, "127.0.0.1:" + port)
        .set(ConfigKey.PROXY_USER, "ann")
        .set(ConfigKey.PROXY_PASSWORD_FILE, file.toString())
        .build();
  }
}
