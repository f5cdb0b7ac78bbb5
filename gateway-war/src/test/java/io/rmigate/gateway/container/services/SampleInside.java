package io.rmigate.gateway.container.services;

import io.rmigate.gateway.testing.BuiltArtefacts;
import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.gateway.testing.InsideHosts;
import io.rmigate.gateway.testing.SampleJar;
import io.rmigate.sample.SampleServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Pattern;

/**
 * The sample server, and how a gateway publishes it.
 *
 * @param directory for everything
 * @param port of its registry
 */
record SampleInside(Path directory, InsideHosts hosts, ChildJvm jvm, int port)
    implements AutoCloseable {

  static SampleInside start(Class<?> test) throws IOException, InterruptedException {
    Path directory =
        Files.createDirectories(
            BuiltArtefacts.workDirectory(test).resolve(Long.toString(System.nanoTime())));
    InsideHosts hosts = InsideHosts.ofAllTests();
    SampleJar.in(directory.resolve("jars"));
    ChildJvm jvm =
        ChildJvm.named("sample", directory)
            .jvmOptions(hosts.insideOption(), "-Xmx500m")
            .property("java.rmi.server.hostname", InsideHosts.INSIDE)
            .classPath(BuiltArtefacts.codeSource(SampleServer.class))
            .reusable()
            .main(SampleServer.class.getName())
            .start();
    String port =
        jvm.awaitLine(Pattern.compile("^sample ready (\\d+)$"), Duration.ofSeconds(60)).group(1);
    return new SampleInside(directory, hosts, jvm, Integer.parseInt(port));
  }

  /** The lines of configuration that publish one of its objects to everybody. */
  String published(String path, String name) {
    return """
      - path: %s
        object: rmi://%s:%d/%s
        interface: io.rmigate.sample.%s
        jars: '%s'
        principals: ['*']
    """
        .formatted(path, InsideHosts.INSIDE, port, name, name, directory.resolve("jars"));
  }

  /**
   * The lines of configuration that publish the object which has to be told what stands for its
   * interfaces.
   */
  String showcase(String path, String... further) {
    StringBuilder lines = new StringBuilder(published(path, "Showcase"));
    lines.append(
        """
            implementations:
              - of: io.rmigate.sample.value.Vehicle
                classes: [io.rmigate.sample.value.Truck, io.rmigate.sample.value.Van]
              - of: io.rmigate.sample.value.Route
                classes: [io.rmigate.sample.value.Road]
        """);
    for (String line : further) {
      lines.append("    ").append(line).append('\n');
    }
    return lines.toString();
  }

  @Override
  public void close() {
    jvm.close();
  }
}
