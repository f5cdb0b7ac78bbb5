package io.rmigate.gateway.container.management;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.testing.BuiltArtefacts;
import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.gateway.testing.InsideHosts;
import io.rmigate.gateway.testing.LeftoverCheck;
import io.rmigate.gateway.testing.OpenGateway;
import io.rmigate.sample.SampleServer;
import io.rmigate.testing.Patience;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** {@code jmx: read}: the stock connector reads and hears of changes, and changes nothing. */
@ExtendWith(LeftoverCheck.class)
class JmxReadIT {
  @Test
  void whatIsReadIsReadAndWhatWouldChangeIsRefused() throws Exception {
    Path directory =
        Files.createDirectories(
            BuiltArtefacts.workDirectory(getClass()).resolve(Long.toString(System.nanoTime())));
    InsideHosts hosts = InsideHosts.ofAllTests();
    try (OpenGateway gateway =
            OpenGateway.start(
                directory.resolve("gateway"),
                hosts,
                OpenGateway.targets(InsideHosts.INSIDE + ":*"),
                "    jmx: read");
        ChildJvm server =
            ChildJvm.named("jmx", directory)
                .jvmOptions(hosts.insideOption(), "-Xmx64m")
                .property("java.rmi.server.hostname", InsideHosts.INSIDE)
                .property("com.sun.management.jmxremote.port", 0)
                .property("com.sun.management.jmxremote.authenticate", false)
                .property("com.sun.management.jmxremote.ssl", false)
                .classPath(BuiltArtefacts.codeSource(SampleServer.class))
                .reusable()
                .main("io.rmigate.sample.JmxSample")
                .start()) {
      String port =
          server
              .awaitLine(Pattern.compile("^jmx sample ready (\\d+)$"), Patience.PATIENCE)
              .group(1);
      String agent =
          "-javaagent:%s=%s,tunnel=%s:*"
              .formatted(BuiltArtefacts.javaagent(), gateway.uri(), InsideHosts.INSIDE);
      try (ChildJvm monitor =
          monitor("monitor", directory, port, "read", hosts.outsideOption(), agent)) {
        monitor.awaitLine(Pattern.compile("^listening$"), Patience.PATIENCE);
        try (ChildJvm other = monitor("other", directory, port, "change", hosts.insideOption())) {
          assertThat(other.awaitExit(Patience.PATIENCE)).isZero();
        }
        monitor.ask("go on", Pattern.compile("^bye$"), Patience.PATIENCE);
        assertThat(monitor.awaitExit(Patience.PATIENCE)).isZero();
        assertThat(monitor.output().stream().filter(line -> line.contains(": ")).toList())
            .containsAll(
                List.of(
                    "names: 1",
                    "info: 1",
                    "count: true",
                    "one: false",
                    "several: 1",
                    "instance: true",
                    "listen: done",
                    "heard: jmx.attribute.change",
                    "set: refused AccessException",
                    "set several: refused AccessException",
                    "invoke: refused AccessException",
                    "unregister: refused AccessException",
                    "create: refused AccessException",
                    "left: true"));
      }
    }
  }

  private static ChildJvm monitor(
      String name, Path directory, String port, String what, String... options) throws Exception {
    return ChildJvm.named(name, directory)
        .jvmOptions(options)
        .jvmOptions("-Xmx64m")
        .classPath(BuiltArtefacts.codeSource(Monitor.class))
        .main(Monitor.class.getName())
        .arguments(InsideHosts.INSIDE, port, what)
        .start();
  }
}
