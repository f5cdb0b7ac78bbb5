package io.rmigate.gateway.container.kits;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.rmigate.gateway.config.GatewayConfig;
import io.rmigate.gateway.container.WorkDirectory;
import io.rmigate.gateway.testing.BuiltArtefacts;
import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.gateway.testing.LeftoverCheck;
import io.rmigate.testing.Patience;
import io.rmigate.testing.Tier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** {@code deploy/helm} and {@code deploy/kubernetes}, judged by Helm and by Kubernetes' schemas. */
@Tag(Tier.FULL)
@ExtendWith(LeftoverCheck.class)
class KubernetesKitIT {
  /** The oldest one that the chart is for, and the newest one whose schemas there are. */
  private static final List<String> VERSIONS = List.of("1.30", "1.37");

  private static final Duration SOON = Patience.PATIENCE;

  private static final Map<String, String> GOOD =
      Map.of(
          "default.yaml",
          "{}",
          "all.yaml",
          """
          replicas: 3
          drain: 120
          callbacks: {enabled: true, from: [10.1.0.0/16]}
          interfaces: rmigate-interfaces
          state: {persistent: true, storageClass: fast}
          service: {type: LoadBalancer, annotations: {a: b}}
          imagePullSecrets: [{name: registry}]
          javaOptions: -Xlog:gc
          podAnnotations: {a: b}
          nodeSelector: {a: b}
          tolerations: [{key: rmi, operator: Exists}]
          networkPolicy:
            clients: [{ipBlock: {cidr: 198.51.100.0/24}}]
            egress: [{to: [{ipBlock: {cidr: 203.0.113.7/32}}], ports: [{port: 443}]}]
          """,
          "without-users.yaml",
          """
          replicas: 1
          secrets: {users: ""}
          networkPolicy: {enabled: false}
          config: {logins: {bearer: {jwks: https://login.example/keys, issuer: i, audience: a}}}
          """);

  /** Values that would not do what they say, and what is said of them. */
  private static final Map<String, String> BAD =
      Map.of(
          "listening.yaml", "config: {listen: '0.0.0.0:80'}",
          "everybody-calls-back.yaml", "callbacks: {enabled: true}",
          "everywhere.yaml", "networkPolicy: {servers: []}",
          "every-port.yaml", "networkPolicy: {serverPorts: []}",
          "no-targets.yaml", "config: {targets: []}",
          "misspelt.yaml", "replica: 3");

  private static Path directory;
  private static String said;

  @BeforeAll
  static void render() throws Exception {
    Assumptions.assumeTrue(
        System.getProperty("os.name").equals("Linux"), "the chart is rendered on Linux only");
    directory = WorkDirectory.empty(BuiltArtefacts.workDirectory(KubernetesKitIT.class));
    Map<String, String> all = new HashMap<>(GOOD);
    all.putAll(BAD);
    List<String> arguments = new ArrayList<>();
    arguments.add(KitFile.path("helm/rmigate").toString());
    arguments.add("1.34.0");
    for (Map.Entry<String, String> each : all.entrySet()) {
      Path file = Files.writeString(directory.resolve(each.getKey()), each.getValue());
      arguments.add(file.toString());
    }
    try (ChildJvm helm =
        ChildJvm.named("helm", directory)
            .property("java.class.path", System.getProperty("java.class.path"))
            .main(Helming.class.getName())
            .arguments(arguments.toArray(String[]::new))
            .start()) {
      helm.awaitLine(Pattern.compile("^done$"), SOON);
      said = String.join("\n", helm.output());
    }
  }

  @Test
  void helmFindsNothingWrongWithTheChart() {
    assertThat(said).contains("linted").doesNotContain("not linted");
    assertThat(GOOD.keySet()).allSatisfy(file -> assertThat(said).contains("rendered " + file));
  }

  @Test
  void valuesThatOpenMoreThanTheySayAreRefused() {
    assertThat(BAD.keySet()).allSatisfy(file -> assertThat(said).contains("refused " + file));
    assertThat(said)
        .contains("callbacks.from is empty")
        .contains("networkPolicy.servers or networkPolicy.serverPorts is empty");
  }

  @Test
  void kubernetesKnowsEveryField() throws Exception {
    Tool validate = Tool.find("kubernetes-validate");
    for (String version : VERSIONS) {
      List<String> arguments = new ArrayList<>(List.of("--strict", "-k", version));
      GOOD.keySet().forEach(file -> arguments.add(rendered(file).toString()));
      validate.succeeds(arguments.toArray(String[]::new));
    }
  }

  @Test
  void theManifestsAreTheChartWithItsDefaults() throws Exception {
    assertThat(KitFile.of("kubernetes/rmigate.yaml").text())
        .as("helm template rmigate deploy/helm/rmigate --namespace rmi")
        .isEqualTo(Files.readString(rendered("default.yaml")));
  }

