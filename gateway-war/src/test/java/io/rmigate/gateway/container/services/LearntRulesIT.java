package io.rmigate.gateway.container.services;

import static io.rmigate.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.container.ProbeRun;
import io.rmigate.gateway.container.WorkDirectory;
import io.rmigate.gateway.container.probe.Inside;
import io.rmigate.gateway.container.probe.Way;
import io.rmigate.gateway.testing.BuiltArtefacts;
import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.gateway.testing.InsideHosts;
import io.rmigate.gateway.testing.InsideServers;
import io.rmigate.gateway.testing.LeftoverCheck;
import io.rmigate.gateway.testing.OldJvm;
import io.rmigate.gateway.testing.OpenGateway;
import io.rmigate.sample.SampleServer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The programs of the contract, the sample's, a JMX console, one with callbacks and one of JDK 8:
 * all run with class rules in force, by the rules that were learnt from them and nothing else.
 */
@ExtendWith(LeftoverCheck.class)
class LearntRulesIT {
  private static final Duration SOON = Duration.ofSeconds(90);
  private static final int CONNECTS = 50;

  /** Of all rules those which no program's calls can tell: how much memory there is for them. */
  private static final String LONG_CALLS = "    stream: true\n    call-limit: 4MiB";

  private static final String DOORS =
      """
      callbacks:
        address: 127.0.0.1
        from: ['127.*']
        allow:
          - principals: ['*']
      legacy:
        enabled: true
        principal: old
        from: [127.0.0.1]
      """;

  private Path directory;
  private InsideHosts hosts;
  private InsideServers servers;
  private OpenGateway gateway;
  private int clients;

  @BeforeEach
  void startServers() throws Exception {
    directory = WorkDirectory.empty(BuiltArtefacts.workDirectory(getClass()));
    hosts = InsideHosts.write(directory);
    servers = InsideServers.start(directory, hosts);
  }

  @AfterEach
  void stopEverything() throws Exception {
    if (gateway != null) {
      gateway.close();
    }
    if (servers != null) {
      servers.close();
    }
  }

  private static String[] settings(String classes) {
    return new String[] {
      OpenGateway.onlyTargets(InsideHosts.INSIDE + ":*", InsideHosts.MISSING + ":*"),
      LONG_CALLS,
      DOORS,
      classes
    };
  }

  @Test
  void whatWasLearntFromProgramsIsAllThatTheyNeed() throws Throwable {
    gateway =
        OpenGateway.start(directory.resolve("gateway"), hosts, settings("classes:\n  mode: learn"));
    runEverything();
    String rules = gateway.learnedRules();
    assertThat(rules).contains("mode: enforce").doesNotContain("# Not allowed by a line");

    gateway.reconfigure(settings(rules));
    await().until(() -> gateway.get("/health/ready").contains("\"classRules\":\"enforce\""));
    runEverything();
    assertThat(gateway.jvm().output()).noneMatch(line -> line.contains(" refused: "));
  }

  private void runEverything() throws Throwable {
    runContract();
    assertThat(output(GatedClient.class.getName(), host(), port(), "work")).contains("worked");
    assertThat(
            output(
                "io.rmigate.sample.SampleClient",
                "--host",
                host(),
                "--port",
                port(),
                "--payload-mb",
                "2",
                "--threads",
                "2"))
        .isNotEmpty();
    String url = "service:jmx:rmi:///jndi/rmi://" + host() + ":" + servers.jmxPort() + "/jmxrmi";
    assertThat(output("io.rmigate.sample.JmxClient", "--url", url))
        .contains("jmx client: everything as it should be");
    callAsJdk8();
  }

  private static String host() {
    return InsideHosts.INSIDE;
  }

  private String port() {
    return Integer.toString(servers.samplePort());
  }

  private String javaagent() {
    return "-javaagent:"
        + BuiltArtefacts.javaagent()
        + "="
        + gateway.uri()
        + ",tunnel=*:*,way=websocket,stats=off";
  }

  private void runContract() throws Throwable {
    Inside inside =
        new Inside(
            InsideHosts.INSIDE,
            InsideHosts.FORBIDDEN,
            InsideHosts.MISSING,
            servers.samplePort(),
            servers.jmxPort(),
            servers.deadPort(),
            servers.foreignPort(),
            CONNECTS,
            1);
    try (ProbeRun probe =
        new ProbeRun(
            "contract" + clients++,
            directory,
            List.of(hosts.outsideOption(), javaagent()),
            inside,
            SOON)) {
      List<DynamicTest> cases = probe.tests(Way.TUNNEL, gateway.jvm()).toList();
      assertThat(cases).hasSizeGreaterThan(30);
      List<String> failures = new ArrayList<>();
      for (DynamicTest each : cases) {
        try {
          each.getExecutable().execute();
        } catch (AssertionError failed) {
          failures.add(each.getDisplayName() + ": " + failed.getMessage());
        }
      }
      assertThat(failures).isEmpty();
    }
  }

  /** Of a program that ends by itself, with exit code 0. */
  private List<String> output(String main, String... arguments) throws InterruptedException {
    try (ChildJvm client =
        ChildJvm.named("client" + clients++, directory)
            .jvmOptions(hosts.outsideOption(), "-Xmx200m", javaagent())
            .classPath(
                BuiltArtefacts.codeSource(SampleServer.class),
                BuiltArtefacts.codeSource(GatedClient.class))
            .main(main)
            .arguments(arguments)
            .start()) {
      int exitCode = client.awaitExit(SOON);
      assertThat(exitCode).as(() -> String.join("\n", client.output())).isZero();
      return List.copyOf(client.output());
    }
  }

  private void callAsJdk8() throws IOException {
    OldJvm old = new OldJvm(gateway.port());
    OldJvm.Stub stub =
        OldJvm.Stub.in(old.toCgi(host(), servers.samplePort(), OldJvm.lookup("Everything")));
    byte[] echo = OldJvm.call(stub, "echoInt(I)I", out -> out.writeInt(42));
    assertThat(old.toCgi(stub.host(), stub.port(), echo).asInt()).isEqualTo(42);
    byte[] counter =
        OldJvm.call(stub, "newCounter(I)Lio/rmigate/sample/Counter;", out -> out.writeInt(1));
    assertThat(old.toCgi(stub.host(), stub.port(), counter).isReturned()).isTrue();
  }
}
