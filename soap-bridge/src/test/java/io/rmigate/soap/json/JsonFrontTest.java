package io.rmigate.soap.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rmigate.soap.call.Caller;
import io.rmigate.soap.http.BodyRoom;
import io.rmigate.soap.publish.Operation;
import io.rmigate.soap.publish.Operation.Parameter;
import io.rmigate.soap.testing.RecordedReply;
import io.rmigate.soap.testing.RunningShop;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The rules of JSON.md, by calls of a real remote object. */
class JsonFrontTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  private static RunningShop shop;
  private static JsonFront front;

  @BeforeAll
  static void start(@TempDir Path directory) throws Exception {
    shop = RunningShop.in(directory);
    front = new JsonFront(shop.publication().contract(), JsonLimits.DEFAULT);
  }

  @AfterAll
  static void stop() throws Exception {
    shop.close();
  }

  private static RecordedReply call(String operation, String json) throws IOException {
    return RecordedReply.of(front, shop.caller(), operation, json);
  }

  /** The result of a call that succeeds. */
  private static JsonNode result(String operation, String json) throws IOException {
    RecordedReply reply = call(operation, json);
    assertThat(reply.text()).isNotEmpty();
    assertThat(reply.status()).as(reply.text()).isEqualTo(200);
    assertThat(reply.contentType()).isEqualTo("application/json");
    return JSON.readTree(reply.text());
  }

  /** The problem with a call that is refused before anything is called. */
  private static JsonNode refused(int status, String operation, byte[] json) throws IOException {
    int before = shop.calls();
    RecordedReply reply = RecordedReply.of(front, shop.caller(), operation, json);
    assertThat(shop.calls()).as("calls").isEqualTo(before);
    assertThat(reply.status()).as(reply.text()).isEqualTo(status);
    assertThat(reply.contentType()).isEqualTo("application/problem+json");
    JsonNode problem = JSON.readTree(reply.text());
    assertThat(problem.get("status").asInt()).isEqualTo(status);
    assertThat(problem.get("executed").asText()).isEqualTo("no");
    return problem;
  }

  private static JsonNode refused(String operation, String json) throws IOException {
    return refused(400, operation, json.getBytes(StandardCharsets.UTF_8));
  }

  /** What is sent comes back. */
  private static void echoed(String operation, String argument, String json) throws IOException {
    String body = "{\"" + argument + "\":" + json + "}";
    assertThat(result(operation, body)).isEqualTo(JSON.readTree(json));
  }

  @Test
  void everyScalarCrossesAndComesBack() throws Exception {
    echoed(
        "words",
        "words",
        """
        {"z":true,"b":-128,"s":32767,"i":-2147483648,"j":9223372036854775807,"f":1.5,"d":-1.0E-300,
         "c":"\\u010d","boxed":7,"text":"\\uD83D\\uDE00 \\"\\\\ ","large":"123456789012345678901234567890",
         "exact":"19.90","id":"123e4567-e89b-12d3-a456-426614174000","link":"../a?b=c#d",
         "language":"sl-SI","instant":"2026-11-21T14:20:00.000000001Z",
         "calendar":"2026-11-21T15:20:00.5+01:00","stamp":"2026-11-21T14:20:00.123456789Z",
         "local":"2026-11-21T15:20:01","zoned":"2026-11-21T15:20:01+01:00[Europe/Ljubljana]",
         "year":"2026"}
        """);
  }

  /** As ISO 8601 has it; offsets where there are none are no JSON of RFC 3339. */
  @Test
  void midnightMayBeTheEndOfADay() throws Exception {
    String words =
        "{'words':{'z':true,'b':0,'s':0,'i':0,'j':0,'f':0,'d':0,'c':'c',%s}}".replace('\'', '"');
    String midnights =
        "\"instant\":\"2026-12-31T24:00:00+01:00\",\"local\":\"2026-12-31T24:00:00\"";

    JsonNode read = result("words", words.formatted(midnights));

    assertThat(read.get("instant").asText()).isEqualTo("2026-12-31T23:00:00Z");
    assertThat(read.get("local").asText()).startsWith("2027-01-01T00:00");
    refused("words", words.formatted("\"local\":\"2026-12-31T24:00:00Z\""));
    refused("words", words.formatted("\"local\":\"2026-12-31T24:00:01\""));
  }

  /** "Aa" and "BB" have the same hash code, and so have all words of as many of them. */
  private static String entriesOfOneHashCode(int count, String form) {
    return IntStream.range(0, count)
        .mapToObj(i -> Integer.toBinaryString(i | 1 << 13).substring(1))
        .map(bits -> form.formatted(bits.replace("0", "Aa").replace("1", "BB")))
        .collect(Collectors.joining(","));
  }

  @Test
  void keysThatAreChosenForTheirHashCodesAreFew() throws Exception {
    String stock = "{\"stock\":[%s]}";
    String entry = "{\"key\":{\"number\":\"%s\"},\"value\":1}";
    String addresses = "{\"customer\":{\"addresses\":{%s}}}";

    assertThat(
            refused("stock", stock.formatted(entriesOfOneHashCode(1 << 13, entry)))
                .get("detail")
                .asText())
        .contains("has too many keys whose hash codes are equal");
    assertThat(call("stock", stock.formatted(entriesOfOneHashCode(500, entry))).status())
        .isEqualTo(200);
    assertThat(
            call("customer", addresses.formatted(entriesOfOneHashCode(1 << 13, "\"%s\":null")))
                .status())
        .as("texts have an order")
        .isEqualTo(200);
  }

  @Test
  void whatIsNotFiniteIsAString() throws Exception {
    JsonNode words =
        result(
            "words",
            """
            {"words":{"z":false,"b":0,"s":0,"i":0,"j":0,"f":"NaN","d":"-Infinity","c":"x"}}
            """);

    assertThat(words.get("f").asText()).isEqualTo("NaN");
    assertThat(words.get("d").asText()).isEqualTo("-Infinity");
    assertThat(words.get("text").isNull()).as("what is left out is null").isTrue();
  }

  @Test
  void exactNumbersAreReadFromNumbersToo() throws Exception {
    JsonNode words =
        result(
            "words",
            """
            {"words":{"z":false,"b":0,"s":0,"i":0,"j":0,"f":0,"d":0,"c":"x",
             "large":98765432109876543210,"exact":1.10}}
            """);

    assertThat(words.get("large").asText()).isEqualTo("98765432109876543210");
    assertThat(words.get("exact").asText()).isEqualTo("1.10");
  }

  @Test
  void nullIsAValueOfEverythingButPrimitives() throws Exception {
    assertThat(result("find_String", "{\"number\":null}").isNull()).isTrue();
    assertThat(refused("numbers", "{\"count\":null}").get("pointer").asText()).isEqualTo("/count");
    assertThat(refused("numbers", "{}").get("pointer").asText()).isEqualTo("/count");
  }

  /** Otherwise methods get nulls that no client has written, and may fail with any exception. */
  @Test
  void aRequestWithoutItsArgumentsIsRefusedUncalledWhateverTheirTypes() throws Exception {
    int before = shop.calls();
    int refused = 0;
    for (Operation operation : shop.publication().contract().operations()) {
      for (Parameter parameter : operation.parameters()) {
        JsonNode sample = JsonSample.of(operation).without(parameter.name());

        JsonNode problem = refused(operation.name(), sample.toString());

        assertThat(problem.get("pointer").asText()).isEqualTo("/" + parameter.name());
        assertThat(problem.get("detail").asText()).contains("is missing");
        refused++;
      }
      if (!operation.parameters().isEmpty()) {
        refused(operation.name(), "{}");
      }
    }
    assertThat(refused).isGreaterThan(15);
    assertThat(shop.calls()).isEqualTo(before);
  }

  @Test
  void beansKeepWhatTheirClassGivesThem() throws Exception {
    JsonNode customer =
        result("customer", "{\"customer\":{\"name\":\"Ana\",\"tags\":[\"a\",\"b\"]}}");

    assertThat(customer)
        .isEqualTo(
            JSON.readTree(
                """
                {"name":"Ana","since":null,"regular":false,"tags":["a","b"],"addresses":{},
                 "greeting":"Dear Ana"}
                """));
  }

  @Test
  void computedPropertiesArePassedOver() throws Exception {
    echoed(
        "customer",
        "customer",
        """
        {"name":"Ana","since":"2026-11-21T14:20:00.500Z","regular":true,"tags":[],
         "addresses":{"home":{"street":"Cesta","number":7}},"greeting":"Dear Ana"}
        """);
  }

  @Test
  void choicesAreToldApartByName() throws Exception {
    echoed(
        "pay",
        "payments",
        """
        [{"@type":"Card","number":"1","expires":"2028-02","code":-7,"limit":"9.90","rate":0.5},
         null,
         {"@type":"Invoice","payer":null,"due":"PT48H"}]
        """);
  }

  @Test
  void theNameOfAChoiceMayComeLast() throws Exception {
    JsonNode paid =
        result(
            "pay",
            """
            {"payments":[{"expires":"2028-02","code":-7,"limit":1.10,"rate":0.5,"@type":"Card"}]}
            """);

    assertThat(paid.get(0))
        .isEqualTo(
            JSON.readTree(
                """
                {"@type":"Card","number":null,"expires":"2028-02","code":-7,"limit":"1.10","rate":0.5}
                """));
  }

  @Test
  void whatIsWrongInAChoiceIsPointedAtInBothOrders() throws Exception {
    assertThat(
            refused("pay", "{\"payments\":[null,{\"@type\":\"Card\",\"expires\":\"x\"}]}")
                .get("pointer")
                .asText())
        .isEqualTo("/payments/1/expires");
    assertThat(
            refused("pay", "{\"payments\":[null,{\"expires\":\"x\",\"@type\":\"Card\"}]}")
                .get("pointer")
                .asText())
        .isEqualTo("/payments/1/expires");
  }

  @Test
  void mapsWithWordsForKeysAreObjectsAndOthersEntries() throws Exception {
    assertThat(result("byDepartment", "").fieldNames()).toIterable().containsExactly("GARDEN");
    echoed(
        "stock",
        "stock",
        """
        [{"key":{"number":"1","department":"TOOLS","price":"1","available":"2026-11-21",
         "picture":"AQI="},"value":3}]
        """);
  }

  @Test
  void arraysSetsTreesAndOverloadsCross() throws Exception {
    echoed("matrix", "rows", "[[1,2],[],null]");
    echoed(
        "tree",
        "root",
        "{\"value\":1,\"left\":{\"value\":2,\"left\":null,\"right\":null},\"right\":null}");
    assertThat(result("departments", "{\"departments\":[\"TOOLS\"]}"))
        .isEqualTo(JSON.readTree("[\"GARDEN\"]"));
    assertThat(
            result("find_Department_int", "{\"department\":\"TOOLS\",\"from\":5}")
                .at("/items/0/number")
                .asText())
        .isEqualTo("G-5");
  }

  @Test
  void aMethodWithoutResultHasNoContent() throws Exception {
    RecordedReply reply = call("restock", "{\"number\":\"1\",\"pieces\":2}");

    assertThat(reply.status()).isEqualTo(204);
    assertThat(reply.body()).isEmpty();
  }

  @Test
  void referencesCanBeCalledAndPassedBack() throws Exception {
    JsonNode handle = result("newBasket", "");
    JsonFront baskets = new JsonFront(shop.publication().contracts().get(1), JsonLimits.DEFAULT);
    String href = handle.get("href").asText();

    RecordedReply added =
        RecordedReply.of(baskets, shop.callerOf(href), "add", "{\"number\":\"G-1\",\"pieces\":4}");

    assertThat(handle.get("interface").asText()).isEqualTo("Basket");
    assertThat(handle.get("expires").asText()).isEqualTo("2026-11-21T12:00:00Z");
    assertThat(added.text()).isEqualTo("4");
    assertThat(result("piecesIn", "{\"basket\":\"" + href + "\"}").asInt()).isEqualTo(4);
    assertThat(result("piecesIn", "{\"basket\":" + handle + "}").asInt()).isEqualTo(4);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"\"https://gateway.example/handles/999\"", "\"rmi://inside/Basket\"", "{}", "7"})
  void aHandleOfNobodyIsRefused(String handle) throws Exception {
    assertThat(refused("piecesIn", "{\"basket\":" + handle + "}").get("pointer").asText())
        .isEqualTo("/basket");
  }

  @Test
  void declaredExceptionsAreProblemTypesWithTheirProperties() throws Exception {
    RecordedReply reply = call("fail", "{\"how\":\"declared\"}");

    assertThat(reply.contentType()).isEqualTo("application/problem+json");
    assertThat(JSON.readTree(reply.text()))
        .isEqualTo(
            JSON.readTree(
                """
                {"type":"urn:rmigate:exception:shop.Shop$OutOfStock","title":"OutOfStock",
                 "status":422,"detail":"only 3 of G-1 left","executed":"yes",
                 "exception":{"message":"only 3 of G-1 left","number":"G-1","left":3}}
                """));
    assertThat(reply.status()).isEqualTo(422);
  }

  @ParameterizedTest
  @ValueSource(strings = {"unchecked", "error"})
  void undeclaredExceptionsTellNothing(String how) throws Exception {
    RecordedReply reply = call("fail", "{\"how\":\"" + how + "\"}");

    assertThat(reply.status()).isEqualTo(500);
    assertThat(reply.text())
        .contains("urn:rmigate:problem:failed")
        .doesNotContain("secret", "java");
  }

  @Test
  void anObjectThatIsGoneWasNotCalled(@TempDir Path directory) throws Exception {
    try (RunningShop other = RunningShop.in(directory)) {
      other.unexport();
      JsonFront otherFront = new JsonFront(other.publication().contract(), JsonLimits.DEFAULT);

      RecordedReply reply =
          RecordedReply.of(otherFront, other.caller(), "find_String", "{\"number\":null}");

      assertThat(reply.status()).isEqualTo(502);
      assertThat(JSON.readTree(reply.text()).get("executed").asText()).isEqualTo("no");
    }
  }

  /** What is not there, not mapped and not permitted answers alike. */
  @Test
  void thereIsOneAnswerForWhatCannotBeCalled() throws Exception {
    String missing = refused(404, "missing", new byte[0]).toString();
    assertThat(refused(404, "anything", new byte[0]).toString()).isEqualTo(missing);

    RecordedReply forbidden =
        RecordedReply.of(front, shop.caller((contract, operation) -> false), "ring", "");
    assertThat(JSON.readTree(forbidden.text()).toString()).isEqualTo(missing);
  }

  @Test
  void bytesCrossAsTheyAre() throws Exception {
    byte[] data = new byte[100_000];
    new Random(1).nextBytes(data);

    RecordedReply raw =
        RecordedReply.of(
            front,
            shop.caller(),
            new JsonRequest(
                "reversed",
                "application/octet-stream",
                "application/octet-stream",
                new ByteArrayInputStream(data)));
    JsonNode encoded =
        result("reversed", "{\"data\":\"" + Base64.getEncoder().encodeToString(data) + "\"}");

    assertThat(raw.contentType()).isEqualTo("application/octet-stream");
    assertThat(raw.body()).hasSize(data.length).isEqualTo(encoded.binaryValue());
    assertThat(raw.body()[0]).isEqualTo(data[data.length - 1]);
  }

  /** As openapi-generator's Java client does, which then reads JSON. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "application/json, application/octet-stream, application/problem+json | application/json",
        "application/octet-stream, application/json | application/json",
        "application/octet-stream;q=0.5, application/json;q=0.4 | application/octet-stream",
        "application/json;q=0.9, application/octet-stream | application/octet-stream",
        "application/octet-stream;q=0 | application/json",
        "Application/Octet-Stream, */* | application/octet-stream",
        "*/* | application/json",
      })
  void bytesAreAnsweredToClientsThatPreferThem(String accept, String contentType) throws Exception {
    byte[] body = "{\"data\":\"AQI=\"}".getBytes(StandardCharsets.UTF_8);

    RecordedReply reply =
        RecordedReply.of(
            front,
            shop.caller(),
            new JsonRequest(
                "reversed", "application/json", accept, new ByteArrayInputStream(body)));

    assertThat(reply.contentType()).isEqualTo(contentType);
    assertThat(reply.body())
        .isEqualTo(
            contentType.equals("application/json")
                ? "\"AgE=\"".getBytes(StandardCharsets.UTF_8)
                : new byte[] {2, 1});
  }

  @Test
  void aLongResultIsWrittenAsItComes() throws Exception {
    assertThat(result("numbers", "{\"count\":100000}")).hasSize(100_000);
  }

  /** Holds beyond what the generator itself holds back, too. */
  @ParameterizedTest
  @ValueSource(ints = {0, 10, 1500})
  void aResultThatFailsEarlyIsAProblem(int after) throws Exception {
    RecordedReply reply = call("broken", "{\"after\":" + after + "}");

    assertThat(reply.status()).isEqualTo(500);
    assertThat(reply.text()).contains("urn:rmigate:problem:result", "\"executed\":\"yes\"");
  }

  /** Otherwise half a result would look like all of it. */
  @Test
  void aResultThatFailsLateCutsTheConnection() {
    assertThatThrownBy(() -> call("broken", "{\"after\":10000}"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("after its head");
  }

  @Test
  void aResultThatContainsItselfIsAProblem() throws Exception {
    RecordedReply reply = call("ring", "");

    assertThat(reply.status()).isEqualTo(500);
    assertThat(reply.text()).contains("urn:rmigate:problem:result");
  }

  @Test
  void aClassThatRefusesItsValuesSaysWhy() throws Exception {
    JsonNode problem = refused("stock", "{\"stock\":[{\"key\":{\"number\":null},\"value\":1}]}");

    assertThat(problem.get("detail").asText()).contains("a product needs a number");
    assertThat(problem.get("pointer").asText()).isEqualTo("/stock/0/key");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "numbers; {`count`:2147483648}; /count; between -2147483648 and 2147483647",
        "numbers; {`count`:1.0}; /count; whole number",
        "numbers; {`count`:`1`}; /count; whole number",
        "numbers; {`count`:1,`count`:2}; /count; twice",
        "numbers; {`count`:1,`x`:2}; /x; not known",
        "numbers; {`count`:1} {}; ``; behind its end",
        "numbers; [1]; ``; not an object",
        "numbers; 1; ``; not an object",
        "numbers; ``; ``; not an object",
        "numbers; {`count`:NaN}; ``; not valid JSON",
        "numbers; {`count`:1e400000}; /count; whole number",
        "numbers; {'count':1}; ``; not valid JSON",
        "numbers; {`count`:1,}; ``; not valid JSON",
        "numbers; {`count`:01}; ``; not valid JSON",
        "numbers; {`count`:; ``; not valid JSON",
        "departments; {`departments`:[`TOOLS`,`TOOLS`]}; /departments/1; in the set already",
        "departments; {`departments`:[`SHOES`]}; /departments/0; none of TOOLS, GARDEN",
        "departments; {`departments`:[null]}; /departments/0; cannot be an element",
        "find_String; {`number`:`\\ud800`}; /number; surrogate",
        "find_String; {`number`:`\\ude00\\ud83d`}; /number; surrogate",
        "find_String; {`number`:`a\\u0000`}; /number; NUL",
        "find_String; {`number`:{`@class`:`java.net.URL`}}; /number; not a string",
        "customer; {`customer`:{`@type`:`Customer`}}; /customer/@type; not known",
        "customer; {`customer`:{`@class`:`x`}}; /customer/@class; not known",
        "customer; {`customer`:{`$type`:`x`}}; /customer/$type; not known",
        "customer; {`customer`:{`class`:{}}}; /customer/class; not known",
        "customer; {`customer`:{`name`:`a`,`name`:`b`}}; /customer/name; twice",
        "customer; {`customer`:{`addresses`:{`a`:null,`a`:null}}}; /customer/addresses/a; has a key twice",
        "customer; {`customer`:{`addresses`:{`a`:{`street`:``}}}}; /customer/addresses/a/number;"
            + " missing",
        "customer; {`customer`:{`since`:`yesterday`}}; /customer/since; date-time",
        "pay; {`payments`:[{`@type`:`java.lang.Runtime`}]}; /payments/0/@type; no AnyPayment",
        "pay; {`payments`:[{`number`:``}]}; /payments/0; has no @type",
        "pay; {`payments`:[{`number`:``,`@type`:`Card`,`@type`:`Card`}]}; /payments/0/@type; twice",
        "pay; {`payments`:[{`@type`:`Card`,`@type`:`Card`}]}; /payments/0/@type; not known",
        "reversed; {`data`:`AQI`}; /data; base64",
        "reversed; {`data`:`A-_=`}; /data; base64",
        "reversed; {`data`:[1,2]}; /data; base64",
        "matrix; {`rows`:[[1],2]}; /rows/1; not an array",
        "stock; {`stock`:[{`value`:1}]}; /stock/0; no key",
        "stock; {`stock`:[{`key`:null,`key`:null}]}; /stock/0/key; twice",
      })
  void whatAnOperationDoesNotTakeIsRefusedUncalled(
      String operation, String json, String pointer, String reason) throws Exception {
    JsonNode problem = refused(operation, json.replace('`', '"'));

    assertThat(problem.path("pointer").asText()).isEqualTo(pointer);
    assertThat(problem.get("detail").asText()).contains(reason);
    assertThat(problem.get("type").asText()).isEqualTo("urn:rmigate:problem:bad-argument");
  }

  @ParameterizedTest
  @CsvSource({"100000, [", "100000, '{\"left\":'"})
  void depthIsBounded(int depth, String bracket) throws Exception {
    String root = bracket.startsWith("[") ? "{\"rows\":" : "{\"root\":";
    String operation = bracket.startsWith("[") ? "matrix" : "tree";

    assertThat(refused(operation, root + bracket.repeat(depth)).get("detail").asText())
        .isNotEmpty();
  }

  @Test
  void depthIsBoundedInWhatIsPassedOver() throws Exception {
    JsonNode problem =
        refused("customer", "{\"customer\":{\"greeting\":" + "[".repeat(100_000) + "}}");

    assertThat(problem.get("detail").asText()).contains("not valid JSON", "depth");
  }

  @Test
  void lengthsOfNumbersAreBounded() throws Exception {
    String digits = "9".repeat(1_000_000);
    String prefix = "{\"words\":{\"large\":";

    assertThat(refused("words", prefix + digits + "}}").get("detail").asText()).contains("length");
    assertThat(refused("words", prefix + '"' + digits + "\"}}").get("detail").asText())
        .contains("more than 1000 digits");
    assertThat(refused("words", "{\"words\":{\"exact\":1e400000}}").get("detail").asText())
        .contains("exponent");
    assertThat(refused("words", "{\"words\":{\"d\":1e400000}}").get("detail").asText())
        .contains("range");
  }

  @Test
  void onlyUtf8IsTaken() throws Exception {
    String json = "{\"count\":1}";
    for (String encoding : new String[] {"UTF-16", "UTF-16LE", "UTF-32"}) {
      refused(400, "numbers", json.getBytes(encoding));
    }
    refused(400, "numbers", ("\uFEFF" + json).getBytes(StandardCharsets.UTF_8));
    refused(400, "find_String", "{\"number\":\"\u00e9\"}".getBytes(StandardCharsets.ISO_8859_1));
    // An overlong form of the quotation mark.
    byte[] overlong = "{\"number\":\"__\"}".getBytes(StandardCharsets.UTF_8);
    overlong[11] = (byte) 0xc0;
    overlong[12] = (byte) 0xa2;
    assertThat(refused(400, "find_String", overlong).get("detail").asText()).contains("UTF-8");
  }

  @ParameterizedTest
  @ValueSource(strings = {"text/plain", "", "application/xml", "application/json5"})
  void otherMediaTypesAreRefused(String type) throws Exception {
    RecordedReply reply =
        RecordedReply.of(
            front,
            shop.caller(),
            new JsonRequest(
                "numbers",
                type,
                "",
                new ByteArrayInputStream("{\"count\":1}".getBytes(StandardCharsets.UTF_8))));

    assertThat(reply.status()).isEqualTo(415);
  }

  /** What a matrix of empty arrays is in memory: a reference and the head of an array each. */
  @Test
  void whatAFewBytesBecomeTakesTheRoomItNeeds() throws Exception {
    byte[] body = ("{\"rows\":[" + "[],".repeat(100_000) + "[]]}").getBytes(StandardCharsets.UTF_8);
    AtomicLong taken = new AtomicLong();

    assertThat(inRoom("matrix", body, taken::addAndGet).status()).isEqualTo(200);

    assertThat(body.length + taken.get()).isBetween(100_000L * (4 + 16), 10L * body.length);
  }

  @Test
  void whatIsNoLargerThanItsBytesTakesNoRoom() throws Exception {
    String text = "x".repeat(100_000);
    AtomicLong taken = new AtomicLong();

    inRoom(
        "find_String",
        ("{\"number\":\"" + text + "\"}").getBytes(StandardCharsets.UTF_8),
        taken::addAndGet);

    assertThat(taken).hasValueLessThanOrEqualTo(64 << 10);
  }

  @Test
  void nothingIsCalledForWhichThereIsNoRoom() throws Exception {
    byte[] body = ("{\"rows\":[" + "[],".repeat(100_000) + "[]]}").getBytes(StandardCharsets.UTF_8);
    int before = shop.calls();
    BodyRoom full =
        bytes -> {
          throw new IOException("full");
        };

    assertThatThrownBy(() -> inRoom("matrix", body, full)).hasMessage("full");

    assertThat(shop.calls()).isEqualTo(before);
  }

  private static RecordedReply inRoom(String operation, byte[] body, BodyRoom room)
      throws IOException {
    return RecordedReply.of(
        front,
        shop.caller(),
        new JsonRequest(operation, "application/json", "", new ByteArrayInputStream(body), room));
  }

  @Test
  void bodyTextsAndTokensAreBounded() throws Exception {
    JsonFront small =
        new JsonFront(shop.publication().contract(), new JsonLimits(1000, 50, 100, 50, 200, 1000));
    int before = shop.calls();

    assertThat(status(small, "find_String", "{\"number\":\"" + "x".repeat(2000) + "\"}"))
        .isEqualTo(413);
    assertThat(status(small, "find_String", "{\"number\":\"" + "x".repeat(60) + "\"}"))
        .isEqualTo(400);
    assertThat(status(small, "matrix", "{\"rows\":[" + "[],".repeat(100) + "[]]}")).isEqualTo(400);
    assertThat(status(small, "matrix", " ".repeat(2000))).isEqualTo(413);
    assertThat(shop.calls()).isEqualTo(before);
    assertThat(status(small, "find_String", "{\"number\":\"x\"}")).isEqualTo(200);
  }

  private static int status(JsonFront front, String operation, String json) throws IOException {
    return RecordedReply.of(front, shop.caller(), operation, json).status();
  }

  @Test
  void aCallThatCannotBeFinishedMayHaveBeenExecuted() throws Exception {
    Caller failing =
        new Caller(
            (method, arguments) -> {
              throw new NoClassDefFoundError("secret/Class");
            },
            shop.caller().references(),
            (contract, operation) -> true);
    RecordedReply reply = RecordedReply.of(front, failing, "numbers", "{\"count\": 1}");

    assertThat(reply.status()).isEqualTo(500);
    assertThat(reply.text())
        .contains("urn:rmigate:problem:broken", "\"executed\":\"unknown\"")
        .doesNotContain("secret");
  }
}
