package io.rmigate.soap.testing;

import io.rmigate.soap.call.Caller;
import io.rmigate.soap.soap.SoapFront;
import io.rmigate.soap.soap.SoapRequest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** An answer in SOAP as a client would have it. */
public final class SoapAnswer extends RecordedAnswer {
  /** Where the sample is said to be. */
  public static final URI ADDRESS = URI.create("https://gateway.example/services/examples/shop");

  private static final String ENVELOPE_11 = "http://schemas.xmlsoap.org/soap/envelope/";
  private static final String ENVELOPE_12 = "http://www.w3.org/2003/05/soap-envelope";

  /** An envelope of SOAP 1.1 with a header and a body. */
  public static String envelope11(String header, String body) {
    return envelope(ENVELOPE_11, header, body);
  }

  /** An envelope of SOAP 1.2 with a header and a body. */
  public static String envelope12(String header, String body) {
    return envelope(ENVELOPE_12, header, body);
  }

  private static String envelope(String namespace, String header, String body) {
    String head = header.isEmpty() ? "" : "<e:Header>" + header + "</e:Header>";
    return "<e:Envelope xmlns:e='%s'>%s<e:Body>%s</e:Body></e:Envelope>"
        .formatted(namespace, head, body);
  }

  /** Sends an envelope of SOAP 1.1. */
  public static SoapAnswer to(SoapFront front, Caller caller, String envelope) throws IOException {
    return to(front, caller, "text/xml; charset=utf-8", envelope.getBytes(StandardCharsets.UTF_8));
  }

  /** Sends a body. */
  public static SoapAnswer to(SoapFront front, Caller caller, String contentType, byte[] body)
      throws IOException {
    return to(front, caller, request(contentType, "", "", new ByteArrayInputStream(body)));
  }

  /** A request to the sample. */
  public static SoapRequest request(
      String contentType, String accept, String soapAction, InputStream body) {
    return new SoapRequest(() -> ADDRESS, contentType, accept, soapAction, body);
  }

  /** Sends a request. */
  public static SoapAnswer to(SoapFront front, Caller caller, SoapRequest request)
      throws IOException {
    SoapAnswer answer = new SoapAnswer();
    front.call(request, caller, answer);
    return answer;
  }

  /** The text of the only element with this local name; its prefix does not matter. */
  public String element(String name) {
    String[] parts = text().split("</?(?:[\\w.-]+:)?" + name + "(?:\\s[^>]*)?>", -1);
    if (parts.length != 3) {
      throw new AssertionError(name + " is not there once in " + text());
    }
    return parts[1];
  }
}
