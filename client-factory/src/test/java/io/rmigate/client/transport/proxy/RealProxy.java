package io.rmigate.client.transport.proxy;

import static io.rmigate.testing.Patience.PATIENCE;
import static io.rmigate.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * An HTTP proxy of the operating system's packages, as a process. Tests are skipped where it is not
 * installed; {@code -Drmigate.test.proxies-root} names another root directory than / to look for
 * it.
 */
public final class RealProxy {
  private static final Path ROOT = Path.of(System.getProperty("rmigate.test.proxies-root", "/"));

  private final Path directory;
  private final int port;
  private final Process process;

  private RealProxy(Path directory, int port, Process process) {
    this.directory = directory;
    this.port = port;
    this.process = process;
  }

  /** Where a file of a package is. */
  public static Path installed(String path) {
    Path file = ROOT.resolve(path);
    assumeTrue(Files.exists(file), "not installed: " + file);
    return file;
  }

  /** Starts a command that is going to listen at {@code port}, and waits until it does. */
  static RealProxy start(Path directory, int port, List<String> command) throws IOException {
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("out").toFile())
            .start();
    RealProxy proxy = new RealProxy(directory, port, process);
    await().until(proxy::listens);
    return proxy;
  }

  /** squid, with its usual settings and these. */
  public static RealProxy squid(Path directory, int port, String settings) throws IOException {
    Path squid = installed("usr/sbin/squid");
    Path configuration =
        Files.writeString(
            directory.resolve("squid.conf"),
            """
            %s
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
                    settings,
                    ROOT.resolve("usr/share/squid/mime.conf"),
                    ROOT.resolve("usr/share/squid/icons"),
                    ROOT.resolve("usr/lib/squid/unlinkd"),
                    directory,
                    directory));
    // squid gives up root, if it has it.
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
    return start(directory, port, List.of(squid.toString(), "-N", "-f", configuration.toString()));
  }

  int port() {
    return port;
  }

  private boolean listens() throws IOException {
    assertThat(process.isAlive())
        .as(() -> "it is running: " + contentOf("out") + contentOf("cache.log"))
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

  /** Ends it, and waits until it has. */
  public void stop() throws InterruptedException {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
    assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).as("has ended").isTrue();
  }
}
