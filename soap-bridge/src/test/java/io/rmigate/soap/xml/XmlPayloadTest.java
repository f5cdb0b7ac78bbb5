package io.rmigate.soap.xml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.rmigate.soap.call.CallFailure;
import io.rmigate.soap.publish.Contract;
import io.rmigate.soap.publish.Operation;
import io.rmigate.soap.testing.RunningShop;
import io.rmigate.soap.type.UnreadableValueException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import javax.xml.stream.XMLStreamWriter;
import javax.xml.transform.Source;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.stream.StreamSource;
import javax.xml.validation.Schema;
import javax.xml.validation.SchemaFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** The rules of XML.md, by calls of a real remote object; all that crosses is valid by the WSDL. */
class XmlPayloadTest {
  private static final Path GOLDEN = Path.of("src/test/resources/golden/shop.wsdl");
  private static final URI ADDRESS = URI.create("https://gateway.example/services/examples/shop");

  private static RunningShop shop;
  private static Contract contract;
  private static String wsdl;
  private static Schema schema;

  @BeforeAll
  static void start(@TempDir Path directory) throws Exception {
    shop = RunningShop.in(directory);
    contract = shop.publication().contract();
    wsdl = WsdlDocument.of(contract, ADDRESS, (c, operation) -> true).inlined();
    schema = schema(wsdl);
  }

  @AfterAll
  static void stop() throws Exception {
    shop.close();
  }

  /** All schemas in a WSDL, as a validator of the JDK understands them. */
  private static Schema schema(String wsdl) throws Exception {
    DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
    factory.setNamespaceAware(true);
    NodeList schemas =
        factory
            .newDocumentBuilder()
            .parse(new ByteArrayInputStream(wsdl.getBytes(StandardCharsets.UTF_8)))
            .getElementsByTagNameNS(XmlNames.XSD, "schema");
    return SchemaFactory.newInstance(XmlNames.XSD)
        .newSchema(
            IntStream.range(0, schemas.getLength())
                .mapToObj(i -> new DOMSource(schemas.item(i)))
                .toArray(Source[]::new));
  }

  private static void mustBeValid(String payload) {
    assertThatCode(
            () -> schema.newValidator().validate(new StreamSource(new StringReader(payload))))
        .as(payload)
        .doesNotThrowAnyException();
  }

  private static String payload(String operation, String content) {
    return "<t:%1$s xmlns:t='%2$s' xmlns:xsi='%3$s'>%4$s</t:%1$s>"
        .formatted(operation, XmlNames.namespace(contract), XmlNames.XSI, content);
  }

  private static Object[] arguments(String operation, String content)
      throws XMLStreamException, BadElementException {
    XMLStreamReader xml =
        XMLInputFactory.newDefaultFactory()
            .createXMLStreamReader(new StringReader(payload(operation, content)));
    xml.nextTag();
    return new XmlReader(xml, shop.caller().references(), BinaryCarrier.INLINE, 50, 1000)
        .arguments(contract.operation(operation).orElseThrow());
  }

  private interface Content {
    void to(XmlWriter xml) throws XMLStreamException, UnreadableValueException, CallFailure;
  }

  private static String written(Content content)
      throws XMLStreamException, UnreadableValueException, CallFailure {
    StringWriter text = new StringWriter();
    XMLStreamWriter xml = XMLOutputFactory.newDefaultFactory().createXMLStreamWriter(text);
    content.to(new XmlWriter(xml, shop.caller().references(), BinaryCarrier.INLINE, 200));
    xml.flush();
    return text.toString();
  }

  /** What is in the answer to a call, all of which is valid. */
  private static String result(String name, String content) throws Exception {
    Operation operation = contract.operation(name).orElseThrow();
    mustBeValid(payload(name, content));
    Object result = shop.caller().target().call(operation.method(), arguments(name, content));
    String answer = written(xml -> xml.result(XmlNames.namespace(contract), operation, result));
    mustBeValid(answer);
    return answer.replaceAll("^<[^>]*>|</[^>]*>$", "");
  }

