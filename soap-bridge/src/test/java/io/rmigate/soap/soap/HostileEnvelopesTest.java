package io.rmigate.soap.soap;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.rmigate.soap.testing.RunningShop;
import io.rmigate.soap.testing.SoapAnswer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * What an attacker can put into an envelope: each is a fault, after a bounded part of it was read,
 * and nothing of it reaches the remote object. That it was a part is counted in bytes: times prove
 * nothing on a busy machine.
 */
class HostileEnvelopesTest {
  private static final String NAMESPACE = "urn:rmigate:contract:shop.Shop";
  private static final String XML = "text/xml; charset=utf-8";
  private static final String PLAIN = SoapAnswer.envelope11("", payload("find_String", "%s"));

  /** Less than by default, for a quicker test. */
  private static final SoapLimits LIMITS = SoapLimits.DEFAULT.with(4L << 20, 50, 100_000, 100_000);

  private static final Duration A_LOOP_WITHOUT_END = Duration.ofMinutes(1);

  private static RunningShop shop;
  private static SoapFront front;

  /** No reader of an envelope may connect to it. */
  private static ServerSocket trap;

  @BeforeAll
  static void start(@TempDir Path directory) throws Exception {
    shop = RunningShop.in(directory);
    front = new SoapDialect(LIMITS).front(shop.publication().contract());
    trap = new ServerSocket(0);
    trap.setSoTimeout(1);
  }

  @AfterAll
  static void stop() throws Exception {
    assertThatThrownBy(() -> trap.accept())
        .as("a connection to the trap")
        .isInstanceOf(SocketTimeoutException.class);
    trap.close();
    shop.close();
  }

  private static String payload(String operation, String content) {
    return "<t:%1$s xmlns:t='%2$s'>%3$s</t:%1$s>".formatted(operation, NAMESPACE, content);
  }

  /** An envelope with something in front of it, and an argument. */
  private static String with(String prologue, String argument) {
    return prologue + PLAIN.formatted("<number>" + argument + "</number>");
  }

  private static String named(String operation, String content) {
    return SoapAnswer.envelope11("", payload(operation, content));
  }

  private record Case(String contentType, Supplier<InputStream> body) {}

  private static Case xml(String document) {
    return in(XML, document, StandardCharsets.UTF_8);
  }

  private static Case in(String contentType, String document, Charset charset) {
    return new Case(contentType, () -> new ByteArrayInputStream(document.getBytes(charset)));
  }

  /** Something that goes on for far longer than anybody may send. */
  private static Case endless(String contentType, String beginning, String again) {
    byte[] piece = again.repeat(1 + 8192 / again.length()).getBytes(StandardCharsets.UTF_8);
    return new Case(
        contentType,
        () ->
            new SequenceInputStream(
                Collections.enumeration(
                    List.of(
                        new ByteArrayInputStream(beginning.getBytes(StandardCharsets.UTF_8)),
                        new Endless(piece)))));
  }

  private static final class Endless extends InputStream {
    private final byte[] piece;
    private int at;

    Endless(byte[] piece) {
      this.piece = piece;
    }

    @Override
    public int read() {
      return piece[at++ % piece.length] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) {
      for (int i = 0; i < length; i++) {
        target[offset + i] = (byte) read();
      }
      return length;
    }
  }

  private static String trap(String scheme) {
    return scheme + "://127.0.0.1:" + trap.getLocalPort() + "/x";
  }

