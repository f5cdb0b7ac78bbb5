package io.rmigate.gateway.container.kits;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.rmigate.gateway.testing.BuiltArtefacts;
import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.gateway.testing.LeftoverCheck;
import io.rmigate.gateway.testing.SampleJar;
import io.rmigate.testing.Tier;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * {@code deploy/docker} without a container: the runtime that its Dockerfile links, its entry point
 * and its health check, on this machine.
 */
@Tag(Tier.FULL)
@ExtendWith(LeftoverCheck.class)
class DockerKitIT {
  private KitBed bed;
  private String dockerfile;
  private Path image;

  @AfterEach
  void stopEverything() throws Exception {
    if (bed != null) {
      bed.close();
    }
  }

  @Test
  void theLinkedRuntimeServesAndIsHealthyAndDrains() throws Exception {
    bed = new KitBed(getClass());
    dockerfile = KitFile.of("docker/Dockerfile").text().replace("\\\n", " ");
    image = Files.createDirectories(bed.directory().resolve("image"));
    buildRuntime();
    publishCatalogue();
    ChildJvm gateway = gateway();
    URI uri = KitBed.uri(gateway);

    assertThat(health(uri)).isZero();
    bed.assertThatClientsGetThrough(uri);
    assertThat(bed.getAsUser(uri, "/services/catalogue?wsdl").body()).contains("wsdl:definitions");
    assertThat(bed.getAsUser(uri, "/services/catalogue?openapi").statusCode()).isEqualTo(200);

    ChildJvm client = bed.clientWithCallInFlight(uri);
    gateway.close();
    KitBed.assertAnswered(client);
    assertThat(gateway.awaitExit(KitBed.SOON)).isZero();
    assertThat(health(uri)).isEqualTo(1);
  }

  @Test
  void lintersFindNothingWrong() throws Exception {
    Tool.find("hadolint").succeeds(KitFile.path("docker/Dockerfile").toString());
    Tool.find("check-jsonschema")
        .succeeds(
            "--builtin-schema",
            "vendor.compose-spec",
            KitFile.path("docker/compose.yaml").toString());
  }

  @Test
  void theContainerIsGivenTimeToDrain() throws Exception {
    JsonNode service =
        new YAMLMapper().readTree(KitFile.of("docker/compose.yaml").text()).at("/services/gateway");
    JsonNode config = new YAMLMapper().readTree(KitFile.of("rmigate.yaml").text());
    assertThat(duration(service.at("/stop_grace_period")))
        .isGreaterThan(duration(config.at("/drain")));
    assertThat(service.at("/read_only").asBoolean()).isTrue();
  }

  private static Duration duration(JsonNode text) {
    return Duration.parse("PT" + text.asText().toUpperCase(Locale.ROOT));
  }

  /** As the Dockerfile does, with the JDK that runs the test. */
  private void buildRuntime() throws IOException {
    run("jlink", wordsAfter("RUN jlink "));
    Matcher others = Pattern.compile("RUN (\\S+/java .*?) +&& javac (.*?) && ").matcher(dockerfile);
    assertThat(others.find()).isTrue();
    install(others.group(1).split(" ", -1));
    run("javac", Arrays.asList(others.group(2).split(" ", -1)));
  }

  private void install(String... words) throws IOException {
    List<String> command = Arrays.stream(words).map(this::here).toList();
    try (ChildJvm install =
        ChildJvm.named("install", bed.directory())
            .with(Path.of(command.get(0)))
            .arguments(command.subList(1, command.size()).toArray(String[]::new))
            .start()) {
      assertThat(install.awaitExit(KitBed.SOON)).isZero();
    } catch (InterruptedException stopped) {
      throw new AssertionError(stopped);
    }
  }

  private void run(String tool, List<String> arguments) throws IOException {
    String[] here = arguments.stream().map(this::here).toArray(String[]::new);
    assertThat(ToolProvider.findFirst(tool).orElseThrow().run(System.out, System.err, here))
        .as(tool + " " + String.join(" ", here))
        .isZero();
  }

  private List<String> wordsAfter(String instruction) {
    return dockerfile
        .lines()
        .filter(line -> line.startsWith(instruction))
        .findFirst()
        .map(line -> Arrays.asList(line.substring(instruction.length()).strip().split("\\s+")))
        .orElseThrow();
  }

  /** Paths of the image, and of the build, as paths here. */
  private String here(String word) {
    return word.replace("/build/rmigate.war", BuiltArtefacts.war().toString())
        .replace("/build/Health.java", KitFile.path("docker/Health.java").toString())
        .replaceFirst("^(@?)/opt/", "$1" + Matcher.quoteReplacement(image + "/opt/"))
        .replace("/etc/rmigate", bed.etc().toString());
  }

  private List<String> command(String instruction) throws IOException {
    Matcher found = Pattern.compile("(?m)^" + instruction + " (\\[.*])$").matcher(dockerfile);
    assertThat(found.find()).as(instruction).isTrue();
    List<String> words = new ArrayList<>();
    for (JsonNode word : new ObjectMapper().readTree(found.group(1))) {
      words.add(here(word.asText()));
    }
    return words;
  }

  private void publishCatalogue() throws IOException, InterruptedException {
    Files.writeString(
        bed.etc().resolve("rmigate.yaml"),
        """
        publish:
          - path: catalogue
            object: rmi://inside.example:%s/Catalogue
            interface: io.rmigate.sample.Catalogue
            jars: '%s'
            principals: ['*']
        """
            .formatted(bed.registryPort(), SampleJar.in(bed.directory().resolve("published"))),
        StandardOpenOption.APPEND);
  }

  private ChildJvm gateway() throws IOException {
    List<String> command = command("ENTRYPOINT");
    command.addAll(command("CMD"));
    return bed.start(
        ChildJvm.named("gateway", bed.directory())
            .with(Path.of(command.get(0)))
            .environment("RMIGATE_GATEWAY_LISTEN", "127.0.0.1:0")
            .jvmOptions(bed.hosts().insideOption(), "-Xmx128m")
            .arguments(command.subList(1, command.size()).toArray(String[]::new)));
  }

  /** The exit code. */
  private int health(URI gateway) throws IOException, InterruptedException {
    List<String> command = command("HEALTHCHECK .*? CMD");
    command.replaceAll(word -> word.replace("127.0.0.1:8443", gateway.getAuthority()));
    Process check = new ProcessBuilder(command).redirectErrorStream(true).start();
    check.getInputStream().readAllBytes();
    return check.waitFor();
  }
}
