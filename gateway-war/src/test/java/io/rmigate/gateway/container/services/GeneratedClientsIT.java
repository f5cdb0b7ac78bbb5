package io.rmigate.gateway.container.services;

import static io.restassured.RestAssured.given;
import static io.rmigate.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.testing.InsideHosts;
import io.rmigate.gateway.testing.LeftoverCheck;
import io.rmigate.gateway.testing.OpenGateway;
import io.rmigate.testing.Tier;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Clients of which openapi-generator makes the classes, from both versions of the OpenAPI document.
 * They come to the lines that plain RMI comes to.
 */
@Tag(Tier.FULL)
@ExtendWith(LeftoverCheck.class)
class GeneratedClientsIT {
  private static SampleInside inside;
  private static OpenGateway gateway;
  private static List<String> shown;

  /** But for what is in no document, and what only the bytes alone show. */
  @BeforeAll
  static void start() throws Exception {
    inside = SampleInside.start(GeneratedClientsIT.class);
    shown =
        ClientsIT.calledByPlainRmi(inside)
            .lines()
            .filter(line -> !line.matches("(?:renewed|download|upload)=.*"))
            .toList();
    assertThat(shown).hasSize(29);
    gateway =
        OpenGateway.start(
            inside.directory().resolve("gateway"),
            inside.hosts(),
            OpenGateway.targets(InsideHosts.INSIDE + ":*"),
            "publish:",
            inside.showcase("showcase"));
  }

  @AfterAll
  static void stop() {
    if (gateway != null) {
      gateway.close();
    }
    inside.close();
  }

  private static String address() {
    return gateway.uri() + "/services/showcase";
  }

  private static String document(String version) {
    return address() + "/openapi.json?version=" + version;
  }

  private static ForeignProgram program(String... command) {
    return new ForeignProgram(inside.directory(), List.of(command));
  }

  private static int unreferenced() {
    return given()
        .contentType("application/json")
        .post(address() + "/unreferencedCounters")
        .then()
        .statusCode(200)
        .extract()
        .as(Integer.class);
  }

  /** The server itself refers to what was passed back to it, until its collector runs. */
  private static void makeGarbage() {
    given()
        .contentType("application/octet-stream")
        .body(new byte[16 << 20])
        .post(address() + "/receive")
        .then()
        .statusCode(200);
  }

  /** And what the client releases is released by the gateway. */
  private static void mustSeeTheSame(ForeignProgram client, String... arguments) throws Exception {
    int before = unreferenced();
    assertThat(client.output(arguments).lines()).containsExactlyElementsOf(shown);
    await()
        .until(
            () -> {
              makeGarbage();
              return unreferenced() > before; // counters of earlier tests are lost, too
            });
  }

  @ParameterizedTest
  @ValueSource(strings = {"3.0", "3.1"})
  void python(String version) throws Exception {
    OpenApiGenerator generator = OpenApiGenerator.in(inside.directory());
    String python = OpenApiGenerator.python();
    program(python, "-c", "import pydantic, urllib3, dateutil")
        .needed("pydantic, urllib3 or dateutil of Python (deploy/get-tools gets them)");
    Path made =
        generator.generate(
            "python", document(version), "--additional-properties=packageName=showcase");
    Path client = ForeignProgram.file("/clients/openapi_client.py", inside.directory());
    mustSeeTheSame(program(python, client.toString()), address(), made.toString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"3.0", "3.1"})
  void java(String version) throws Exception {
    OpenApiGenerator generator = OpenApiGenerator.in(inside.directory());
    Path made = generator.generate("java", document(version), "--library=native");
    generator.compile(made, ForeignProgram.file("/clients/OpenApiCalls.java", made));
    mustSeeTheSame(generator.java(made, "OpenApiCalls"), address());
  }
}
