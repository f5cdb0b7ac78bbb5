package io.rmigate.soap.json;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rmigate.soap.publish.Publication;
import io.rmigate.soap.testing.Published;
import io.rmigate.soap.testing.RunningShop;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The sample's document in the words of OpenAPI 3.0, and in no others. */
class OpenApi30Test {
  private static JsonNode recent;
  private static JsonNode old;

  @BeforeAll
  static void convert(@TempDir Path directory) throws Exception {
    try (Publication shop = RunningShop.publish(Published.jars(directory, RunningShop.source()))) {
      recent =
          OpenApiDocument.of(
              shop,
              URI.create("https://gateway.example/services/examples/shop"),
              (contract, operation) -> true);
      old = OpenApi30.of(recent);
    }
  }

  private static void mustBe(String pointer, String json) throws IOException {
    assertThat(old.at(pointer)).isEqualTo(new ObjectMapper().readTree(json.replace('\'', '"')));
  }

  @Test
  void theSameOperationsAndTypesAreInIt() {
    assertThat(old.get("openapi").asText()).isEqualTo("3.0.3");
    assertThat(recent.get("openapi").asText()).isEqualTo("3.1.0");
    assertThat(old.at("/components/schemas").fieldNames())
        .toIterable()
        .hasSizeGreaterThan(10)
        .containsExactlyElementsOf(() -> recent.at("/components/schemas").fieldNames());
    assertThat(old.get("paths").fieldNames())
        .toIterable()
        .hasSizeGreaterThan(15)
        .containsExactlyElementsOf(() -> recent.get("paths").fieldNames());
    assertThat(old.findValues("required")).isEqualTo(recent.findValues("required"));
  }

  @Test
  void noWordOf31IsInIt() {
    assertThat(recent.findValues("const")).isNotEmpty();
    assertThat(recent.findValues("contentEncoding")).isNotEmpty();
    assertThat(recent.findValues("propertyNames")).isNotEmpty();
    for (String word : new String[] {"const", "contentEncoding", "propertyNames", "summary"}) {
      assertThat(old.findValues(word)).as(word).isEmpty();
    }
    assertThat(recent.findValuesAsText("type")).contains("null");
    assertThat(old.findValuesAsText("type")).doesNotContain("null");
    assertThat(old.findValues("type")).noneMatch(JsonNode::isArray);
    assertThat(old.findValues("content"))
        .isNotEmpty()
        .allSatisfy(content -> assertThat(content).allMatch(media -> media.has("schema")));
    assertThat(old.findParents("$ref"))
        .isNotEmpty()
        .allSatisfy(reference -> assertThat(reference).hasSize(1));
  }

  @Test
  void nullsConstantsAndBytesAreSaidOtherwise() throws Exception {
    String customer = "/components/schemas/Customer/properties/";
    mustBe(customer + "name", "{'type':'string','nullable':true}");
    mustBe(
        "/components/schemas/AnyPayment.Invoice/properties/payer",
        "{'nullable':true,'allOf':[{'$ref':'#/components/schemas/Customer'}]}");
    mustBe(
        "/components/schemas/AnyPayment.Card/properties/@type",
        "{'type':'string','enum':['Card']}");
    mustBe(
        "/components/schemas/Product/properties/picture",
        "{'type':'string','nullable':true,'format':'byte'}");
    mustBe(
        "/paths/~1reversed/post/responses/200/content/application~1octet-stream",
        "{'schema':{'type':'string','format':'binary'}}");
  }
}