  @Test
  void theGatewayTakesTheConfiguration() throws Exception {
    for (String file : List.of("default.yaml", "all.yaml")) {
      Path etc = Files.createDirectories(directory.resolve("etc-" + file));
      for (String mounted : mountedFiles(file)) {
        Files.writeString(etc.resolve(mounted), "");
      }
      Path written =
          Files.writeString(
              etc.resolve("rmigate.yaml"),
              object(file, "ConfigMap")
                  .at("/data/rmigate.yaml")
                  .asText()
                  .replace("/opt/rmigate/interfaces", etc.toString()));
      Map<String, String> environment = environment(file);
      environment.put("RMIGATE_GATEWAY_STATE", etc.resolve("state").toString());
      GatewayConfig config = GatewayConfig.load(written, environment);
      JsonNode pod = pod(file);
      long grace = pod.at("/terminationGracePeriodSeconds").asLong();
      long preStop = container(file).at("/lifecycle/preStop/sleep/seconds").asLong();
      assertThat(grace).as(file).isGreaterThan(preStop + config.operation().drain().toSeconds());
      assertThat(config.policy().classes().interfaces().isPresent())
          .isEqualTo(mounts(file).contains("/opt/rmigate/interfaces"));
      assertThat(config.server().listen().port())
          .isEqualTo(container(file).at("/ports/0/containerPort").asInt());
      assertThat(container(file).at("/readinessProbe/httpGet/path").asText())
          .isEqualTo(config.server().path() + "/health/ready");
    }
  }

  @Test
  void thePodHasNoRightThatItDoesNotNeed() throws Exception {
    for (String file : GOOD.keySet()) {
      JsonNode pod = pod(file);
      assertThat(pod.at("/automountServiceAccountToken").asBoolean(true)).isFalse();
      assertThat(pod.at("/securityContext/runAsNonRoot").asBoolean()).isTrue();
      assertThat(pod.at("/securityContext/seccompProfile/type").asText())
          .isEqualTo("RuntimeDefault");
      JsonNode rights = container(file).at("/securityContext");
      assertThat(rights.at("/readOnlyRootFilesystem").asBoolean()).isTrue();
      assertThat(rights.at("/allowPrivilegeEscalation").asBoolean(true)).isFalse();
      assertThat(rights.at("/capabilities/drop/0").asText()).isEqualTo("ALL");
      assertThat(container(file).at("/resources/limits/memory").asText()).isNotEmpty();
    }
    // Nothing may go just anywhere, and nothing comes in but to what listens.
    for (JsonNode rule : object("all.yaml", "NetworkPolicy").at("/spec/egress")) {
      assertThat(rule.at("/to").size()).isPositive();
      assertThat(rule.at("/ports").size()).isPositive();
    }
    for (JsonNode rule : object("all.yaml", "NetworkPolicy").at("/spec/ingress")) {
      assertThat(rule.at("/from").size()).isPositive();
      assertThat(rule.at("/ports").size()).isPositive();
    }
  }

  /** What the container gets, on loopback. */
  private static Map<String, String> environment(String file) throws IOException {
    Map<String, String> environment = new HashMap<>();
    for (JsonNode variable : container(file).at("/env")) {
      boolean address =
          variable.at("/valueFrom/fieldRef/fieldPath").asText().equals("status.podIP");
      environment.put(
          variable.at("/name").asText(),
          address ? "127.0.0.1" : variable.at("/value").asText().replace("$(POD)", "rmigate-0"));
    }
    return environment;
  }

  private static List<String> mounts(String file) throws IOException {
    return container(file).at("/volumeMounts").findValuesAsText("mountPath");
  }

  private static List<String> mountedFiles(String file) throws IOException {
    List<String> mounted = new ArrayList<>();
    for (JsonNode volume : pod(file).at("/volumes")) {
      for (JsonNode path : volume.findValues("path")) {
        mounted.add(path.asText());
      }
    }
    return mounted;
  }

  private static JsonNode pod(String file) throws IOException {
    return object(file, "StatefulSet").at("/spec/template/spec");
  }

  private static JsonNode container(String file) throws IOException {
    return pod(file).at("/containers/0");
  }

  private static JsonNode object(String file, String kind) throws IOException {
    YAMLMapper yaml = new YAMLMapper();
    try (var objects =
        yaml.readerFor(JsonNode.class).<JsonNode>readValues(rendered(file).toFile())) {
      while (objects.hasNext()) {
        JsonNode object = objects.next();
        if (object.at("/kind").asText().equals(kind)) {
          return object;
        }
      }
    }
    throw new AssertionError("no " + kind + " in " + file);
  }

  private static Path rendered(String values) {
    return directory.resolve(values + ".rendered");
  }
}
