package io.rmigate.gateway.container.management;

import io.rmigate.gateway.testing.BuiltArtefacts;
import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.gateway.testing.InsideHosts;
import io.rmigate.gateway.testing.OpenGateway;
import io.rmigate.sample.SampleServer;
import io.rmigate.testing.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.regex.Pattern;

/** A {@link ManagedServer} with logins, behind a gateway that permits everybody JMX there. */
final class ManagementBed implements AutoCloseable {
  private static final String CONTROL = "readwrite create javax.management.timer.* unregister";

  final Path directory;
  final InsideHosts hosts = InsideHosts.ofAllTests();
  final OpenGateway gateway;
  final String port;
  private final ChildJvm server;

  /**
   * Starts both.
   *
   * @param work a directory of its own
   */
  ManagementBed(Path work) throws IOException, InterruptedException {
    directory = work;
    server =
        ChildJvm.named("managed", directory)
            .jvmOptions(hosts.insideOption(), "-Xmx96m")
            .property("java.rmi.server.hostname", InsideHosts.INSIDE)
            .property("com.sun.management.jmxremote.port", 0)
            .property("com.sun.management.jmxremote.ssl", false)
            .property(
                "com.sun.management.jmxremote.password.file", secret("passwords", "act", "look"))
            .property(
                "com.sun.management.jmxremote.access.file", secret("access", CONTROL, "readonly"))
            .classPath(
                BuiltArtefacts.codeSource(SampleServer.class),
                BuiltArtefacts.codeSource(ManagedServer.class))
            .main(ManagedServer.class.getName())
            .start();
    try {
      port =
          server
              .awaitLine(Pattern.compile("^jmx sample ready (\\d+)$"), Patience.PATIENCE)
              .group(1);
      gateway = OpenGateway.start(directory.resolve("gateway"), hosts, target(), "    jmx: true");
    } catch (AssertionError | IOException | InterruptedException e) {
      server.close();
      throw e;
    }
  }

  /** The entry of {@code targets}, to which more lines may be added. */
  static String target() {
    return OpenGateway.onlyTargets(InsideHosts.INSIDE + ":*");
  }

  private Path secret(String file, String ofControl, String ofMonitor) throws IOException {
    Files.createDirectories(directory);
    Path path = directory.resolve(file);
    Files.deleteIfExists(path);
    Files.createFile(
        path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(path, "control " + ofControl + "\nmonitor " + ofMonitor + "\n");
    return path;
  }

  /** The option that has a client's JVM go through the gateway that permits JMX. */
  String agent() {
    return agent(gateway);
  }

  /** The option that has a client's JVM go through this gateway. */
  static String agent(OpenGateway through) {
    return "-javaagent:"
        + BuiltArtefacts.javaagent()
        + "="
        + through.uri()
        + ",way=websocket,tunnel="
        + InsideHosts.INSIDE
        + ":*";
  }

  @Override
  public void close() {
    gateway.close();
    server.close();
  }
}
