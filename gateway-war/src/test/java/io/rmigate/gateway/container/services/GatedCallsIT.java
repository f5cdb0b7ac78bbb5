package io.rmigate.gateway.container.services;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.testing.BuiltArtefacts;
import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.gateway.testing.InsideHosts;
import io.rmigate.gateway.testing.LeftoverCheck;
import io.rmigate.gateway.testing.OpenGateway;
import io.rmigate.sample.SampleServer;
import io.rmigate.testing.Patience;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What an application's calls carry is learnt, enforced, and nothing else passes. */
@ExtendWith(LeftoverCheck.class)
class GatedCallsIT {
  private static final Duration SOON = Patience.PATIENCE;
  private static final Pattern OVER = Pattern.compile("^over$");
  private static final String CALLBACKS =
      "callbacks:\n  address: 127.0.0.1\n  from: ['127.*']\n  allow:\n    - principals: ['*']";

  private SampleInside inside;

  private static String targets() {
    return OpenGateway.onlyTargets(InsideHosts.INSIDE + ":*");
  }

  private List<String> client(OpenGateway gateway, String what) throws Exception {
    try (ChildJvm client =
        ChildJvm.named("client-" + what + System.nanoTime(), inside.directory())
            .jvmOptions(
                inside.hosts().outsideOption(),
                "-javaagent:"
                    + BuiltArtefacts.javaagent()
                    + "="
                    + gateway.uri()
                    + ",tunnel=*:*,way=websocket,stats=off")
            .classPath(
                BuiltArtefacts.codeSource(SampleServer.class),
                BuiltArtefacts.codeSource(GatedClient.class))
            .main(GatedClient.class.getName())
            .arguments(InsideHosts.INSIDE, Integer.toString(inside.port()), what)
            .start()) {
      client.awaitLine(OVER, SOON);
      return List.copyOf(client.output());
    }
  }

  private static void awaitRules(OpenGateway gateway, String mode) throws Exception {
    gateway.jvm().awaitLine(Pattern.compile(".*class rules: " + mode + ".*"), SOON);
  }

  private void assertAttacksRefused(OpenGateway gateway) throws Exception {
    List<String> said = client(gateway, "attack");
    assertThat(said).noneMatch(line -> line.startsWith("passed"));
    List<String> refused = said.stream().filter(line -> line.startsWith("refused")).toList();
    assertThat(refused)
        .hasSize(2)
        .allMatch(line -> line.contains("not permitted by the gateway's policy"))
        .noneMatch(line -> line.contains("java.net.URL") || line.contains("far.example:"));
  }

  private OpenGateway gateway(String classes) throws Exception {
    return OpenGateway.start(
        inside.directory().resolve("gateway"), inside.hosts(), targets(), CALLBACKS, classes);
  }

  @Test
  void whatWasLearntIsEnoughToEnforceAndNothingElsePasses() throws Exception {
    try (SampleInside sample = SampleInside.start(GatedCallsIT.class)) {
      inside = sample;
      OpenGateway gateway = gateway("classes:\n  mode: learn");
      try {
        awaitRules(gateway, "LEARN");
        assertThat(client(gateway, "work")).contains("worked");
        String rules = gateway.learnedRules();
        assertThat(rules).contains("      - 'io.rmigate.sample.Person'");

        gateway.reconfigure(CALLBACKS, rules);
        awaitRules(gateway, "ENFORCE");
        assertThat(client(gateway, "work")).contains("worked");
        long before = gateway.metric("rmigate_refused_total");
        assertAttacksRefused(gateway);
        assertThat(gateway.metric("rmigate_refused_total")).isEqualTo(before + 2);
      } finally {
        gateway.close();
      }
    }
  }

  @Test
  void theJarsOfTheInterfacesAreEnoughForWhatTheyMention() throws Exception {
    try (SampleInside sample = SampleInside.start(GatedCallsIT.class)) {
      inside = sample;
      OpenGateway gateway =
          gateway("classes:\n  interfaces: '" + inside.directory().resolve("jars") + "'");
      try {
        assertThat(client(gateway, "work")).contains("worked");
        assertAttacksRefused(gateway);
      } finally {
        gateway.close();
      }
    }
  }
}
