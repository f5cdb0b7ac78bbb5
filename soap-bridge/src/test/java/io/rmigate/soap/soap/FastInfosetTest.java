package io.rmigate.soap.soap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.xml.fastinfoset.stax.StAXDocumentParser;
import com.sun.xml.fastinfoset.stax.StAXDocumentSerializer;
import io.rmigate.soap.testing.RunningShop;
import io.rmigate.soap.testing.SoapAnswer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InterruptedIOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls in Fast Infoset, and documents that only look like it. */
class FastInfosetTest {
  private static final String MEDIA = "application/fastinfoset";

  private static RunningShop shop;
  private static SoapFront front;

  @BeforeAll
  static void start(@TempDir Path directory) throws Exception {
    shop = RunningShop.in(directory);
    front = new SoapDialect(SoapLimits.DEFAULT).front(shop.publication().contract());
  }

  @AfterAll
  static void stop() throws Exception {
    shop.close();
  }

  /** The same document in Fast Infoset. */
  private static byte[] infoset(String document) throws XMLStreamException {
    return infoset(document, 32);
  }

  /**
   * The same document in Fast Infoset.
   *
   * @param numbered length of those texts that are written as a number when they come again
   */
  private static byte[] infoset(String document, int numbered) throws XMLStreamException {
    XMLInputFactory parsers = XMLInputFactory.newDefaultFactory();
    parsers.setProperty(XMLInputFactory.IS_COALESCING, true);
    XMLStreamReader xml = parsers.createXMLStreamReader(new StringReader(document));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    StAXDocumentSerializer infoset = new StAXDocumentSerializer(out);
    infoset.setMaxCharacterContentChunkSize(numbered + 1);
    infoset.setCharacterContentChunkMapMemoryLimit(Integer.MAX_VALUE);
    infoset.writeStartDocument();
    for (int event = xml.next(); event != XMLStreamConstants.END_DOCUMENT; event = xml.next()) {
      switch (event) {
        case XMLStreamConstants.START_ELEMENT -> start(xml, infoset);
        case XMLStreamConstants.END_ELEMENT -> infoset.writeEndElement();
        case XMLStreamConstants.CHARACTERS -> infoset.writeCharacters(xml.getText());
        case XMLStreamConstants.COMMENT -> infoset.writeComment(xml.getText());
        default -> throw new AssertionError(event);
      }
    }
    infoset.writeEndDocument();
    return out.toByteArray();
  }

  private static void start(XMLStreamReader xml, StAXDocumentSerializer infoset)
      throws XMLStreamException {
    String prefix = xml.getPrefix() == null ? "" : xml.getPrefix();
    String namespace = xml.getNamespaceURI() == null ? "" : xml.getNamespaceURI();
    infoset.writeStartElement(prefix, xml.getLocalName(), namespace);
    for (int i = 0; i < xml.getNamespaceCount(); i++) {
      infoset.writeNamespace(xml.getNamespacePrefix(i), xml.getNamespaceURI(i));
    }
    for (int i = 0; i < xml.getAttributeCount(); i++) {
      infoset.writeAttribute(xml.getAttributeLocalName(i), xml.getAttributeValue(i));
    }
  }

  private static String call(String operation, String content) {
    return SoapAnswer.envelope11(
        "",
        "<t:%1$s xmlns:t='urn:rmigate:contract:shop.Shop'>%2$s</t:%1$s>"
            .formatted(operation, content));
  }

  /** All text of an answer. */
  private static String text(SoapAnswer answer) throws XMLStreamException {
    StAXDocumentParser parser = new StAXDocumentParser(new ByteArrayInputStream(answer.body()));
    StringBuilder text = new StringBuilder();
    while (parser.hasNext()) {
      if (parser.next() == XMLStreamConstants.CHARACTERS) {
        text.append(parser.getText()).append(' ');
      }
    }
    return text.toString();
  }

