package io.rmigate.soap.xml;

import java.time.Instant;
import java.util.List;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/**
 * The operations on a reference itself, in a namespace of their own: {@code renew} puts off its
 * expiry, {@code release} lets go of it. Every interface to which references lead has them beside
 * its own.
 */
public final class LeaseDocument {
  public static final String NAMESPACE = "urn:rmigate:lease";
  public static final String RENEW = "renew";
  public static final String RELEASE = "release";

  /** An element of this document, and of an endpoint reference. */
  static final String EXPIRES = "expires";

  static final String PREFIX = "lease";

  /** All of them. */
  static final List<String> OPERATIONS = List.of(RENEW, RELEASE);

  private LeaseDocument() {}

  /** Writes the answer to a renewal. */
  public static void writeRenewed(Instant expires, XMLStreamWriter xml) throws XMLStreamException {
    begin(RENEW, xml);
    xml.writeStartElement(EXPIRES);
    xml.writeCharacters(expires.toString());
    xml.writeEndElement();
    xml.writeEndElement();
  }

  /** Writes the answer to a release. */
  public static void writeReleased(XMLStreamWriter xml) throws XMLStreamException {
    begin(RELEASE, xml);
    xml.writeEndElement();
  }

  private static void begin(String operation, XMLStreamWriter xml) throws XMLStreamException {
    xml.writeStartElement(PREFIX, operation + "Response", NAMESPACE);
    xml.writeNamespace(PREFIX, NAMESPACE);
  }

  /** Writes their schema. */
  static void schema(Markup markup) {
    markup.begin(
        "xs:schema",
        "xmlns:xs",
        XmlNames.XSD,
        "targetNamespace",
        NAMESPACE,
        "elementFormDefault",
        "unqualified");
    for (String operation : OPERATIONS) {
      empty(markup, operation);
    }
    markup
        .begin("xs:element", "name", RENEW + "Response")
        .begin("xs:complexType")
        .begin("xs:sequence")
        .empty("xs:element", "name", EXPIRES, "type", "xs:dateTime")
        .end()
        .end()
        .end();
    empty(markup, RELEASE + "Response");
    markup.end();
  }

  private static void empty(Markup markup, String element) {
    markup
        .begin("xs:element", "name", element)
        .begin("xs:complexType")
        .empty("xs:sequence")
        .end()
        .end();
  }
}
