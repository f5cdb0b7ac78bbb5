package io.rmigate.soap.soap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rmigate.soap.http.DamagedBodyException;
import io.rmigate.soap.testing.RunningShop;
import io.rmigate.soap.testing.SoapAnswer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bytes in XOP packages and in the document, of real calls. */
class AttachmentsTest {
  private static final String NAMESPACE = "urn:rmigate:contract:shop.Shop";
  private static final String XOP =
      "multipart/related; type=\"application/xop+xml\"; boundary=\"b=1\"; start=\"<root>\";"
          + " start-info=\"%s\"";
  private static final String INCLUDE =
      "<x:Include xmlns:x='http://www.w3.org/2004/08/xop/include' href='cid:%s'/>";

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

  private static String reversed(String content) {
    return "<t:reversed xmlns:t='" + NAMESPACE + "'><data>" + content + "</data></t:reversed>";
  }

  private static byte[] random(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return bytes;
  }

  private static byte[] reverse(byte[] bytes) {
    byte[] reverse = bytes.clone();
    for (int i = 0; i < bytes.length; i++) {
      reverse[i] = bytes[bytes.length - 1 - i];
    }
    return reverse;
  }

  private static byte[] xop(String envelope, byte[] attachment) {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    body.writeBytes(
        ("preamble\r\n--b=1\r\nContent-ID: <root>\r\nContent-Type: application/xop+xml; charset=utf-8\r\n\r\n"
                + envelope
                + "\r\n--b=1\r\nContent-ID: <a@x>\r\nContent-Transfer-Encoding: binary\r\n\r\n")
            .getBytes(StandardCharsets.UTF_8));
    body.writeBytes(attachment);
    body.writeBytes("\r\n--b=1--\r\n".getBytes(StandardCharsets.UTF_8));
    return body.toByteArray();
  }

  /** The only attachment of an answer. */
  private static byte[] attachment(SoapAnswer answer) {
    assertThat(answer.contentType()).startsWith("multipart/related; type=\"application/xop+xml\"");
    String all = new String(answer.body(), StandardCharsets.ISO_8859_1);
    String boundary = answer.contentType().replaceAll(".*boundary=\"([^\"]*)\".*", "$1");
    String[] parts = all.split("\r?\n?--" + boundary, -1);
    assertThat(parts).hasSize(4);
    String id = parts[1].replaceAll("(?s).*href=\"cid:([^\"]*)\".*", "$1");
    assertThat(parts[2]).contains("<" + id + ">");
    String content = parts[2].substring(parts[2].indexOf("\r\n\r\n") + 4);
    return content.getBytes(StandardCharsets.ISO_8859_1);
  }

  @Test
  void anAttachmentComesAndGoesInEachVersion() throws IOException {
    byte[] bytes = random(5000);
    byte[] old = xop(SoapAnswer.envelope11("", reversed(INCLUDE.formatted("a@x"))), bytes);
    SoapAnswer answer = SoapAnswer.to(front, shop.caller(), XOP.formatted("text/xml"), old);
    assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
    assertThat(attachment(answer)).isEqualTo(reverse(bytes));

    byte[] recent = xop(SoapAnswer.envelope12("", reversed(INCLUDE.formatted("a%40x"))), bytes);
    answer = SoapAnswer.to(front, shop.caller(), XOP.formatted("application/soap+xml"), recent);
    assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
    assertThat(answer.contentType()).contains("start-info=\"application/soap+xml\"");
    assertThat(attachment(answer)).isEqualTo(reverse(bytes));
  }

  @Test
  void fewBytesAreInTheDocumentOfAPackage() throws IOException {
    SoapAnswer answer =
        SoapAnswer.to(
            front,
            shop.caller(),
            XOP.formatted("text/xml"),
            xop(SoapAnswer.envelope11("", reversed("AQID")), new byte[0]));

    assertThat(answer.element("return")).isEqualTo("AwIB");
  }

  /** A client that has gone, or is thrown out, is no failure of the gateway's. */
  @Test
  void whatBreaksOffAnAttachmentGetsThrough() {
    IOException slow = new IOException("too slow");
    byte[] whole =
        xop(SoapAnswer.envelope11("", reversed(INCLUDE.formatted("a@x"))), random(99_999));
    InputStream body =
        new SequenceInputStream(
            new ByteArrayInputStream(whole, 0, 60_000),
            new InputStream() {
              @Override
              public int read() throws IOException {
                throw slow;
              }

              @Override
              public int read(byte[] target, int offset, int length) throws IOException {
                throw slow;
              }
            });

    assertThatThrownBy(
            () ->
                SoapAnswer.to(
                    front,
                    shop.caller(),
                    SoapAnswer.request(XOP.formatted("text/xml"), "", "", body)))
        .isSameAs(slow);
  }

