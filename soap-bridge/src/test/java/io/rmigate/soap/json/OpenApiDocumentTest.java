package io.rmigate.soap.json;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SpecVersion.VersionFlag;
import io.rmigate.soap.testing.RecordedReply;
import io.rmigate.soap.testing.RunningShop;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The document says what {@link JsonFront} does: real requests and answers are valid by it. */
class OpenApiDocumentTest {
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
  private static final JsonSchemaFactory SCHEMAS =
      JsonSchemaFactory.getInstance(VersionFlag.V202012);
  private static final Path GOLDEN = Path.of("src/test/resources/golden/shop-openapi.json");

  private static RunningShop shop;
  private static JsonFront front;
  private static JsonNode document;

  @BeforeAll
  static void start(@TempDir Path directory) throws Exception {
    shop = RunningShop.in(directory);
    front = new JsonFront(shop.publication().contract(), JsonLimits.DEFAULT);
    document =
        OpenApiDocument.of(
            shop.publication(),
            URI.create("https://gateway.example/services/examples/shop"),
            (contract, operation) -> true);
  }

  @AfterAll
  static void stop() throws Exception {
    shop.close();
  }

  /** Where the change is wanted, {@code -Drmigate.test.golden=write} writes the document anew. */
  @Test
  void theDocumentOfTheSampleIsTheGoldenOne() throws IOException {
    String text = JSON.writeValueAsString(document) + "\n";
    if ("write".equals(System.getProperty("rmigate.test.golden"))) {
      Files.createDirectories(GOLDEN.getParent());
      Files.writeString(GOLDEN, text);
    }

    assertThat(text).isEqualTo(Files.readString(GOLDEN));
  }

  @Test
  void theDocumentIsValidByTheSchemaOfTheSpecification() throws IOException {
    try (InputStream in = getClass().getResourceAsStream("/openapi-3.1-schema.json")) {
      JsonSchema specification = SCHEMAS.getSchema(in);

      assertThat(specification.validate(document)).isEmpty();
      assertThat(specification.validate(((ObjectNode) document.deepCopy()).without("info")))
          .as("the test can fail")
          .isNotEmpty();
    }
  }

  @Test
  void everySchemaIsValidByTheDialect() {
    JsonSchema dialect =
        SCHEMAS.getSchema(SchemaLocation.of("https://json-schema.org/draft/2020-12/schema"));

    assertThat(document.at("/components/schemas"))
        .isNotEmpty()
        .allSatisfy(schema -> assertThat(dialect.validate(schema)).isEmpty());
  }

  @Test
  void everyReferenceIsToSomethingInTheDocument() {
    assertThat(document.findValuesAsText("$ref"))
        .isNotEmpty()
        .allSatisfy(
            reference -> assertThat(document.at(reference.substring(1)).isObject()).isTrue());
  }

  /** A schema of the document, with the components it refers to. */
  private static JsonSchema schema(String pointer) {
    ObjectNode schema = document.at(pointer).deepCopy();
    assertThat(schema.isEmpty()).as(pointer).isFalse();
    schema.set("components", document.get("components"));
    return SCHEMAS.getSchema(schema);
  }

  private static JsonSchema request(String operation) {
    return schema("/paths/~1" + operation + "/post/requestBody/content/application~1json/schema");
  }