  private static Map<String, Case> cases() {
    Map<String, Case> cases = new TreeMap<>();
    String entity = "<!DOCTYPE x [<!ENTITY y SYSTEM '%s'>]>";
    cases.put("XXE of a file", xml(with(entity.formatted("file:///etc/passwd"), "&y;")));
    for (String scheme : List.of("http", "ftp", "netdoc", "jar:http")) {
      cases.put("XXE by " + scheme, xml(with(entity.formatted(trap(scheme)), "&y;")));
    }
    cases.put(
        "parameter entity out of band",
        xml(with("<!DOCTYPE x [<!ENTITY % y SYSTEM '" + trap("http") + "'> %y;]>", "1")));
    cases.put("external DTD", xml(with("<!DOCTYPE x SYSTEM '" + trap("http") + "'>", "1")));
    cases.put("DOCTYPE behind a comment", xml(with("<!--> <!-- --><!DOCTYPE x>", "1")));
    cases.put("endless DOCTYPE", endless(XML, "<!DOCTYPE x [", "<!ENTITY a 'b'>"));
    String laughs = "<!DOCTYPE x [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;'>]>";
    cases.put("nested entities", xml(with(laughs, "&b;")));
    cases.put("quadratic entities", xml(with(laughs, "&a;".repeat(10_000))));
    cases.put("entity without DTD", xml(with("", "&y;")));
    for (Charset charset :
        List.of(
            StandardCharsets.UTF_16,
            StandardCharsets.UTF_16BE,
            StandardCharsets.UTF_16LE,
            Charset.forName("UTF-32"),
            Charset.forName("UTF-32LE"))) {
      cases.put("DTD in " + charset, in("text/xml", with("<!DOCTYPE x>", "1"), charset));
    }
    cases.put(
        "DTD in UTF-7",
        xml("<?xml version='1.0' encoding='UTF-7'?>" + with("+ADwAIQ-DOCTYPE", "")));
    cases.put(
        "declared in EBCDIC",
        in(
            "text/xml",
            "<?xml version='1.0' encoding='IBM037'?>" + with("", "1"),
            StandardCharsets.UTF_8));
    cases.put("XML 1.1", xml("<?xml version='1.1'?>" + with("", "&#1;")));
    cases.put("bytes that are no UTF-8", in(XML, with("", "\u00e9"), StandardCharsets.ISO_8859_1));
    cases.put(
        "XInclude",
        xml(
            with(
                "",
                "<i:include xmlns:i='http://www.w3.org/2001/XInclude' href='"
                    + trap("http")
                    + "'/>")));
    cases.put(
        "stylesheet instruction",
        xml(with("<?xml-stylesheet href='" + trap("http") + "' type='text/xsl'?>", "1")));
    cases.put("CDATA around elements", xml(named("numbers", "<![CDATA[<count>1</count>]]>")));
    StringBuilder attributes = new StringBuilder();
    StringBuilder namespaces = new StringBuilder();
    for (int i = 0; i < 10_000; i++) {
      attributes.append(" a").append(i).append("=''");
      namespaces.append(" xmlns:a").append(i).append("='u").append(i).append("'");
    }
    cases.put(
        "10,000 attributes", xml(named("find_String", "<number" + attributes + ">1</number>")));
    cases.put(
        "10,000 namespaces", xml(named("find_String", "<number" + namespaces + ">1</number>")));
    cases.put(
        "70 attributes",
        xml(
            named(
                "find_String", "<number" + attributes.substring(0, 70 * 7 - 10) + ">1</number>")));
    cases.put("depth 100,000", xml(named("find_String", "<number>".repeat(100_000))));
    cases.put("depth in a header", xml(SoapAnswer.envelope11("<x>".repeat(100_000), "")));
    cases.put("endless name", endless(XML, "<", "x"));
    cases.put("endless attribute", endless(XML, "<x a='", ">"));
    cases.put("endless instruction", endless(XML, "<?x ", "y"));
    cases.put("endless comment", endless(XML, "<!--", "y"));
    cases.put("endless space", endless(XML, "", " "));
    cases.put("endless text", endless(XML, prefix("<number>"), "y"));
    cases.put(
        "endless binary",
        endless(
            XML,
            prefix("<number>").replace("find_String", "reversed").replace("number", "data"),
            "AAAA"));
    cases.put("endless elements", endless(XML, prefix(""), "<number/>"));
    cases.put(
        "endless sequence", endless(XML, prefix("").replace("find_String", "matrix"), "<rows/>"));
    cases.put(
        "endless header",
        endless(
            XML,
            "<e:Envelope xmlns:e='http://schemas.xmlsoap.org/soap/envelope/'><e:Header><x>",
            "y"));
    cases.put(
        "endless headers",
        endless(
            XML,
            "<e:Envelope xmlns:e='http://schemas.xmlsoap.org/soap/envelope/'><e:Header>",
            "<x/>"));
    cases.put("endless end", endless(XML, with("", "1"), " "));
    cases.put(
        "array type",
        xml(named("matrix", "<rows e:arrayType='[2147483647]'><item>1</item></rows>")));
    cases.put(
        "nil primitive",
        xml(
            named(
                "numbers",
                "<count xmlns:i='http://www.w3.org/2001/XMLSchema-instance' i:nil='true'/>")));
    String priced =
        "<stock><entry><key><number>a</number><price>%s</price></key><value>1</value></entry></stock>";
    for (String number : List.of("1e400000", "1e-400000", "NaN")) {
      cases.put(number + " for an exact number", xml(named("stock", priced.formatted(number))));
      cases.put(
          number + " for a whole number", xml(named("numbers", "<count>" + number + "</count>")));
    }
    String digits = "1".repeat(1_000_000);
    cases.put(
        "a million digits for an exact number", xml(named("stock", priced.formatted(digits))));
    cases.put(
        "a million digits for a whole number",
        xml(named("numbers", "<count>" + digits + "</count>")));
    cases.put("beyond an int", xml(named("numbers", "<count>2147483648</count>")));
    for (String character : List.of("&#0;", "&#xD800;", "&#xDC00;&#xD800;", "&#xFFFF;", "\0")) {
      cases.put("the character " + character.replace('\0', '0'), xml(with("", character)));
    }
    cases.put("unknown element", xml(named("numbers", "<count>1</count><more>1</more>")));
    cases.put("unknown attribute", xml(named("numbers", "<count class='x'>1</count>")));
    cases.put("an element twice", xml(named("numbers", "<count>1</count><count>1</count>")));
    cases.put("an element of a namespace", xml(named("numbers", "<t:count>1</t:count>")));
    for (String base64 : List.of("A", "AAA", "AA=A", "A===", "@@@@", "_-8=", "AAAA=")) {
      cases.put("base64 " + base64, xml(named("reversed", "<data>" + base64 + "</data>")));
    }
    StringBuilder alike = new StringBuilder();
    for (int i = 0; i < 1 << 13; i++) {
      String word =
          Integer.toBinaryString(i | 1 << 13).substring(1).replace("0", "Aa").replace("1", "BB");
      alike.append("<entry><key><number>").append(word).append("</number></key>");
      alike.append("<value>1</value></entry>");
    }
    cases.put("keys with equal hash codes", xml(named("stock", "<stock>" + alike + "</stock>")));
    String body = "<e:Body>" + payload("numbers", "<count>1</count>") + "</e:Body>";
    cases.put(
        "duplicate body", xml(with("", "1").replace("</e:Envelope>", body + "</e:Envelope>")));
    cases.put(
        "duplicate payload",
        xml(with("", "1").replace("</e:Body>", payload("ring", "") + "</e:Body>")));
    cases.put("duplicate envelope", xml(with("", "1") + with("", "2")));
    cases.put(
        "header behind the body",
        xml(with("", "1").replace("</e:Envelope>", "<e:Header/></e:Envelope>")));
    cases.put("empty body", xml(SoapAnswer.envelope11("", "")));
    cases.put("no body", xml("<e:Envelope xmlns:e='http://schemas.xmlsoap.org/soap/envelope/'/>"));
    cases.put("text for a payload", xml(SoapAnswer.envelope11("", "x")));
    cases.put("nothing", xml(""));
    cases.put("one byte", xml("<"));
    cases.put("no XML", xml("{\"count\": 1}"));
    cases.put("another root", xml(payload("numbers", "<count>1</count>")));
    cases.put("cut off", xml(with("", "1").substring(0, PLAIN.length() - 40)));
    cases.put("wrong envelope", xml(with("", "1").replace("soap/envelope/", "soap/envelope")));
    cases.put("envelope of the other version", xml(SoapAnswer.envelope12("", payload("ring", ""))));
    cases.put("id and href cycle", xml(named("tree", "<root id='a'><left href='#a'/></root>")));
    cases.put(
        "xop:Include without a package",
        xml(
            named(
                "reversed",
                "<data><x:Include xmlns:x='http://www.w3.org/2004/08/xop/include' href='cid:a'/></data>")));
    for (String href : List.of(trap("http"), "file:///etc/passwd", "a", "cid:missing", "")) {
      cases.put("xop:Include of " + href, xop(include(href), "<a>", 1));
    }
    cases.put("xop:Include without href", xop(include("cid:a").replace("href", "ref"), "<a>", 1));
    cases.put(
        "xop:Include twice in one",
        xop(include("cid:a").replace("</data>", include("cid:b").substring(6)), "<a>", 1));
    cases.put("xop:Include twice of one", xop(pictures("cid:a", "cid:a"), "<a>", 1));
    cases.put("xop:Include in a string", xop(tags("cid:a"), "<a>", 1));
    cases.put(
        "many parts",
        in(
            PACKAGE,
            root(include("cid:z"))
                + numbered("\r\n--b\r\nContent-ID: <%d>\r\n\r\nsomething", 0, 1000)
                + "\r\n--b--\r\n",
            StandardCharsets.UTF_8));
    for (String head :
        List.of(
            "Content-ID: <a>",
            "content-id:a",
            "X: y\r\nCONTENT-ID : <a> ",
            "Content-ID:\r\n\t<a>",
            "Content-ID: <b>\r\nContent-ID: <c>",
            "Content-ID: <b>\r\nContent-ID: <b>",
            "X: y\r\r\nContent-ID: <a>")) {
      cases.put(
          "another part with " + head.replaceAll("\\p{Cntrl}", "|"),
          in(
              PACKAGE,
              attached(include("cid:a")) + "\r\n--b\r\n" + head + "\r\n\r\nelse\r\n--b--\r\n",
              StandardCharsets.UTF_8));
    }
    cases.put(
        "a root part with the Content-ID of another one",
        in(
            PACKAGE,
            attached(include("cid:a")).replaceFirst("--b\r\n", "--b\r\nContent-ID: <a>\r\n")
                + "\r\n--b--\r\n",
            StandardCharsets.UTF_8));
    cases.put("endless parts", endless(PACKAGE, root(include("cid:a")), "\r\n--b\r\n\r\nx"));
    cases.put("endless mid-line boundaries", endless(PACKAGE, root(include("cid:a")), "--bx"));
    cases.put("endless part header", endless(PACKAGE, "--b\r\nx: ", "y"));
    String begun = attached(include("cid:a")) + "x".repeat(50_000);
    cases.put("an attachment without an end", in(PACKAGE, begun, StandardCharsets.UTF_8));
    cases.put("an endless attachment", endless(PACKAGE, attached(include("cid:a")), "y"));
    cases.put(
        "an attachment without an end in a string",
        in(PACKAGE, attached(tags("cid:a")) + "x".repeat(50_000), StandardCharsets.UTF_8));
    cases.put("an endless attachment in a string", endless(PACKAGE, attached(tags("cid:a")), "y"));
    cases.put(
        "xop:Include of a bad escape, where no binary is",
        xop(include("cid:%zz").replaceAll("</?data>", ""), "<a>", 1));
    for (String blank : List.of(" ", "\t")) {
      String blanks = "\r\n--b" + blank.repeat(10_000);
      String name = "10,000 " + (blank.equals(" ") ? "spaces" : "tabs");
      cases.put(
          name + " behind the root part",
          in(PACKAGE, root(include("cid:a")) + blanks, StandardCharsets.UTF_8));
      cases.put(
          name + " behind an attachment",
          in(PACKAGE, attached(include("cid:a")) + blanks, StandardCharsets.UTF_8));
      cases.put(
          name + " behind an attachment, and an end",
          in(PACKAGE, attached(include("cid:a")) + blanks + "\r\n--b--", StandardCharsets.UTF_8));
    }
    cases.put("endless preamble", endless(PACKAGE, "", "y\r\n"));
    cases.put(
        "a package without an end", in(PACKAGE, root(include("cid:a")), StandardCharsets.UTF_8));
    cases.put("an empty package", in(PACKAGE, "--b--\r\n", StandardCharsets.UTF_8));
    cases.put(
        "a package whose root is something else",
        in(
            PACKAGE,
            root(include("cid:a")).replace("application/xop+xml", "application/json") + "\r\n--b--",
            StandardCharsets.UTF_8));
    return cases;
  }

