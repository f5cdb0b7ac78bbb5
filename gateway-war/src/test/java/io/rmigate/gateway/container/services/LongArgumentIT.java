package io.rmigate.gateway.container.services;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.testing.BuiltArtefacts;
import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.gateway.testing.ClassJar;
import io.rmigate.gateway.testing.InsideHosts;
import io.rmigate.gateway.testing.LeftoverCheck;
import io.rmigate.gateway.testing.OpenGateway;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** An argument of 100 MB passes as shipped, through a gateway whose heap is not as large. */
@ExtendWith(LeftoverCheck.class)
class LongArgumentIT {
  private static final Duration SOON = Duration.ofMinutes(2);

  @Test
  void aHundredMegabytesPassWithTheJarOfTheInterfaceAndNoLine() throws Exception {
    Path directory =
        Files.createDirectories(
            BuiltArtefacts.workDirectory(LongArgumentIT.class)
                .resolve(Long.toString(System.nanoTime())));
    Path jars = Files.createDirectories(directory.resolve("jars"));
    ClassJar.in(jars, LongArgument.Digests.class);
    InsideHosts hosts = InsideHosts.ofAllTests();
    try (ChildJvm server =
        ChildJvm.named("server", directory)
            .jvmOptions(hosts.insideOption(), "-Xmx512m")
            .property("java.rmi.server.hostname", InsideHosts.INSIDE)
            .classPath(BuiltArtefacts.codeSource(LongArgument.class))
            .main(LongArgument.class.getName())
            .start()) {
      String port = server.awaitLine(Pattern.compile("^serving (\\d+)$"), SOON).group(1);
      OpenGateway gateway =
          OpenGateway.startWith(
              List.of("-Xmx80m"),
              directory.resolve("gateway"),
              hosts,
              OpenGateway.onlyTargets(InsideHosts.INSIDE + ":" + port),
              "classes:\n  interfaces: '" + jars + "'");
      try (ChildJvm client =
          ChildJvm.named("client", directory)
              .jvmOptions(
                  hosts.outsideOption(),
                  "-Xmx512m",
                  "-javaagent:"
                      + BuiltArtefacts.javaagent()
                      + "="
                      + gateway.uri()
                      + ",tunnel=*:*,way=websocket,stats=off")
              .classPath(BuiltArtefacts.codeSource(LongArgument.class))
              .main(LongArgument.class.getName())
              .arguments(InsideHosts.INSIDE, port)
              .start()) {
        assertThat(client.awaitLine(Pattern.compile("^(the same|another)$"), SOON).group())
            .isEqualTo("the same");
        assertThat(gateway.metric("rmigate_refused_total")).isZero();
      } finally {
        gateway.close();
      }
    }
  }
}
