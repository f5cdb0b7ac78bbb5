package io.rmigate.gateway.container.replies;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.container.WorkDirectory;
import io.rmigate.gateway.testing.BuiltArtefacts;
import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.gateway.testing.GatewayKind;
import io.rmigate.gateway.testing.GatewaySetup;
import io.rmigate.gateway.testing.GatewayUnderTest;
import io.rmigate.gateway.testing.InsideHosts;
import io.rmigate.gateway.testing.LeftoverCheck;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Results of fifty megabytes, through gateways with less heap than that for all they do. */
@ExtendWith(LeftoverCheck.class)
class LongRepliesIT {
  private static final Duration SOON = Duration.ofMinutes(2);

  static Stream<Arguments> ways() {
    return GatewayKind.kindsOfThisTier()
        .flatMap(
            kind ->
                switch (kind) {
                  case STANDALONE ->
                      Stream.of(
                          Arguments.of(kind, "websocket", "on"), Arguments.of(kind, "post", "off"));
                  case JETTY_12 -> Stream.of(Arguments.of(kind, "websocket", "off"));
                  case TOMCAT_10, TOMCAT_11 -> Stream.empty();
                });
  }

  @ParameterizedTest
  @MethodSource("ways")
  void theyPassByDefaultAndEndWhereSomethingIsNotAllowed(
      GatewayKind kind, String way, String compression) throws Exception {
    Path directory =
        WorkDirectory.empty(BuiltArtefacts.workDirectory(getClass()).resolve(kind + "-" + way));
    InsideHosts hosts = InsideHosts.ofAllTests();
    try (ChildJvm server =
            ChildJvm.named("archive", directory)
                .jvmOptions(hosts.insideOption(), "-Xmx400m")
                .property("java.rmi.server.hostname", InsideHosts.INSIDE)
                .classPath(BuiltArtefacts.codeSource(ArchiveServer.class))
                .reusable()
                .main(ArchiveServer.class.getName())
                .start();
        GatewayUnderTest gateway =
            kind.start(
                new GatewaySetup(
                    directory,
                    Optional.empty(),
                    hosts,
                    List.of(InsideHosts.INSIDE + ":*"),
                    List.of("-Xmx96m"),
                    "",
                    0))) {
      String port = server.awaitLine(Pattern.compile("^archive ready (\\d+)$"), SOON).group(1);
      try (ChildJvm client =
          ChildJvm.named("client", directory)
              .jvmOptions(
                  hosts.outsideOption(),
                  "-Xmx600m",
                  "-javaagent:"
                      + BuiltArtefacts.javaagent()
                      + "="
                      + gateway.uri()
                      + ",tunnel=*:*,stats=off,way="
                      + way
                      + ",compression="
                      + compression)
              .classPath(BuiltArtefacts.codeSource(ArchiveClient.class))
              .main(ArchiveClient.class.getName())
              .arguments(InsideHosts.INSIDE, port)
              .start()) {
        client.awaitLine(Pattern.compile("^over$"), SOON);
        assertThat(client.output())
            .contains("bytes whole", "text whole", "entries whole", "again whole")
            .anyMatch(line -> line.startsWith("stranger ended"))
            .anyMatch(line -> line.startsWith("failure ended"));
      }
    }
  }
}