  /** Those of which no more can be said. */
  private static final Set<String> NO_ENVELOPES =
      Set.of("another root", "no body", "text for a payload");

  private static final String PACKAGE =
      "multipart/related; type=\"application/xop+xml\"; boundary=b; start-info=\"text/xml\"";

  private static String prefix(String beginning) {
    String envelope = with("", "");
    return envelope.substring(0, envelope.indexOf("<number>")) + beginning;
  }

  private static String include(String href) {
    return named(
        "reversed",
        "<data><x:Include xmlns:x='http://www.w3.org/2004/08/xop/include' href='"
            + href
            + "'/></data>");
  }

  private static String tags(String... hrefs) {
    StringBuilder tags = new StringBuilder();
    for (String href : hrefs) {
      tags.append("<tags><x:Include xmlns:x='http://www.w3.org/2004/08/xop/include' href='");
      tags.append(href).append("'/></tags>");
    }
    return named("customer", "<customer>" + tags + "</customer>");
  }

  private static String pictures(String... hrefs) {
    StringBuilder entries = new StringBuilder();
    for (String href : hrefs) {
      entries.append("<entry><key><number>").append(entries.length()).append("</number><picture>");
      entries.append("<x:Include xmlns:x='http://www.w3.org/2004/08/xop/include' href='");
      entries.append(href).append("'/></picture></key></entry>");
    }
    return named("stock", "<stock>" + entries + "</stock>");
  }

