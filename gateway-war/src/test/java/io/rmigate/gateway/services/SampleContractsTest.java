package io.rmigate.gateway.services;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.rmigate.gateway.testing.SampleJar;
import io.rmigate.soap.json.OpenApi30;
import io.rmigate.soap.json.OpenApiDocument;
import io.rmigate.soap.publish.Publication;
import io.rmigate.soap.publish.PublishEntry;
import io.rmigate.soap.xml.WsdlDocument;
import io.swagger.v3.parser.OpenAPIV3Parser;
import io.swagger.v3.parser.core.models.ParseOptions;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The documents of the sample's interfaces, as people can read them in {@code
 * deploy/sample/contracts}: what clients are made from changes only on purpose. Where a change is
 * wanted, {@code -Drmigate.test.golden=write} writes them anew.
 */
class SampleContractsTest {
  private static final Path CONTRACTS = Path.of("..", "deploy", "sample", "contracts");
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  /** What stands for the interfaces among the values of Showcase. */
  private static final Map<String, List<String>> IMPLEMENTATIONS =
      Map.of(
          "io.rmigate.sample.value.Vehicle",
          List.of("io.rmigate.sample.value.Truck", "io.rmigate.sample.value.Van"),
          "io.rmigate.sample.value.Route",
          List.of("io.rmigate.sample.value.Road"));

  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"Catalogue", "Hello", "PerformanceTester", "Showcase"})
  void theWsdlIsTheGoldenOne(String name) throws Exception {
    try (Publication publication = published(name)) {
      mustBe(
          name + ".wsdl",
          WsdlDocument.of(publication.contract(), address(name), (each, operation) -> true)
              .inlined());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"Catalogue", "Hello", "PerformanceTester", "Showcase"})
  void theOpenApiDocumentIsTheGoldenOneAndValid(String name) throws Exception {
    try (Publication publication = published(name)) {
      String document =
          JSON.writeValueAsString(
                  OpenApiDocument.of(publication, address(name), (each, operation) -> true))
              + "\n";
      mustBe(name + ".openapi.json", document);
      assertThat(complaints(document)).isEmpty();
      String old = JSON.writeValueAsString(OpenApi30.of(JSON.readTree(document)));
      assertThat(complaints(old)).isEmpty();
      assertThat(complaints(old.replace("\"paths\"", "\"ways\""))).isNotEmpty();
      assertThat(complaints(document.replace("\"paths\"", "\"ways\""))).isNotEmpty();
    }
  }

  /** As the README of {@code deploy} says. */
  private Publication published(String name) throws Exception {
    return Publication.of(
        new PublishEntry(
            name,
            "io.rmigate.sample." + name,
            SampleJar.in(directory),
            Set.of(),
            name.equals("Showcase") ? IMPLEMENTATIONS : Map.of(),
            Map.of()));
  }

  private static URI address(String name) {
    return URI.create("https://gateway.example/rmigate/services/" + name);
  }

  private static List<String> complaints(String document) {
    return new OpenAPIV3Parser()
        .readContents(document, List.of(), new ParseOptions())
        .getMessages();
  }

  private static void mustBe(String name, String document) throws IOException {
    Path golden = CONTRACTS.resolve(name);
    if ("write".equals(System.getProperty("rmigate.test.golden"))) {
      Files.writeString(golden, document);
    }
    assertThat(document).as(name).isEqualTo(Files.readString(golden));
  }
}
