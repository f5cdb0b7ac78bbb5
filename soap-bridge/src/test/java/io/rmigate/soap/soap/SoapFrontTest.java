package io.rmigate.soap.soap;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.soap.call.CallFailure;
import io.rmigate.soap.call.Caller;
import io.rmigate.soap.call.RemoteReferences;
import io.rmigate.soap.publish.Contract;
import io.rmigate.soap.testing.RunningShop;
import io.rmigate.soap.testing.SoapAnswer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.xml.namespace.QName;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

/** The rules of SOAP.md, by calls of a real remote object. */
class SoapFrontTest {
  private static final String NAMESPACE = "urn:rmigate:contract:shop.Shop";
  private static final String WSA = "http://www.w3.org/2005/08/addressing";
  private static final String ENVELOPE_12 = "http://www.w3.org/2003/05/soap-envelope";
  private static final String SOAP_12 = "application/soap+xml; charset=utf-8";

  private static RunningShop shop;
  private static SoapDialect dialect;
  private static SoapFront front;

  @BeforeAll
  static void start(@TempDir Path directory) throws Exception {
    shop = RunningShop.in(directory);
    dialect = new SoapDialect(SoapLimits.DEFAULT);
    front = dialect.front(shop.publication().contract());
  }

  @AfterAll
  static void stop() throws Exception {
    shop.close();
  }

  private static String payload(String operation, String content) {
    return "<t:%1$s xmlns:t='%2$s'>%3$s</t:%1$s>".formatted(operation, NAMESPACE, content);
  }

  private static SoapAnswer call(String operation, String content) throws IOException {
    return withHeader("", payload(operation, content));
  }

  private static SoapAnswer withHeader(String header, String payload) throws IOException {
    return SoapAnswer.to(front, shop.caller(), SoapAnswer.envelope11(header, payload));
  }

  private static SoapAnswer call12(String header, String payload) throws IOException {
    return SoapAnswer.to(
        front,
        shop.caller(),
        SOAP_12,
        SoapAnswer.envelope12(header, payload).getBytes(StandardCharsets.UTF_8));
  }

  /** A fault of the old version, always with 500. */
  private static void mustFail(SoapAnswer answer, String code, String type, String executed) {
    assertThat(answer.status()).as(answer.toString()).isEqualTo(500);
    assertThat(answer.contentType()).isEqualTo("text/xml; charset=utf-8");
    assertThat(answer.element("faultcode")).as(answer.toString()).isEqualTo("S:" + code);
    assertThat(answer.element("type")).as(answer.toString()).isEqualTo(type);
    assertThat(answer.element("executed")).isEqualTo(executed);
  }

  /** Handles are counted, and fail when they are made or, having no end, when they are written. */
  private static final class FailingReferences implements RemoteReferences {
    private final Optional<CallFailure> refusal;
    private int held;

    FailingReferences(Optional<CallFailure> refusal) {
      this.refusal = refusal;
    }

    @Override
    public Handle hold(Object reference, Class<?> type) throws CallFailure {
      if (refusal.isPresent()) {
        throw refusal.get();
      }
      held++;
      return new Handle("https://gateway.example/1", (Instant) null);
    }

    @Override
    public void withdraw() {
      held = 0;
    }

    @Override
    public Optional<Object> resolve(String href, Class<?> type) {
      return Optional.empty();
    }

    @Override
    public Optional<Handle> renew(String href) {
      return Optional.empty();
    }

    @Override
    public boolean release(String href) {
      return false;
    }
  }

  private static SoapAnswer newBasket(RemoteReferences references) throws IOException {
    Caller caller = shop.caller();
    return SoapAnswer.to(
        front,
        new Caller(caller.target(), references, caller.permission()),
        SoapAnswer.envelope11("", payload("newBasket", "")));
  }

  @Test
  void handlesOfAnAnswerThatFailedAreLetGo() throws IOException {
    FailingReferences references = new FailingReferences(Optional.empty());

    mustFail(newBasket(references), "Server", "result", "yes");

    assertThat(references.held).isZero();
  }