  private static String root(String envelope) {
    return "--b\r\nContent-Type: application/xop+xml; charset=utf-8; type=\"text/xml\"\r\n\r\n"
        + envelope;
  }

  private static String attached(String envelope) {
    return root(envelope) + "\r\n--b\r\nContent-ID: <a>\r\n\r\nsomething";
  }

  private static Case xop(String envelope, String id, int parts) {
    String part = "\r\n--b\r\nContent-ID: " + id + "\r\n\r\nsomething";
    return in(
        PACKAGE, root(envelope) + part.repeat(parts) + "\r\n--b--\r\n", StandardCharsets.UTF_8);
  }

  /** How much of a body was taken. */
  private static final class Counted extends java.io.FilterInputStream {
    private long count;

    Counted(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      count++;
      return super.read();
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      int got = super.read(target, offset, length);
      count += Math.max(got, 0);
      return got;
    }
  }

  @TestFactory
  Stream<DynamicTest> eachIsAFaultAndReachesNothing() {
    return cases().entrySet().stream()
        .map(
            entry ->
                DynamicTest.dynamicTest(
                    entry.getKey(),
                    () ->
                        assertTimeoutPreemptively(
                            A_LOOP_WITHOUT_END,
                            () -> mustBeRefused(entry.getKey(), entry.getValue()))));
  }

