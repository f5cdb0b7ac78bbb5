package io.rmigate.gateway.container.kits;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.gateway.testing.InsideHosts;
import io.rmigate.gateway.testing.LeftoverCheck;
import io.rmigate.testing.LoopbackPort;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** {@code deploy/tools/spring}: Spring's RMI, which knows nothing of rmigate, through a gateway. */
@ExtendWith(LeftoverCheck.class)
class SpringRecipeIT {
  private KitBed bed;
  private List<Path> jars;

  @BeforeEach
  void startServer() throws Exception {
    bed = new KitBed(getClass());
    Path spring = Path.of(System.getProperty("rmigate.test.spring", "target/spring"));
    try (Stream<Path> files = Files.list(spring)) {
      jars = files.map(Path::toAbsolutePath).collect(Collectors.toList());
    }
    for (Path jar : jars) { // an operator takes those with spring-context in their names
      Files.copy(jar, bed.interfaces().resolve(jar.getFileName()));
    }
    compile();
    jars.add(bed.directory().resolve("classes"));
  }

  @AfterEach
  void stopEverything() throws Exception {
    bed.close();
  }

  @Test
  void aProxyOfSpringCallsAServiceOfSpring() throws Exception {
    String port = Integer.toString(LoopbackPort.free());
    bed.start(spring("server", bed.hosts().insideOption()).arguments("serve", port))
        .awaitLine(Pattern.compile("^spring ready$"), KitBed.SOON);
    ChildJvm client =
        bed.start(
            spring(
                    "client",
                    bed.hosts().outsideOption(),
                    bed.javaagent(KitBed.uri(bed.gateway("gateway"))))
                .arguments("call", InsideHosts.INSIDE, port, "world"));

    int exitCode = client.awaitExit(KitBed.SOON);

    assertThat(client.output()).contains("Hello, world");
    assertThat(exitCode).isZero();
  }

  private ChildJvm.Builder spring(String name, String... jvmOptions) {
    return ChildJvm.named(name, bed.directory())
        .jvmOptions(jvmOptions)
        .property("java.rmi.server.hostname", InsideHosts.INSIDE)
        .classPath(jars.toArray(Path[]::new))
        .main("SpringRmi");
  }

  private void compile() {
    String classPath =
        jars.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    int exitCode =
        ToolProvider.findFirst("javac")
            .orElseThrow()
            .run(
                System.out,
                System.err,
                "-d",
                bed.directory().resolve("classes").toString(),
                "-cp",
                classPath,
                KitFile.path("tools/spring/SpringRmi.java").toString());
    assertThat(exitCode).isZero();
  }
}