  @Test
  void tooManyReferencesInAResultAreCalledThat() throws IOException {
    CallFailure refusal = new CallFailure(CallFailure.Kind.TOO_MANY, "too many", null);

    mustFail(
        newBasket(new FailingReferences(Optional.of(refusal))),
        "Server",
        "too-many-references",
        "yes");
  }

  @Test
  void aCallInEachVersionIsAnsweredInIt() throws IOException {
    SoapAnswer old = call("numbers", "<count>2</count>");
    assertThat(old.status()).as(old.toString()).isEqualTo(200);
    assertThat(old.contentType()).isEqualTo("text/xml; charset=utf-8");
    assertThat(old.text())
        .contains("http://schemas.xmlsoap.org/soap/envelope/")
        .contains("<return>0</return><return>1</return></tns:numbersResponse>");

    SoapAnswer recent = call12("", payload("numbers", "<count>1</count>"));
    assertThat(recent.status()).as(recent.toString()).isEqualTo(200);
    assertThat(recent.contentType()).isEqualTo(SOAP_12);
    assertThat(recent.text())
        .contains("http://www.w3.org/2003/05/soap-envelope")
        .contains("<return>0</return>");
  }

  @Test
  void voidIsAnEmptyResponse() throws IOException {
    SoapAnswer answer = call("restock", "<number>G-1</number><pieces>1</pieces>");

    assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
    assertThat(answer.text())
        .containsPattern(
            "<tns:restockResponse [^<]*/></S:Body>|<tns:restockResponse [^<]*></tns:restockResponse>");
  }

  @Test
  void declaredExceptionsAreTypedFaults() throws IOException {
    SoapAnswer old = call("fail", "<how>declared</how>");
    assertThat(old.status()).isEqualTo(500);
    assertThat(old.element("faultcode")).isEqualTo("S:Server");
    assertThat(old.element("faultstring")).isEqualTo("only 3 of G-1 left");
    assertThat(old.element("detail"))
        .contains("<tns:OutOfStock xmlns:tns=\"" + NAMESPACE + "\"")
        .contains("<number>G-1</number><left>3</left>");

    SoapAnswer recent = call12("", payload("fail", "<how>declared</how>"));
    assertThat(recent.status()).isEqualTo(500);
    assertThat(recent.element("Value")).isEqualTo("S:Receiver");
    assertThat(recent.element("Text")).isEqualTo("only 3 of G-1 left");
    assertThat(recent.element("Detail")).contains("<number>G-1</number><left>3</left>");
  }

  @ParameterizedTest
  @ValueSource(strings = {"unchecked", "error"})
  void otherExceptionsTellNothing(String how) throws IOException {
    SoapAnswer answer = call("fail", "<how>" + how + "</how>");

    mustFail(answer, "Server", "failed", "yes");
    assertThat(answer.text()).doesNotContain("secret", "Exception", "Error", "shop.ShopServant");
  }

  @Test
  void aResultThatCannotBeShownIsAFault() throws IOException {
    mustFail(call("ring", ""), "Server", "result", "yes");
    mustFail(call("broken", "<after>3</after>"), "Server", "result", "yes");
  }

  @Test
  void badArgumentsAreFaultsAndNothingIsCalled() throws IOException {
    int before = shop.calls();

    SoapAnswer answer = call("numbers", "<count>x</count>");
    mustFail(answer, "Client", "bad-argument", "no");
    assertThat(answer.element("faultstring")).isEqualTo("numbers/count is no int");
    assertThat(call12("", payload("numbers", "<count>x</count>")).status()).isEqualTo(400);

    assertThat(shop.calls()).isEqualTo(before);
  }