  /** They would name classes, and documents to fetch, if anybody looked at them. */
  @Test
  void hintsOnTypesAndSchemasAreNotTaken() throws IOException {
    String instance = "xmlns:i='http://www.w3.org/2001/XMLSchema-instance' ";
    for (String hint :
        List.of(
            "i:type='java.net.URL'",
            "i:type='x:ArrayOf' xmlns:x='java:javax.naming'",
            "i:schemaLocation='" + NAMESPACE + " " + trap("http") + "'",
            "i:noNamespaceSchemaLocation='" + trap("http") + "'")) {
      String count = "<count " + instance + hint + ">1</count>";

      SoapAnswer answer = SoapAnswer.to(front, shop.caller(), named("numbers", count));

      assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
      assertThat(answer.element("return")).isEqualTo("0");
    }
  }

  private static String numbered(String pattern, int from, int count) {
    return IntStream.range(from, from + count).mapToObj(pattern::formatted).collect(joining());
  }

  private static String refusal(String document) throws IOException {
    int before = shop.calls();
    SoapAnswer answer = SoapAnswer.to(front, shop.caller(), document);
    assertThat(answer.status()).as(answer.toString()).isEqualTo(500);
    assertThat(shop.calls()).isEqualTo(before);
    return answer.element("faultstring");
  }