  @Test
  void attachmentsThatNothingRefersToAreRead() throws IOException {
    byte[] bytes = random(5000);
    String another = "\r\n--b=1\r\nContent-ID: <b@x>\r\n\r\n" + "b".repeat(20_000);
    String two =
        new String(
                xop(SoapAnswer.envelope11("", reversed(INCLUDE.formatted("a@x"))), bytes),
                StandardCharsets.ISO_8859_1)
            .replace("\r\n--b=1--", another + "\r\n--b=1--");
    ByteArrayInputStream body = new ByteArrayInputStream(two.getBytes(StandardCharsets.ISO_8859_1));

    SoapAnswer answer =
        SoapAnswer.to(
            front, shop.caller(), SoapAnswer.request(XOP.formatted("text/xml"), "", "", body));

    assertThat(attachment(answer)).isEqualTo(reverse(bytes));
    assertThat(body.available()).isZero();
  }

  /** Found out by the content coding below, when it is asked for more than the last byte. */
  @Test
  void aPackageThatIsDamagedBehindItsEndReachesNothing() throws IOException {
    byte[] whole =
        xop(SoapAnswer.envelope11("", reversed(INCLUDE.formatted("a@x"))), random(20_000));
    // More than the parser reads ahead.
    byte[] epilogue = ("\r\n" + "x".repeat(50_000)).getBytes(StandardCharsets.US_ASCII);
    InputStream body =
        new SequenceInputStream(
            new SequenceInputStream(
                new ByteArrayInputStream(whole), new ByteArrayInputStream(epilogue)),
            new InputStream() {
              @Override
              public int read() throws IOException {
                throw new DamagedBodyException("is damaged");
              }

              @Override
              public int read(byte[] target, int offset, int length) throws IOException {
                throw new DamagedBodyException("is damaged");
              }
            });
    int before = shop.calls();

    SoapAnswer answer =
        SoapAnswer.to(
            front, shop.caller(), SoapAnswer.request(XOP.formatted("text/xml"), "", "", body));

    assertThat(answer.element("faultstring")).isEqualTo("The request is damaged.");
    assertThat(shop.calls()).isEqualTo(before);
  }

  @Test
  void anAttachmentThatIsTooLargeIsCalledThat() throws IOException {
    SoapFront small =
        new SoapDialect(SoapLimits.DEFAULT.with(50_000, 50, 1000, 1000))
            .front(shop.publication().contract());

    SoapAnswer answer =
        SoapAnswer.to(
            small,
            shop.caller(),
            XOP.formatted("text/xml"),
            xop(SoapAnswer.envelope11("", reversed(INCLUDE.formatted("a@x"))), random(99_999)));

    assertThat(answer.element("type")).isEqualTo("too-large");
    assertThat(answer.element("faultcode")).isEqualTo("S:Client");
  }

  @Test
  void whoAcceptsAPackageGetsOne() throws IOException {
    byte[] bytes = random(3000);
    String text = Base64.getMimeEncoder().encodeToString(bytes);

    SoapAnswer answer =
        SoapAnswer.to(
            front,
            shop.caller(),
            SoapAnswer.request(
                "text/xml",
                "text/xml, multipart/related; type=\"application/xop+xml\"",
                "",
                new ByteArrayInputStream(
                    SoapAnswer.envelope11("", reversed(text)).getBytes(StandardCharsets.UTF_8))));

    assertThat(attachment(answer)).isEqualTo(reverse(bytes));
  }

  @Test
  void aFaultIsNoPackage() throws IOException {
    SoapAnswer answer =
        SoapAnswer.to(
            front,
            shop.caller(),
            XOP.formatted("text/xml"),
            xop(SoapAnswer.envelope11("", reversed("A!")), new byte[0]));

    assertThat(answer.contentType()).isEqualTo("text/xml; charset=utf-8");
    assertThat(answer.element("faultstring")).isEqualTo("reversed/data is no base64");
  }

  @Test
  void bytesOfEveryLengthCrossInline() throws IOException {
    for (int length : new int[] {0, 1, 2, 3, 4095, 4096, 12287, 12288, 12289, 100_000}) {
      byte[] bytes = random(length);
      SoapAnswer answer =
          SoapAnswer.to(
              front,
              shop.caller(),
              SoapAnswer.envelope11("", reversed(Base64.getEncoder().encodeToString(bytes))));
      String text = length == 0 ? "" : answer.element("return");
      assertThat(Base64.getDecoder().decode(text)).isEqualTo(reverse(bytes));
    }
  }

  /** More than the bound of a text; what is in memory is the bytes, not their text as well. */
  @Test
  void fiftyMegabytesCrossBothWays() throws IOException {
    byte[] bytes = random(50 << 20);
    byte[] request = xop(SoapAnswer.envelope11("", reversed(INCLUDE.formatted("a@x"))), bytes);
    SoapAnswer packaged = SoapAnswer.to(front, shop.caller(), XOP.formatted("text/xml"), request);
    assertThat(packaged.status()).isEqualTo(200);
    assertThat(Arrays.hashCode(attachment(packaged))).isEqualTo(Arrays.hashCode(reverse(bytes)));

    SoapAnswer inline =
        SoapAnswer.to(
            front,
            shop.caller(),
            SoapAnswer.envelope11("", reversed(Base64.getEncoder().encodeToString(bytes))));
    assertThat(inline.status()).as(inline.contentType()).isEqualTo(200);
    assertThat(inline.body().length).isGreaterThan(66 << 20);
  }
}
