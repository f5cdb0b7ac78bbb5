package io.rmigate.gateway.container.kits;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.gateway.testing.InsideHosts;
import io.rmigate.gateway.testing.LeftoverCheck;
import io.rmigate.testing.LoopbackPort;
import io.rmigate.testing.Tier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** {@code deploy/tools/spring}: Spring's RMI, which knows nothing of rmigate, through a gateway. */
@Tag(Tier.FULL)
@ExtendWith(LeftoverCheck.class)
class SpringRecipeIT {
  private KitBed bed;
  private SpringApplication spring;

  @BeforeEach
  void startServer() throws Exception {
    bed = new KitBed(getClass());
    spring = SpringApplication.compile(bed.directory());
    for (Path jar : spring.jars()) { // an operator takes those with spring-context in their names
      Files.copy(jar, bed.interfaces().resolve(jar.getFileName()));
    }
  }

  @AfterEach
  void stopEverything() throws Exception {
    bed.close();
  }

  @Test
  void aProxyOfSpringCallsAServiceOfSpring() throws Exception {
    String port = Integer.toString(LoopbackPort.free());
    bed.start(spring.program("server", bed.hosts().insideOption()).arguments("serve", port))
        .awaitLine(Pattern.compile("^spring ready$"), KitBed.SOON);
    ChildJvm client =
        bed.start(
            spring
                .program(
                    "client",
                    bed.hosts().outsideOption(),
                    bed.javaagent(KitBed.uri(bed.gateway("gateway"))))
                .arguments("call", InsideHosts.INSIDE, port, "world"));

    int exitCode = client.awaitExit(KitBed.SOON);

    assertThat(client.output()).contains("Hello, world");
    assertThat(exitCode).isZero();
  }
}