  /** What is sent comes back. */
  private static void echoed(String operation, String argument, String content) throws Exception {
    assertThat(
            result(operation, content.replace("_>", argument + ">").replace("_ ", argument + " ")))
        .isEqualTo(content.replace("_>", "return>").replace("_ ", "return "));
  }

  /** Where the change is wanted, {@code -Drmigate.test.golden=write} writes the document anew. */
  @Test
  void theWsdlOfTheSampleIsTheGoldenOne() throws IOException {
    if ("write".equals(System.getProperty("rmigate.test.golden"))) {
      Files.writeString(GOLDEN, wsdl);
    }

    assertThat(wsdl).isEqualTo(Files.readString(GOLDEN));
  }

  @Test
  void everyContractHasAValidSchema() throws Exception {
    for (Contract each : shop.publication().contracts()) {
      assertThat(schema(WsdlDocument.ofReference(each, ADDRESS, (c, operation) -> true).inlined()))
          .isNotNull();
    }
  }

  @Test
  void aReferenceSaysHowToMakeAProxyOfIt() throws Exception {
    assertThat(result("newBasket", ""))
        .contains("wsdli:wsdlLocation=\"urn:rmigate:contract:shop.Shop.Basket https://gateway.exa")
        .contains("<wsam:InterfaceName>i:Basket</wsam:InterfaceName>")
        .contains("EndpointName=\"BasketSoap11\">i:BasketService</wsam:ServiceName>")
        .contains(">2026-11-21T12:00:00Z</lease:expires>");
  }

  @Test
  void linkedSchemasAreFoundWhereTheWsdlSays() throws Exception {
    WsdlDocument document = WsdlDocument.of(contract, ADDRESS, (c, operation) -> true);

    assertThat(document.linked(part -> "x?xsd=" + part))
        .contains("schemaLocation=\"x?xsd=contract\"")
        .doesNotContain("xs:element");
    assertThat(document.schema("contract", part -> "x?xsd=" + part).orElseThrow())
        .contains("schemaLocation=\"x?xsd=types\"", "schemaLocation=\"x?xsd=addressing\"")
        .contains("name=\"numbersResponse\"");
    assertThat(document.schema("types", part -> part).orElseThrow()).contains("name=\"Words\"");
    assertThat(document.schema("addressing", part -> part).orElseThrow())
        .contains("EndpointReferenceType");
    assertThat(document.schema("other", part -> part)).isEmpty();
  }

  @Test
  void onlyWhatItsReaderMayCallIsShown() {
    String narrow =
        WsdlDocument.of(contract, ADDRESS, (c, operation) -> operation.name().equals("numbers"))
            .inlined();

    assertThat(narrow).contains("name=\"numbersResponse\"").doesNotContain("matrix", "OutOfStock");
  }

  @Test
  void everyScalarCrossesAndComesBack() throws Exception {
    echoed(
        "words",
        "words",
        "<_><z>true</z><b>-128</b><s>32767</s><i>-2147483648</i><j>9223372036854775807</j>"
            + "<f>1.5</f><d>-INF</d><c>269</c><boxed>7</boxed><text> \u010d &amp; &lt;\u20ac\ud83d\ude00 </text>"
            + "<large>123456789012345678901234567890</large><exact>19.90</exact>"
            + "<id>123e4567-e89b-12d3-a456-426614174000</id><link>../a?b=c#d</link>"
            + "<language>sl-SI</language><instant>2026-11-21T14:20:00.000000001Z</instant>"
            + "<calendar>2026-11-21T15:20:00.5+01:00</calendar>"
            + "<stamp>2026-11-21T14:20:00.123456789Z</stamp><local>2026-11-21T15:20:01</local>"
            + "<zoned>2026-11-21T15:20:01+01:00[Europe/Ljubljana]</zoned><year>2026</year></_>");
  }

  @Test
  void spaceAroundAWordCountsForNothing() throws Exception {
    assertThat(result("numbers", "<count>\n 2 </count>"))
        .isEqualTo("<return>0</return><return>1</return>");
    assertThat(result("find_String", "<number> 7 </number>")).contains("<number> 7 </number>");
  }

