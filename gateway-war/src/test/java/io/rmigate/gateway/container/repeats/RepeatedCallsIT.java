package io.rmigate.gateway.container.repeats;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.testing.BuiltArtefacts;
import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.gateway.testing.InsideHosts;
import io.rmigate.gateway.testing.LeftoverCheck;
import io.rmigate.gateway.testing.OpenGateway;
import io.rmigate.testing.Patience;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A result that the gateway refuses is no failed connect: neither Spring's proxy with {@code
 * refreshStubOnConnectFailure}, nor a client that retries, nor JMX executes the call again.
 */
@ExtendWith(LeftoverCheck.class)
class RepeatedCallsIT {
  private static final Pattern READY = Pattern.compile("^payments ready (\\d+)$");

  @Test
  void aCallWhoseResultIsRefusedIsExecutedOnceAndItsCallerIsToldSo() throws Exception {
    Path directory = Files.createDirectories(BuiltArtefacts.workDirectory(getClass()));
    InsideHosts hosts = InsideHosts.ofAllTests();
    try (ChildJvm server =
            ChildJvm.named("payments", directory)
                .jvmOptions(hosts.insideOption(), "-Xmx64m")
                .property("java.rmi.server.hostname", InsideHosts.INSIDE)
                .classPath(BuiltArtefacts.codeSource(PaymentsServer.class))
                .reusable()
                .main(PaymentsServer.class.getName())
                .start();
        OpenGateway gateway =
            OpenGateway.start(
                directory.resolve("gateway"),
                hosts,
                OpenGateway.targets(InsideHosts.INSIDE + ":*"),
                "    jmx: true");
        ChildJvm client =
            client(directory, hosts)
                .jvmOptions(
                    "-javaagent:%s=%s,tunnel=*:*,stats=off"
                        .formatted(BuiltArtefacts.javaagent(), gateway.uri()))
                .arguments(InsideHosts.INSIDE, server.awaitLine(READY, Patience.PATIENCE).group(1))
                .start()) {
      client.awaitLine(Pattern.compile("^over$"), Patience.PATIENCE);

      List<String> paid =
          client.output().stream().filter(line -> line.startsWith("paid ")).toList();
      assertThat(paid)
          .extracting(line -> line.split(" ", 5)[1] + " " + line.split(" ", 5)[2])
          .containsExactly(
              "loop 0", "spring 0", "jmx 0", "loop 200000", "spring 200000", "jmx 200000");
      assertThat(paid)
          .allSatisfy(
              line -> {
                assertThat(line.split(" ", 5)[3]).as(line).isEqualTo("1");
                assertThat(line)
                    .contains("java.rmi.UnmarshalException")
                    .contains("the call was executed; the result was refused")
                    .doesNotContain("SocketException", "java.rmi.Connect");
              });
      assertThat(client.output()).anyMatch(line -> line.startsWith("beans "));
    }
  }

  private static ChildJvm.Builder client(Path directory, InsideHosts hosts) throws Exception {
    Path spring = Path.of(System.getProperty("rmigate.test.spring", "target/spring"));
    try (Stream<Path> jars = Files.list(spring)) {
      List<Path> classPath = jars.map(Path::toAbsolutePath).collect(Collectors.toList());
      classPath.add(BuiltArtefacts.codeSource(RepeatingClient.class));
      return ChildJvm.named("client", directory)
          .jvmOptions(hosts.outsideOption(), "-Xmx64m")
          .classPath(classPath.toArray(Path[]::new))
          .main(RepeatingClient.class.getName());
    }
  }
}
