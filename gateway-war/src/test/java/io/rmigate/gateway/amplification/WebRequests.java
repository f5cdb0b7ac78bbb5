package io.rmigate.gateway.amplification;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/** Requests of web-service clients: JSON by Jackson, envelopes by StAX. */
final class WebRequests {
  private static final String ENVELOPE = "http://schemas.xmlsoap.org/soap/envelope/";
  private static final String NAMESPACE = "urn:rmigate:contract:" + ParameterSink.class.getName();
  private static final int COUNT = 5_000;
  private static final int DEPTH = 15;
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final XMLOutputFactory XML = XMLOutputFactory.newInstance();

  static List<Request> requests(MeasuredServices services) throws IOException {
    String small = "a text";
    String large = "Text, and \"more\" of it. ".repeat(COUNT);
    List<String> texts = new ArrayList<>();
    int[] numbers = new Random(1).ints(COUNT).toArray();
    for (int number : numbers) {
      texts.add("text " + number);
    }
    byte[] bytes = new byte[256 * 1024];
    new Random(1).nextBytes(bytes);
    int[][] empty = new int[COUNT][0];
    return List.of(
        json(services, "a small text", "text", "text", small),
        json(services, "a long text", "text", "text", large),
        json(services, COUNT + " texts", "texts", "texts", texts),
        json(services, COUNT + " numbers", "numbers", "numbers", numbers),
        json(services, "256 KiB as base64", "bytes", "bytes", bytes),
        json(services, COUNT + " empty arrays", "arrays", "arrays", empty),
        json(services, "objects in each other", "link", "first", ChainLink.chain(DEPTH)),
        soap(services, "a small text", "text", out -> element(out, "text", small)),
        soap(services, "a long text", "text", out -> element(out, "text", large)),
        soap(
            services,
            COUNT + " texts",
            "texts",
            out -> {
              for (String text : texts) {
                element(out, "texts", text);
              }
            }),
        soap(
            services,
            COUNT + " numbers",
            "numbers",
            out -> {
              for (int number : numbers) {
                element(out, "numbers", Integer.toString(number));
              }
            }),
        soap(
            services,
            COUNT + " empty arrays",
            "arrays",
            out -> {
              for (int[] array : empty) {
                out.writeEmptyElement("arrays");
                if (array.length > 0) {
                  throw new IllegalStateException("not empty");
                }
              }
            }));
  }

  private static Request json(
      MeasuredServices services, String name, String operation, String parameter, Object value)
      throws IOException {
    return new ServiceRequest(
        name + ", JSON",
        "application/json",
        () -> JSON.writeValueAsBytes(Map.of(parameter, value)),
        body -> services.json(operation, body));
  }

  private interface Arguments {
    void write(XMLStreamWriter out) throws XMLStreamException;
  }

  private static Request soap(
      MeasuredServices services, String name, String operation, Arguments arguments)
      throws IOException {
    return new ServiceRequest(
        name + ", SOAP",
        "text/xml; charset=utf-8",
        () -> envelope(operation, arguments),
        services::soap);
  }

  private static byte[] envelope(String operation, Arguments arguments) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      XMLStreamWriter out = XML.createXMLStreamWriter(bytes, StandardCharsets.UTF_8.name());
      out.writeStartDocument(StandardCharsets.UTF_8.name(), "1.0");
      out.writeStartElement("e", "Envelope", ENVELOPE);
      out.writeNamespace("e", ENVELOPE);
      out.writeStartElement("e", "Body", ENVELOPE);
      out.writeStartElement("t", operation, NAMESPACE);
      out.writeNamespace("t", NAMESPACE);
      arguments.write(out);
      out.writeEndDocument();
      out.close();
    } catch (XMLStreamException e) {
      throw new IOException(e);
    }
    return bytes.toByteArray();
  }

  private static void element(XMLStreamWriter out, String name, String text)
      throws XMLStreamException {
    out.writeStartElement(name);
    out.writeCharacters(text);
    out.writeEndElement();
  }

  private WebRequests() {}
}