  @Test
  void whatIsLeftOutOrNilIsNull() throws Exception {
    assertThat(result("find_String", "")).isEmpty();
    assertThat(arguments("find_String", "<number xsi:nil='true'/>")).containsOnlyNulls();
    assertThat(result("customer", "<customer><name>Ana</name></customer>"))
        .isEqualTo(
            "<return><name>Ana</name><regular>false</regular><addresses></addresses>"
                + "<greeting>Dear Ana</greeting></return>");
  }

  @Test
  void sequencesAreRepeatedElements() throws Exception {
    echoed(
        "customer",
        "customer",
        "<_><name>A</name><since>2026-11-21T14:20:00Z</since><regular>true</regular>"
            + "<tags>a</tags><tags>b</tags><addresses><entry><key>home</key>"
            + "<value><street>Cesta</street><number>7</number></value></entry></addresses>"
            + "<greeting>Dear A</greeting></_>");
    echoed("matrix", "rows", "<_><item>1</item><item>2</item></_><_></_>");
    assertThat((int[][]) arguments("matrix", "")[0]).as("left out is empty").isEmpty();
    assertThat(result("departments", "<departments>TOOLS</departments>"))
        .isEqualTo("<return>GARDEN</return>");
  }

  @Test
  void choicesAreElementsOfTheirAlternative() throws Exception {
    echoed(
        "pay",
        "payments",
        "<_><Card><number>1</number><expires>2028-02</expires><code>-7</code><limit>9.90</limit>"
            + "<rate>0.5</rate></Card></_><_ xsi:nil=\"true\"></_>"
            + "<_><Invoice><due>PT48H</due></Invoice></_>");
  }

  @Test
  void mapsTreesAndBytesCross() throws Exception {
    echoed(
        "stock",
        "stock",
        "<_><entry><key><number>1</number><department>TOOLS</department><price>1</price>"
            + "<picture>AQI=</picture></key><value>3</value></entry></_>");
    echoed("tree", "root", "<_><value>1</value><left><value>2</value></left></_>");
    assertThat(result("reversed", "<data>AQ\n ID</data>")).isEqualTo("<return>AwIB</return>");
    assertThat(result("byDepartment", ""))
        .startsWith("<return><entry><key>GARDEN</key><value><number>G-1");
  }

  @Test
  void referencesAreEndpointReferences() throws Exception {
    String reference = result("newBasket", "");
    String address = reference.replaceAll(".*<wsa:Address[^>]*>|</wsa:Address>.*", "");

    assertThat(address).startsWith("https://gateway.example/handles/");
    assertThat(result("piecesIn", reference.replace("return", "basket")))
        .isEqualTo("<return>0</return>");
  }

  @Test
  void declaredExceptionsAreFaultDetails() throws Exception {
    Operation fail = contract.operation("fail").orElseThrow();
    CallFailure failure =
        catchThrowableOfType(
            CallFailure.class,
            () -> shop.caller().target().call(fail.method(), new Object[] {"declared"}));

    String detail =
        written(
            xml ->
                xml.fault(
                    XmlNames.namespace(contract),
                    fail.fault(failure.getCause()).orElseThrow(),
                    failure.getCause()));

    mustBeValid(detail);
    assertThat(detail)
        .contains("<message>only 3 of G-1 left</message><number>G-1</number><left>3</left>");
  }

  @Test
  void aResultThatContainsItselfIsNotWritten() throws Exception {
    Operation ring = contract.operation("ring").orElseThrow();
    Object result = shop.caller().target().call(ring.method(), new Object[0]);

    assertThatThrownBy(() -> written(xml -> xml.result("urn:x", ring, result)))
        .isInstanceOf(UnreadableValueException.class)
        .hasMessageContaining("contains itself");
  }

