package io.rmigate.gateway.testing;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What attackers send to {@code Everything.executeSlowly(callId, millis)} in envelopes, each under
 * the name of its attack. A gateway that accepts one calls the server with the id {@link #ID}.
 */
public final class HostileSoap {
  /** No server must hear it. */
  public static final String ID = "hostile-envelope";

  private static final String XML = "text/xml; charset=utf-8";
  private static final String PACKAGE =
      "multipart/related; type=\"application/xop+xml\"; boundary=b; start=\"<root>\";"
          + " start-info=\"text/xml\"";

  private static final String ENVELOPE =
      "<e:Envelope xmlns:e='http://schemas.xmlsoap.org/soap/envelope/'>";
  private static final String CALL =
      "<t:executeSlowly xmlns:t='urn:rmigate:contract:io.rmigate.sample.Everything'><callId>"
          + ID
          + "</callId>";
  private static final String BODY = "<e:Body>" + CALL;
  private static final String BODY_END = "</t:executeSlowly></e:Body>";
  private static final String END = BODY_END + "</e:Envelope>";

  private HostileSoap() {}

  /**
   * A request that need not be in memory as a whole.
   *
   * @param action the header {@code SOAPAction}
   * @param again the text that is repeated between the beginning and the end
   * @param problem the type of the fault that answers it
   */
  public record Envelope(
      String problem,
      String contentType,
      String action,
      Charset charset,
      String begin,
      String again,
      int times,
      String end) {

    /** Its length in bytes. */
    public long length() {
      return bytes(begin).length + (long) bytes(again).length * times + bytes(end).length;
    }

    /** Writes it, however much of it is wanted. */
    public void writeTo(OutputStream out) throws IOException {
      out.write(bytes(begin));
      byte[] piece = bytes(again);
      for (int i = 0; i < times; i++) {
        out.write(piece);
      }
      out.write(bytes(end));
    }

    private byte[] bytes(String text) {
      return text.getBytes(charset);
    }
  }

  /** What is no attack: a call with another id, made in the same way. */
  public static Envelope harmless(String id) {
    return xml("", call("0").replace(ID, id));
  }

  /**
   * All of them.
   *
   * @param zero a file that makes a call of an envelope if its content is taken for an argument
   * @param trap a URL to which no reader may connect
   */
  public static Map<String, Envelope> envelopes(URI zero, URI trap) {
    Map<String, Envelope> all = new LinkedHashMap<>();
    String entity = "<!DOCTYPE x [<!ENTITY y %s>]>";
    String entityCall = ENVELOPE + BODY + "<millis>&y;</millis>" + END;
    all.put(
        "an entity that is a file",
        xml("bad-envelope", entity.formatted("SYSTEM '" + zero + "'") + entityCall));
    all.put(
        "an entity that is elsewhere",
        xml("bad-envelope", entity.formatted("SYSTEM '" + trap + "'") + entityCall));
    all.put(
        "a DTD that is elsewhere",
        xml("bad-envelope", "<!DOCTYPE x SYSTEM '" + trap + "'>" + call("0")));
    all.put("a DTD in UTF-16", inUtf16(entity.formatted("'0'") + entityCall));
    all.put("entities in entities", xml("bad-envelope", laughs() + entityCall));
    all.put(
        "10,000 attributes",
        xml(
            "bad-envelope",
            ENVELOPE + BODY + "<millis" + attributes(10_000) + ">0</millis>" + END));
    all.put(
        "depth 100,000",
        repeated(
            "bad-envelope",
            ENVELOPE + BODY,
            "<millis>",
            100_000,
            "0" + "</millis>".repeat(100_000) + END));
    all.put(
        "a text of 100 MiB",
        repeated(
            "bad-envelope",
            ENVELOPE + BODY + "<millis>",
            "0".repeat(1 << 16),
            (100 << 20) >> 16,
            "</millis>" + END));
    all.put(
        "a million elements",
        repeated("bad-argument", ENVELOPE + BODY, "<millis>0</millis>", 1_000_000, END));
    all.put(
        "a million headers",
        repeated(
            "bad-envelope",
            ENVELOPE + "<e:Header>",
            "<x/>",
            1_000_000,
            "</e:Header>" + BODY + "<millis>0</millis>" + END));
    String body = BODY + "<millis>0</millis>" + BODY_END;
    all.put("two bodies", xml("bad-envelope", ENVELOPE + body + body + "</e:Envelope>"));
    all.put(
        "an answer to another request",
        xml(
            "addressing",
            ENVELOPE
                + "<e:Header><a:ReplyTo xmlns:a='http://www.w3.org/2005/08/addressing'><a:Address>"
                + trap
                + "</a:Address></a:ReplyTo></e:Header>"
                + body
                + "</e:Envelope>"));
    all.put(
        "another action",
        new Envelope("action", XML, "\"execute\"", StandardCharsets.UTF_8, call("0"), "", 0, ""));
    all.put(
        "an attachment that is a file",
        packaged(
            "bad-envelope",
            call("<x:Include xmlns:x='http://www.w3.org/2004/08/xop/include' href='%s'/>")
                .formatted(zero),
            0));
    all.put("1000 attachments", packaged("bad-envelope", call("0"), 1000));
    return all;
  }

  private static String call(String millis) {
    return ENVELOPE + BODY + "<millis>" + millis + "</millis>" + END;
  }

  private static Envelope xml(String problem, String document) {
    return repeated(problem, document, "", 0, "");
  }

  private static Envelope repeated(
      String problem, String begin, String again, int times, String end) {
    return new Envelope(problem, XML, "\"\"", StandardCharsets.UTF_8, begin, again, times, end);
  }

  private static Envelope inUtf16(String document) {
    return new Envelope(
        "bad-envelope", "text/xml", "\"\"", StandardCharsets.UTF_16BE, "\ufeff", document, 1, "");
  }

  /** The parts are in front of the root, so that a reader has to read them before it. */
  private static Envelope packaged(String problem, String root, int parts) {
    return new Envelope(
        problem,
        PACKAGE,
        "\"\"",
        StandardCharsets.UTF_8,
        "",
        "--b\r\nContent-ID: <a>\r\n\r\nsomething\r\n",
        parts,
        "--b\r\nContent-ID: <root>\r\n"
            + "Content-Type: application/xop+xml; charset=utf-8; type=\"text/xml\"\r\n\r\n"
            + root
            + "\r\n--b--\r\n");
  }

  /** An entity of a thousand million characters. */
  private static String laughs() {
    StringBuilder laughs = new StringBuilder("<!DOCTYPE x [<!ENTITY a0 '0'>");
    for (int i = 1; i < 10; i++) {
      laughs.append("<!ENTITY a").append(i).append(" '");
      laughs.append(("&a" + (i - 1) + ";").repeat(10)).append("'>");
    }
    return laughs.append("<!ENTITY y '&a9;'>]>").toString();
  }

  private static String attributes(int count) {
    StringBuilder attributes = new StringBuilder();
    for (int i = 0; i < count; i++) {
      attributes.append(" a").append(i).append("=''");
    }
    return attributes.toString();
  }
}