  /** A parser keeps them by hash codes, which can be made equal: each would cost all others. */
  @Test
  void namesAreBoundedWhereverTheyStand() throws IOException {
    String some = "";
    String many = "";
    for (int i = 0; i < 40; i++) {
      String tag = "<tags" + numbered(" i:a%d=''", i * 30, 30) + ">x</tags>";
      some += i < 30 ? tag : "";
      many += tag;
    }
    String instance = "<customer xmlns:i='http://www.w3.org/2001/XMLSchema-instance'>%s</customer>";

    assertThat(
            SoapAnswer.to(front, shop.caller(), named("customer", instance.formatted(some)))
                .status())
        .isEqualTo(200);
    assertThat(refusal(named("customer", instance.formatted(many))))
        .contains("more than 1000 names");
  }

  /** Each prefix is looked for among all that are in force. */
  @Test
  void namespacesInForceAreBounded() throws IOException {
    String open = "";
    String close = "";
    for (int i = 0; i < 10; i++) {
      open += "<x" + numbered(" xmlns:a%d='u'", i * 30, 30) + ">";
      close += "</x>";
    }

    assertThat(refusal(SoapAnswer.envelope11(open + close, "")))
        .contains("more than 256 namespaces");
    String apart = ("<tags" + numbered(" xmlns:a%d='u'", 0, 30) + ">x</tags>").repeat(20);
    String customer = named("customer", "<customer>" + apart + "</customer>");
    assertThat(SoapAnswer.to(front, shop.caller(), customer).status()).isEqualTo(200);
  }

  private static void mustBeRefused(String name, Case hostile) throws IOException {
    int before = shop.calls();
    Counted body = new Counted(hostile.body.get());

    SoapAnswer answer =
        SoapAnswer.to(front, shop.caller(), SoapAnswer.request(hostile.contentType, "", "", body));

    assertThat(answer.status()).as(answer.toString()).isEqualTo(500);
    assertThat(answer.element("faultcode"))
        .as(answer.toString())
        .isIn("S:Client", "S:VersionMismatch");
    assertThat(answer.text()).doesNotContain("Exception", "root:", "com.sun", "wstx");
    assertThat(answer.element("faultstring").equals("The request is not a SOAP envelope."))
        .as("no better reason than that: " + answer)
        .isEqualTo(NO_ENVELOPES.contains(name));
    assertThat(shop.calls()).isEqualTo(before);
    assertThat(body.count).isLessThan(LIMITS.bodyBytes() + (1 << 16));
  }
}