  @Test
  void aCallIsAnsweredAsItCame() throws Exception {
    SoapAnswer answer =
        SoapAnswer.to(front, shop.caller(), MEDIA, infoset(call("numbers", "<count>3</count>")));

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.contentType()).isEqualTo(MEDIA);
    assertThat(text(answer)).isEqualTo("0 1 2 ");
  }

  @Test
  void whoAcceptsItGetsIt() throws Exception {
    SoapAnswer answer =
        SoapAnswer.to(
            front,
            shop.caller(),
            SoapAnswer.request(
                "application/soap+xml",
                "application/soap+fastinfoset, application/soap+xml",
                "",
                new ByteArrayInputStream(
                    SoapAnswer.envelope12(
                            "",
                            "<t:fail xmlns:t='urn:rmigate:contract:shop.Shop'><how>declared</how>"
                                + "</t:fail>")
                        .getBytes(StandardCharsets.UTF_8))));

    assertThat(answer.status()).isEqualTo(500);
    assertThat(answer.contentType()).isEqualTo("application/soap+fastinfoset");
    assertThat(text(answer)).contains("only 3 of G-1 left");
  }

  /** A text that is named by its number costs a byte, and its length in memory. */
  @Test
  void textsThatAreNamedByNumberAreBounded() throws Exception {
    String tags = ("<tags>" + "x".repeat(50_000) + "</tags>").repeat(100);
    byte[] small = infoset(call("customer", "<customer>" + tags + "</customer>"), 50_000);
    assertThat(small.length).isLessThan(51_000);
    int before = shop.calls();

    SoapAnswer answer = SoapAnswer.to(front, shop.caller(), MEDIA, small);

    assertThat(answer.status()).isEqualTo(500);
    assertThat(text(answer)).contains("has too much text").contains("bad-envelope");
    assertThat(shop.calls()).isEqualTo(before);
  }

  /** Those of headers are copied with them. */
  @Test
  void commentsThatAreNamedByNumberAreBounded() throws Exception {
    String comments = ("<!--" + "x".repeat(50_000) + "-->").repeat(100);
    byte[] small =
        infoset(
            SoapAnswer.envelope11(
                "<h>" + comments + "</h>", "<t:ring xmlns:t='urn:rmigate:contract:shop.Shop'/>"),
            50_000);
    assertThat(small.length).isLessThan(51_000);

    SoapAnswer answer = SoapAnswer.to(front, shop.caller(), MEDIA, small);

    assertThat(answer.status()).isEqualTo(500);
    assertThat(text(answer)).contains("has too much text in its header");
  }

  /** A gateway counts what the bodies of all requests have become, not only what has come. */
  @Test
  void whatIsMoreThanTheBytesTakesRoom() throws Exception {
    String tags = ("<tags>" + "x".repeat(32) + "</tags>").repeat(20_000);
    byte[] small = infoset(call("customer", "<customer>" + tags + "</customer>"));
    AtomicLong taken = new AtomicLong();
    SoapRequest request =
        new SoapRequest(
            () -> SoapAnswer.ADDRESS,
            MEDIA,
            "",
            "",
            new ByteArrayInputStream(small),
            taken::addAndGet);

    assertThat(SoapAnswer.to(front, shop.caller(), request).status()).isEqualTo(200);

    assertThat(taken.get()).isBetween(640_000L - small.length, 640_000L);
    int before = shop.calls();
    SoapRequest other =
        new SoapRequest(
            () -> SoapAnswer.ADDRESS,
            MEDIA,
            "",
            "",
            new ByteArrayInputStream(small),
            bytes -> {
              throw new InterruptedIOException("no room");
            });
    assertThatThrownBy(() -> SoapAnswer.to(front, shop.caller(), other)).hasMessage("no room");
    assertThat(shop.calls()).isEqualTo(before);
  }

  @Test
  void textsAreNamedByNumberAsEncodersDo() throws Exception {
    String tags = ("<tags>" + "x".repeat(32) + "</tags>").repeat(20_000);
    byte[] small = infoset(call("customer", "<customer>" + tags + "</customer>"));
    assertThat(small.length).isLessThan(70_000);

    assertThat(SoapAnswer.to(front, shop.caller(), MEDIA, small).status()).isEqualTo(200);
  }

  @Test
  void bytesGoAsTheyAre() throws Exception {
    byte[] bytes = new byte[3000];
    new Random(1).nextBytes(bytes);
    String base64 = Base64.getEncoder().encodeToString(bytes);

    SoapAnswer answer =
        SoapAnswer.to(
            front, shop.caller(), MEDIA, infoset(call("reversed", "<data>" + base64 + "</data>")));

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.body().length).isLessThan(3300);
  }

  /** What the parser's own project writes is walked through to its end, whatever is in it. */
  @Test
  void allLengthsAreUnderstood() throws Exception {
    StringBuilder document = new StringBuilder("<a>");
    for (int length : new int[] {1, 2, 3, 8, 9, 10, 64, 65, 66, 258, 259, 320, 321, 70_000}) {
      String word = "x".repeat(length);
      document.append("<b c='").append(word).append("'>").append(word).append("</b>");
      document.append("<n").append(word, 0, Math.min(length, 900)).append("/>");
      document.append("<!--").append(word).append("-->");
    }
    for (int i = 0; i < 2200; i++) {
      document.append("<e").append(i).append("/><e").append(i).append(">v").append(i);
      document.append("</e").append(i).append('>');
    }
    for (int i = 0; i < 2200; i++) {
      document.append("<e").append(i).append(" a").append(i % 70).append("='v'>v").append(i);
      document.append("</e").append(i).append('>');
    }

    byte[] infoset = infoset(document.append("</a>").toString());

    assertThatCode(() -> FastInfosetBounds.check(infoset, SoapLimits.DEFAULT))
        .doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "e0000001",
        "e000000100f0", // no root
        "e000000120", // an initial vocabulary
        "e000000110", // notations
        "e0000001003d7fffffff", // an element whose name goes on for ever
        "e0000001003c60ffffffff78", // the same with the longest length
        "e0000001003c00619b7fffffff61", // text in a restricted alphabet
        "e0000001003c0061837fffffff61", // a text of 2 GiB
        "e0000001003c006183ffffffff61", // and of 4
        "e0000001003c00619f7fffffff61", // octets of 2 GiB
        "e0000001007c006178006a0c7fffffff", // an attribute of 2 GiB
        "e0000001003c0061e1006100", // a processing instruction
        "e0000001003c0061c800", // an entity
        "e000000100c400", // a DOCTYPE
        "e0000001003c0061f03c0061f0f0", // two roots
        "e0000001003c0061fff0", // something behind the end
        "3c3f786d6c20656e636f64696e673d2766696e66273f3ee000000100", // an XML declaration
      })
  void whatIsNoneIsRefusedAtOnce(String hex) throws Exception {
    byte[] document = HexFormat.of().parseHex(hex);
    assertThatThrownBy(() -> FastInfosetBounds.check(document, SoapLimits.DEFAULT))
        .isInstanceOf(Unacceptable.class);

    SoapAnswer answer = SoapAnswer.to(front, shop.caller(), MEDIA, document);

    assertThat(answer.status()).isEqualTo(500);
    assertThat(text(answer)).contains("bad-envelope");
  }

  /** A fault or a result, but neither a failure of the parser's nor one of memory. */
  @Test
  void damagedDocumentsAreAnswered() throws Exception {
    byte[] whole = infoset(call("customer", "<customer><name>Ana</name><tags>a</tags></customer>"));
    Random random = new Random(7);
    for (int i = 0; i < 3000; i++) {
      byte[] damaged = Arrays.copyOf(whole, whole.length - random.nextInt(3));
      for (int j = random.nextInt(4); j >= 0; j--) {
        damaged[4 + random.nextInt(damaged.length - 4)] = (byte) random.nextInt(256);
      }

      SoapAnswer answer = SoapAnswer.to(front, shop.caller(), MEDIA, damaged);

      assertThat(answer.status()).isIn(200, 500);
    }
  }

  @Test
  void depthIsBounded() throws Exception {
    byte[] deep = infoset("<a>".repeat(60) + "</a>".repeat(60));

    assertThatThrownBy(() -> FastInfosetBounds.check(deep, SoapLimits.DEFAULT))
        .isInstanceOf(Unacceptable.class);
  }
}