  @Test
  void whatIsNotThereAndWhatOneMayNotIsTheSame() throws IOException {
    mustFail(call("nonsense", ""), "Client", "not-found", "no");
    SoapAnswer answer =
        SoapAnswer.to(
            front,
            shop.caller((contract, operation) -> !operation.name().equals("numbers")),
            SoapAnswer.envelope11("", payload("numbers", "<count>1</count>")));
    assertThat(answer.text()).isEqualTo(call("nonsense", "").text());
    mustFail(withHeader("", "<numbers xmlns='urn:other'/>"), "Client", "not-found", "no");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "\"\"",
        "numbers",
        "\"numbers\"",
        "\"urn:rmigate:contract:shop.Shop#numbers\"",
        "\"urn:rmigate:contract:shop.Shop/numbers\"",
        "\"urn:rmigate:contract:shop.Shop:Shop:numbersRequest\""
      })
  void theBodyDecidesAndTheActionMayAgree(String action) throws IOException {
    assertThat(withAction("text/xml", action).status()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"matrix\"", "\"urn:other#numbers\"", "\"", "\" \"", "numbers, matrix"})
  void anActionThatDiffersIsAFault(String action) throws IOException {
    int before = shop.calls();

    mustFail(withAction("text/xml", action), "Client", "action", "no");
    assertThat(call12("<a:Action xmlns:a='" + WSA + "'>matrix</a:Action>", numbers()).status())
        .isEqualTo(400);

    assertThat(shop.calls()).isEqualTo(before);
  }

  @Test
  void theActionOfTheMediaTypeCountsToo() throws IOException {
    byte[] body = SoapAnswer.envelope12("", numbers()).getBytes(StandardCharsets.UTF_8);

    assertThat(SoapAnswer.to(front, shop.caller(), SOAP_12 + "; action=numbers", body).status())
        .isEqualTo(200);
    assertThat(SoapAnswer.to(front, shop.caller(), SOAP_12 + "; action=\"x\"", body).status())
        .isEqualTo(400);
  }

  @Test
  void everyActionOfAPackageCounts() throws IOException {
    assertThat(packaged("", "", "").status()).isEqualTo(200);
    assertThat(packaged("numbers", "numbers", "numbers").status()).isEqualTo(200);
    int before = shop.calls();
    for (SoapAnswer answer :
        List.of(packaged("ring", "", ""), packaged("", "ring", ""), packaged("", "", "ring"))) {
      assertThat(answer.status()).as(answer.toString()).isEqualTo(400);
      assertThat(answer.element("type")).isEqualTo("action");
    }
    assertThat(shop.calls()).isEqualTo(before);
  }

  private static SoapAnswer packaged(String outer, String startInfo, String root)
      throws IOException {
    String type =
        "multipart/related; type=\"application/xop+xml\"; boundary=b;"
            + " start-info=\"application/soap+xml; action=%s\"; action=\"%s\""
                .formatted(startInfo, outer);
    String body =
        "--b\r\nContent-Type: application/xop+xml; charset=utf-8; action=\"%s\"\r\n\r\n%s\r\n--b--\r\n"
            .formatted(root, SoapAnswer.envelope12("", numbers()));
    return SoapAnswer.to(front, shop.caller(), type, body.getBytes(StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @ValueSource(strings = {"Action", "MessageID", "ReplyTo", "FaultTo", "To", "From"})
  void aHeaderOfAddressingIsThereOnce(String name) throws IOException {
    String content =
        List.of("ReplyTo", "FaultTo", "From").contains(name)
            ? "<a:Address>" + WSA + "/anonymous</a:Address>"
            : "numbers";
    String header = "<a:%1$s xmlns:a='%2$s'>%3$s</a:%1$s>".formatted(name, WSA, content);
    String older = header.replace(WSA, "http://schemas.xmlsoap.org/ws/2004/08/addressing");
    assertThat(withHeader(header, numbers()).status()).isEqualTo(200);
    int before = shop.calls();

    mustFail(withHeader(header + header, numbers()), "Client", "addressing", "no");
    mustFail(withHeader(header + older, numbers()), "Client", "addressing", "no");

    assertThat(shop.calls()).isEqualTo(before);
  }

  private static String numbers() {
    return payload("numbers", "<count>1</count>");
  }

  private static SoapAnswer withAction(String contentType, String action) throws IOException {
    byte[] body = SoapAnswer.envelope11("", numbers()).getBytes(StandardCharsets.UTF_8);
    return SoapAnswer.to(
        front,
        shop.caller(),
        SoapAnswer.request(contentType, "", action, new ByteArrayInputStream(body)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "application/json",
        "text/xml; charset=utf-7",
        "text/xml; charset=iso-8859-1",
        "text/xml; charset=utf-8; charset=utf-16",
        "text/xml; nonsense",
        "multipart/related; type=\"text/xml\"; boundary=b; start-info=\"text/xml\"",
        "multipart/related; type=\"application/xop+xml\"; start-info=\"text/xml\"",
        "multipart/form-data; boundary=b"
      })
  void otherMediaTypesAreNotTaken(String contentType) throws IOException {
    SoapAnswer answer = withAction(contentType, "");

    assertThat(answer.status()).isEqualTo(415);
    assertThat(answer.contentType()).startsWith("text/plain");
  }

  @Test
  void aHeaderThatMustBeUnderstoodAndIsNotIsAFault() throws IOException {
    String must = "<h:secure xmlns:h='urn:h' e:mustUnderstand='1'><x/></h:secure>";
    SoapAnswer old = withHeader(must, numbers());
    assertThat(old.status()).isEqualTo(500);
    assertThat(old.element("faultcode")).isEqualTo("S:MustUnderstand");
    assertThat(old.text()).contains("{urn:h}secure").doesNotContain("<detail");

    SoapAnswer recent = call12(must.replace("'1'", "'true'"), numbers());
    assertThat(recent.status()).isEqualTo(500);
    assertThat(recent.element("Value")).isEqualTo("S:MustUnderstand");

    String next =
        must.replace("e:must", "e:actor='http://schemas.xmlsoap.org/soap/actor/next' e:must");
    assertThat(withHeader(next, numbers()).element("faultcode")).isEqualTo("S:MustUnderstand");
    for (String role : List.of("next", "ultimateReceiver")) {
      String forUs =
          must.replace(
              "e:must",
              "e:role='http://www.w3.org/2003/05/soap-envelope/role/" + role + "' e:must");
      assertThat(call12(forUs, numbers()).element("Value")).isEqualTo("S:MustUnderstand");
    }
    String another = must.replace("e:must", "e:role='urn:another' e:must");
    assertThat(call12(another, numbers()).status()).isEqualTo(200);

    assertThat(withHeader(must.replace("'1'", "'0'"), numbers()).status()).isEqualTo(200);
    assertThat(withHeader("<h:h xmlns:h='urn:h'/>", numbers()).status()).isEqualTo(200);
  }

  private static Document document(SoapAnswer answer) throws Exception {
    DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
    factory.setNamespaceAware(true);
    return factory.newDocumentBuilder().parse(new InputSource(new StringReader(answer.text())));
  }

  /** The values of {@code qname} of elements of SOAP 1.2, with their prefixes resolved. */
  private static List<QName> names(SoapAnswer answer, String element) throws Exception {
    NodeList found = document(answer).getElementsByTagNameNS(ENVELOPE_12, element);
    List<QName> names = new ArrayList<>();
    for (int i = 0; i < found.getLength(); i++) {
      Element each = (Element) found.item(i);
      String[] parts = each.getAttribute("qname").split(":", 2);
      names.add(new QName(each.lookupNamespaceURI(parts[0]), parts[1]));
    }
    return names;
  }

  /** SOAP 1.2 Part 1, 5.4.8: a block for each of them. */
  @Test
  void headersThatAreNotUnderstoodAreNamedToPrograms() throws Exception {
    String headers =
        "<h:secure xmlns:h='urn:h' e:mustUnderstand='true'/>"
            + "<secure xmlns='urn:other' e:mustUnderstand='1'/>"
            + "<h:known xmlns:h='urn:h'/>";

    SoapAnswer recent = call12(headers, numbers());

    assertThat(recent.status()).isEqualTo(500);
    assertThat(recent.element("Value")).isEqualTo("S:MustUnderstand");
    assertThat(names(recent, "NotUnderstood"))
        .containsExactlyInAnyOrder(new QName("urn:h", "secure"), new QName("urn:other", "secure"));
    assertThat(
            document(recent)
                .getElementsByTagNameNS(ENVELOPE_12, "NotUnderstood")
                .item(0)
                .getParentNode()
                .getLocalName())
        .isEqualTo("Header");
    assertThat(withHeader(headers, numbers()).text()).doesNotContain("NotUnderstood");
  }

  /** SOAP 1.2 Part 1, 5.4.7: what would have been taken, the most preferred one first. */
  @Test
  void envelopesOfAnotherVersionAreToldWhichAreTaken() throws Exception {
    String future = SoapAnswer.envelope12("", numbers()).replace(ENVELOPE_12, "urn:soap:1.3");
    Map<String, String> wrong =
        Map.of(
            "text/xml; charset=utf-8",
            SoapAnswer.envelope12("", numbers()),
            SOAP_12,
            SoapAnswer.envelope11("", numbers()),
            "application/soap+xml",
            future,
            "text/xml",
            future);
    int before = shop.calls();

    for (Map.Entry<String, String> each : wrong.entrySet()) {
      SoapAnswer answer =
          SoapAnswer.to(
              front,
              shop.caller(),
              each.getKey(),
              each.getValue().getBytes(StandardCharsets.UTF_8));

      assertThat(answer.status()).isEqualTo(500);
      assertThat(answer.text()).contains(">S:VersionMismatch<");
      assertThat(answer.contentType()).startsWith(each.getKey().replaceFirst(";.*", ""));
      assertThat(names(answer, "SupportedEnvelope"))
          .containsExactly(
              new QName(ENVELOPE_12, "Envelope"),
              new QName("http://schemas.xmlsoap.org/soap/envelope/", "Envelope"));
      assertThat(
              document(answer)
                  .getElementsByTagNameNS(ENVELOPE_12, "Upgrade")
                  .item(0)
                  .getParentNode()
                  .getLocalName())
          .isEqualTo("Header");
    }
    assertThat(shop.calls()).isEqualTo(before);
  }

  @Test
  void answersGoBackOnTheirConnectionOnly() throws IOException {
    String replyTo =
        "<a:%1$s xmlns:a='%2$s' e:mustUnderstand='1'><a:Address>%3$s</a:Address></a:%1$s>";
    assertThat(
            withHeader(replyTo.formatted("ReplyTo", WSA, WSA + "/anonymous"), numbers()).status())
        .isEqualTo(200);
    for (String name : new String[] {"ReplyTo", "FaultTo"}) {
      mustFail(
          withHeader(replyTo.formatted(name, WSA, "http://127.0.0.1:1/x"), numbers()),
          "Client",
          "addressing",
          "no");
      mustFail(
          withHeader(replyTo.formatted(name, WSA, WSA + "/none"), numbers()),
          "Client",
          "addressing",
          "no");
      mustFail(
          withHeader(
              "<a:%1$s xmlns:a='%2$s'><a:Address>http://x/</a:Address></a:%1$s>"
                  .formatted(name, "http://schemas.xmlsoap.org/ws/2004/08/addressing"),
              numbers()),
          "Client",
          "addressing",
          "no");
      mustFail(
          withHeader("<a:%1$s xmlns:a='%2$s'/>".formatted(name, WSA), numbers()),
          "Client",
          "addressing",
          "no");
    }
  }

  @Test
  void aMessageWithAnIdIsRelatedTo() throws IOException {
    SoapAnswer answer =
        call12(
            "<a:MessageID xmlns:a='%1$s'>urn:id:1</a:MessageID><a:To xmlns:a='%1$s' e:mustUnderstand='true'>x</a:To>"
                .formatted(WSA),
            numbers());

    assertThat(answer.element("RelatesTo")).isEqualTo("urn:id:1");
    assertThat(answer.element("Action")).isEqualTo(NAMESPACE + ":Shop:numbersResponse");
  }

  @Test
  void referencesAreRenewedAndReleased() throws IOException {
    String href = call("newBasket", "").element("Address");
    Contract basket = shop.publication().contracts().get(1);
    SoapFront behind = dialect.front(basket);

    String renewed = lease(behind, href, "renew").element("expires");
    assertThat(renewed).isEqualTo("2026-11-21T12:10:00Z");
    assertThat(lease(behind, href, "release").text()).contains("releaseResponse");
    mustFail(lease(behind, href, "release"), "Client", "not-found", "no");
    mustFail(lease(behind, href, "renew"), "Client", "not-found", "no");
    mustFail(lease(behind, href, "destroy"), "Client", "not-found", "no");
  }

  @Test
  void leaseOperationsHaveTheActionsOfTheirPortType() throws IOException {
    String href = call("newBasket", "").element("Address");
    SoapFront behind = dialect.front(shop.publication().contracts().get(1));
    String action =
        "<a:Action xmlns:a='" + WSA + "'>urn:rmigate:contract:shop.Shop.Basket:%s:%s</a:Action>";

    mustFail(
        lease(behind, href, action.formatted("BasketLease", "releaseRequest"), "renew"),
        "Client",
        "action",
        "no");
    for (String operation : List.of("renew", "release")) {
      SoapAnswer answer =
          lease(behind, href, action.formatted("BasketLease", operation + "Request"), operation);
      assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
      assertThat(answer.text())
          .contains("urn:rmigate:contract:shop.Shop.Basket:BasketLease:" + operation + "Response");
    }
  }

  private static SoapAnswer lease(SoapFront behind, String href, String operation)
      throws IOException {
    return lease(behind, href, "", operation);
  }

  private static SoapAnswer lease(SoapFront behind, String href, String header, String operation)
      throws IOException {
    byte[] body =
        SoapAnswer.envelope11(header, "<" + operation + " xmlns='urn:rmigate:lease'/>")
            .getBytes(StandardCharsets.UTF_8);
    return SoapAnswer.to(
        behind,
        shop.caller(),
        new SoapRequest(
            () -> URI.create(href), "text/xml", "", "", new ByteArrayInputStream(body)));
  }

  @Test
  void aReferenceIsUsedAndPassedBack() throws IOException {
    SoapAnswer made = call("newBasket", "");
    String reference = made.element("return");
    String href = made.element("Address");
    SoapFront behind = dialect.front(shop.publication().contracts().get(1));
    String add =
        "<t:add xmlns:t='urn:rmigate:contract:shop.Shop.Basket'><number>G</number>"
            + "<pieces>%d</pieces></t:add>";

    SoapAnswer added =
        SoapAnswer.to(behind, shop.callerOf(href), SoapAnswer.envelope11("", add.formatted(7)));
    assertThat(added.element("return")).isEqualTo("7");
    SoapAnswer refused =
        SoapAnswer.to(behind, shop.callerOf(href), SoapAnswer.envelope11("", add.formatted(11)));
    assertThat(refused.element("detail")).contains("OutOfStock", "<left>10</left>");
    SoapAnswer passed = call("piecesIn", "<basket>" + reference + "</basket>");
    assertThat(passed.element("return")).as(passed.toString()).isEqualTo("7");
  }

  @ParameterizedTest
  @CsvSource({"utf-16, UTF-16", "utf-16le, UTF-16LE", "'', UTF-16", "'', UTF-16BE", "'', UTF-16LE"})
  void utf16IsTakenToo(String charset, String encoding) throws IOException {
    String type = "text/xml" + (charset.isEmpty() ? "" : "; charset=" + charset);
    byte[] body = SoapAnswer.envelope11("", numbers()).getBytes(encoding);

    SoapAnswer answer = SoapAnswer.to(front, shop.caller(), type, body);

    assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
  }

  @Test
  void aByteOrderMarkAndADeclarationAreTaken() throws IOException {
    String document = "\ufeff<?xml version='1.0' encoding='UTF-8'?>\n<!-- x -->";

    assertThat(
            SoapAnswer.to(
                    front, shop.caller(), document + SoapAnswer.envelope11("", numbers()) + "\n")
                .status())
        .isEqualTo(200);
  }
}