  /** A parser at the other end would stop at it. */
  @ParameterizedTest
  @CsvSource({"0", "1", "0xb", "0xd800", "0xfffe", "0xffff"})
  void whatXmlHasNotIsNotWritten(String unit) {
    Operation find = contract.operation("words").orElseThrow();
    String text = "a" + (char) Integer.decode(unit).intValue();

    assertThatThrownBy(
            () ->
                written(
                    xml ->
                        xml.result(
                            "urn:x",
                            new Operation(
                                "x",
                                find.method(),
                                find.parameters(),
                                contract
                                    .operation("find_String")
                                    .map(o -> o.parameters().get(0).shape()),
                                find.faults()),
                            text)))
        .isInstanceOf(UnreadableValueException.class);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "numbers; ``; numbers has no count",
        "numbers; <count xsi:nil='true'/>; numbers/count must not be nil",
        "numbers; <count>x</count>; numbers/count is no int",
        "numbers; <count>2147483648</count>; numbers/count is no int",
        "numbers; <count>1</count><count>1</count>; numbers/count is there twice",
        "numbers; <count>1</count><more/>; numbers/more is not known",
        "numbers; <t:count>1</t:count>; numbers/count is not known",
        "numbers; <count a='1'>1</count>; has the attribute a",
        "numbers; text; numbers has text between",
        "numbers; <?pi x?>; neither element nor text",
        "find_String; <number xsi:nil='true'>x</number>; find_String/number has text",
        "find_String; <number xsi:nil='1'><a/></number>; find_String/number is nil and has elements",
        "departments; <departments>SHOES</departments>; none of TOOLS, GARDEN",
        "departments; <departments>TOOLS</departments><departments>TOOLS</departments>; already",
        "departments; <departments xsi:nil='true'/>; cannot be an element",
        "customer; <customer><since>yesterday</since></customer>; customer/customer/since is no date",
        "customer; <customer><class>x</class></customer>; customer/customer/class is not known",
        "customer; <customer><addresses><entry><value xsi:nil='true'/></entry><entry/></addresses>"
            + "</customer>; has a key twice",
        "customer; <customer><addresses><entry><value><street/></value></entry></addresses>"
            + "</customer>; entry/value has no number",
        "stock; <stock><entry><key><number xsi:nil='true'/></key></entry></stock>; needs a number",
        "pay; <payments/>; says not which AnyPayment",
        "pay; <payments><Cash/></payments>; pay/payments/Cash is no AnyPayment",
        "pay; <payments><Invoice/><Invoice/></payments>; pay/payments is more than one",
        "reversed; <data>A-_=</data>; reversed/data is no base64",
        "words; <words><z>TRUE</z></words>; neither true nor false",
        "words; <words><c>65536</c></words>; UTF-16 unit",
        "words; <words><d>Infinity</d></words>; words/words/d is no",
        "words; <words><d>1e999</d></words>; range",
        "words; <words><large>\u0661</large></words>; no BigInteger",
        "words; <words><i>\u0661</i></words>; no int",
        "words; <words><f>0x1p3</f></words>; no float",
        "words; <words><exact>1e999999999</exact></words>; exponent",
        "piecesIn; <basket/>; no reference to a Basket",
        "piecesIn; <basket><a:Address xmlns:a='http://www.w3.org/2005/08/addressing'>rmi://inside/x"
            + "</a:Address></basket>; no reference to a Basket",
      })
  void whatAnOperationDoesNotTakeIsRefused(String operation, String content, String reason) {
    assertThatThrownBy(() -> arguments(operation, content))
        .isInstanceOf(BadElementException.class)
        .hasMessageContaining(reason);
  }

  @Test
  void depthAndElementsAreBounded() {
    assertThatThrownBy(() -> arguments("tree", "<root>" + "<left>".repeat(100)))
        .isInstanceOf(BadElementException.class)
        .hasMessageContaining("deeper than 50");
    assertThatThrownBy(() -> arguments("pay", "<payments xsi:nil='true'/>".repeat(1001)))
        .isInstanceOf(BadElementException.class)
        .hasMessageContaining("too many");
    assertThatThrownBy(() -> arguments("customer", "<customer><greeting>" + "<a>".repeat(100)))
        .isInstanceOf(BadElementException.class)
        .hasMessageContaining("too much");
  }

  @Test
  void theSchemaRefusesToo() {
    assertThatThrownBy(
            () ->
                schema
                    .newValidator()
                    .validate(new StreamSource(new StringReader(payload("numbers", "<x/>")))))
        .isInstanceOf(SAXException.class);
  }
}