  private static JsonSchema answer(String operation, RecordedReply reply) {
    JsonNode responses = document.at("/paths/~1" + operation + "/post/responses");
    String status = Integer.toString(reply.status());
    return schema(
        "/paths/~1"
            + operation
            + "/post/responses/"
            + (responses.has(status) ? status : "default")
            + "/content/"
            + reply.contentType().replace("/", "~1")
            + "/schema");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "numbers; {'count':3}",
        "numbers; {'count':2000000}",
        "find_String; {'number':'7'}",
        "find_String; {'number':null}",
        "find_Department_int; {'department':'TOOLS','from':1}",
        "customer; {'customer':{'name':'Ana','since':'2026-11-21T14:20:00Z','tags':['a'],"
            + "'addresses':{'home':{'street':null,'number':1}}}}",
        "pay; {'payments':[null,{'@type':'Card','code':1,'rate':0.5},{'@type':'Invoice',"
            + "'due':'PT1H','payer':{}}]}",
        "words; {'words':{'z':true,'b':1,'s':1,'i':1,'j':1,'f':'NaN','d':1e300,'c':'c',"
            + "'exact':'1.5','large':'1','id':'123e4567-e89b-12d3-a456-426614174000'}}",
        "stock; {'stock':[{'key':{'number':'1','picture':'AQI='},'value':2}]}",
        "departments; {'departments':['TOOLS']}",
        "tree; {'root':{'value':1,'left':{'value':2}}}",
        "matrix; {'rows':[[1],null]}",
        "reversed; {'data':'AQI='}",
        "newBasket; {}",
        "fail; {'how':'declared'}",
        "fail; {'how':'unchecked'}",
        "ring; {}",
      })
  void whatIsTakenAndAnsweredIsValid(String operation, String json) throws IOException {
    String body = json.replace('\'', '"');

    RecordedReply reply = RecordedReply.of(front, shop.caller(), operation, body);

    JsonNode answer = JSON.readTree(reply.body());
    assertThat(answer(operation, reply).validate(answer)).as(answer.toString()).isEmpty();
    if (!operation.equals("newBasket") && !operation.equals("ring")) {
      assertThat(request(operation).validate(JSON.readTree(body))).isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "numbers; {}",
        "numbers; {'count':null}",
        "numbers; {'count':1.5}",
        "numbers; {'count':2147483648}",
        "numbers; {'count':1,'more':2}",
        "find_Department_int; {'department':'SHOES','from':1}",
        "customer; {'customer':{'@type':'Customer'}}",
        "customer; {'customer':{'addresses':{'home':{'street':'x'}}}}",
        "pay; {'payments':[{'number':'1'}]}",
        "pay; {'payments':[{'@type':'Cash'}]}",
        "words; {'words':{'z':1}}",
        "find_String; {}",
        "customer; {}",
        "departments; {}",
        "reversed; {}",
        "piecesIn; {}",
        "find_Department_int; {'from':1}",
        "stock; {'stock':[{'value':1}]}",
        "departments; {'departments':['TOOLS','TOOLS']}",
        "piecesIn; {'basket':{}}",
      })
  void whatIsRefusedIsNotValid(String operation, String json) throws IOException {
    String body = json.replace('\'', '"');

    RecordedReply reply = RecordedReply.of(front, shop.caller(), operation, body);

    assertThat(reply.status()).isEqualTo(400);
    JsonNode answer = JSON.readTree(reply.body());
    assertThat(answer(operation, reply).validate(answer)).isEmpty();
    assertThat(request(operation).validate(JSON.readTree(body))).isNotEmpty();
  }

  /** As the reader has them: the schemas take what it takes, and nothing else. */
  @ParameterizedTest
  @CsvSource({"b, 128", "s, 32768", "i, 2147483648", "j, 9223372036854775808"})
  void integersAreReadAsTheDocumentSays(String name, BigInteger beyond) throws IOException {
    BigInteger most = beyond.subtract(BigInteger.ONE);
    BigInteger least = beyond.negate();
    for (Object taken : List.of(most, least, 0, -1)) {
      assertThat(isValid(name, taken.toString())).as("%s %s", name, taken).isTrue();
      assertThat(isTaken(name, taken.toString())).as("%s %s", name, taken).isTrue();
    }
    for (Object refused :
        List.of(beyond, least.subtract(BigInteger.ONE), 1.5, "\"1\"", true, "null", "[1]")) {
      assertThat(isValid(name, refused.toString())).as("%s %s", name, refused).isFalse();
      assertThat(isTaken(name, refused.toString())).as("%s %s", name, refused).isFalse();
    }
  }

  /** Which the one notation has and the other does not. */
  @ParameterizedTest
  @ValueSource(strings = {"1.0", "1e3"})
  void whatJsonSchemaCannotTellFromAnIntegerIsSaidInWords(String number) throws IOException {
    assertThat(isTaken("j", number)).isFalse();
    assertThat(document.at("/info/description").asText()).contains(number);
  }

  @ParameterizedTest
  @CsvSource({
    "large, 12345678901234567890, true",
    "large, -1, true",
    "large, 1.5, false",
    "large, 1e3, false",
    "large, x, false",
    "exact, -1.50, true",
    "exact, 1e3, true",
    "exact, .5, true",
    "exact, '', false",
    "exact, 0x1, false",
    "exact, '1,5', false",
  })
  void exactNumbersAreReadAsTheDocumentSays(String name, String text, boolean taken)
      throws IOException {
    assertThat(isValid(name, "\"" + text + "\"")).isEqualTo(taken);
    assertThat(isTaken(name, "\"" + text + "\"")).isEqualTo(taken);
  }

  private static String words(String name, String value) throws IOException {
    ObjectNode words =
        (ObjectNode)
            JSON.readTree(
                "{'z':true,'b':1,'s':1,'i':1,'j':1,'f':1,'d':1,'c':'c'}".replace('\'', '"'));
    words.set(name, JSON.readTree(value));
    return "{\"words\":" + words.toString().replace("1000.0", "1e3") + "}";
  }

  private static boolean isValid(String name, String value) throws IOException {
    return request("words").validate(JSON.readTree(words(name, value))).isEmpty();
  }

  private static boolean isTaken(String name, String value) throws IOException {
    int status = RecordedReply.of(front, shop.caller(), "words", words(name, value)).status();
    assertThat(status).isIn(200, 400);
    return status == 200;
  }

  @Test
  void onlyWhatItsReaderMayCallIsShown() {
    JsonNode narrow =
        OpenApiDocument.of(
            shop.publication(),
            URI.create("https://gateway.example/services/examples/shop"),
            (contract, operation) -> operation.name().equals("numbers"));

    assertThat(narrow.get("paths").fieldNames()).toIterable().containsExactly("/numbers");
    assertThat(narrow.at("/components/schemas").fieldNames())
        .toIterable()
        .containsExactly("Problem");
  }

  @Test
  void objectsBehindHandlesAreBelowTheirInterface() {
    assertThat(document.get("paths").fieldNames())
        .toIterable()
        .contains("/Basket/{handle}/add", "/Basket/{handle}/shop", "/newBasket")
        .doesNotContain("/anything");
  }
}
