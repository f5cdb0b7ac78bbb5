package io.rmigate.soap.soap;

import com.sun.xml.ws.api.SOAPVersion;
import com.sun.xml.ws.message.AbstractHeaderImpl;
import jakarta.xml.soap.SOAPMessage;
import java.util.List;
import javax.xml.namespace.QName;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import javax.xml.stream.XMLStreamWriter;
import org.xml.sax.ContentHandler;
import org.xml.sax.ErrorHandler;

/**
 * A header block of SOAP 1.2 by which a program finds out what is wrong with the envelope or with a
 * header: {@code Upgrade} (SOAP 1.2 Part 1, 5.4.7) and {@code NotUnderstood} (5.4.8). Written once,
 * by StAX only.
 */
final class FaultHeader extends AbstractHeaderImpl {
  private static final String NAMESPACE = SOAPVersion.SOAP_12.nsUri;
  private static final String PREFIX = "env";
  private static final String NAME_PREFIX = "n";
  private static final String NOT_UNDERSTOOD = "NotUnderstood";
  private static final String UPGRADE = "Upgrade";

  /** From the most preferred one to the least (5.4.7.2). */
  private static final List<QName> ENVELOPES =
      List.of(envelope(SOAPVersion.SOAP_12), envelope(SOAPVersion.SOAP_11));

  private final String name;

  /** Names of the one header, or of all envelopes. */
  private final List<QName> names;

  private FaultHeader(String name, List<QName> names) {
    this.name = name;
    this.names = names;
  }

  private static QName envelope(SOAPVersion version) {
    return new QName(version.nsUri, "Envelope");
  }

  /** Names a header that had to be understood and was not. */
  static FaultHeader notUnderstood(QName header) {
    return new FaultHeader(NOT_UNDERSTOOD, List.of(header));
  }

  /** Lists the envelopes that are taken. */
  static FaultHeader upgrade() {
    return new FaultHeader(UPGRADE, ENVELOPES);
  }

  @Override
  public String getNamespaceURI() {
    return NAMESPACE;
  }

  @Override
  public String getLocalPart() {
    return name;
  }

  @Override
  public String getAttribute(String namespace, String attribute) {
    return null; // as the interface has it for one that is not there
  }

  @Override
  public void writeTo(XMLStreamWriter xml) throws XMLStreamException {
    xml.writeStartElement(PREFIX, name, NAMESPACE);
    xml.writeNamespace(PREFIX, NAMESPACE);
    if (name.equals(UPGRADE)) {
      for (QName envelope : names) {
        xml.writeStartElement(PREFIX, "SupportedEnvelope", NAMESPACE);
        writeName(envelope, xml);
        xml.writeEndElement();
      }
    } else {
      writeName(names.get(0), xml);
    }
    xml.writeEndElement();
  }

  /** As the attribute {@code qname} of the current element. */
  private static void writeName(QName value, XMLStreamWriter xml) throws XMLStreamException {
    boolean qualified = !value.getNamespaceURI().isEmpty();
    if (qualified) {
      xml.writeNamespace(NAME_PREFIX, value.getNamespaceURI());
    }
    xml.writeAttribute("qname", (qualified ? NAME_PREFIX + ":" : "") + value.getLocalPart());
  }

  @Override
  public XMLStreamReader readHeader() {
    throw notRead();
  }

  @Override
  public void writeTo(SOAPMessage message) {
    throw notRead();
  }

  @Override
  public void writeTo(ContentHandler handler, ErrorHandler errors) {
    throw notRead();
  }

  private static UnsupportedOperationException notRead() {
    return new UnsupportedOperationException("it is written once, and by StAX only");
  }
}
