package io.rmigate.soap.soap;

import com.sun.xml.ws.api.SOAPVersion;
import io.rmigate.soap.http.HttpReply;
import io.rmigate.soap.soap.SoapProblem.Kind;
import io.rmigate.soap.soap.SoapProblem.Side;
import io.rmigate.soap.xml.LegalText;
import java.util.Set;
import javax.xml.namespace.QName;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/** The answer to a call that brought none, in the form of each SOAP version. */
final class FaultMessage extends WrittenMessage {
  /** The namespace of the detail of those faults that no WSDL declares. */
  static final String PROBLEM = "urn:rmigate:problem";

  private static final String PREFIX = "S";
  private static final String PROBLEM_PREFIX = "p";
  private static final int MAX_TEXT = 1000;

  private final Side side;
  private final String words;
  private final Payload detail;
  private final boolean refuses;

  /** The kind of the problem, as a word; empty for a declared exception. */
  private final String kind;

  /** Number of the refusal; empty until it is known, and if there is none. */
  private String refusal = "";

  private FaultMessage(SOAPVersion version, SoapProblem problem) {
    super(version, new QName(version.nsUri, "Fault"));
    side = problem.kind().side();
    words = problem.text();
    // SOAP 1.1, 4.4: what is wrong with a header must not have a detail, which is of the body.
    detail = side == Side.HEADER ? Payload.NONE : xml -> writeDetail(problem, xml);
    refuses = problem.kind().isRefusal();
    kind = problem.kind().word();
  }

  private FaultMessage(SOAPVersion version, String words, Payload declared) {
    super(version, new QName(version.nsUri, "Fault"));
    side = Side.RECEIVER;
    this.words = words;
    detail = declared;
    refuses = false;
    kind = "";
  }

  /** One that says what failed, and whether anything was executed. */
  static FaultMessage of(SOAPVersion version, SoapProblem problem) {
    FaultMessage fault = new FaultMessage(version, problem);
    if (problem.kind().side() == Side.VERSION) {
      // In a fault of SOAP 1.1, too: SOAP 1.2 Part 1, appendix A.
      fault.getHeaders().add(FaultHeader.upgrade());
    }
    return fault;
  }

  /** Headers had to be understood and are not. SOAP 1.1 has no way to name them to a program. */
  static FaultMessage notUnderstood(SOAPVersion version, Set<QName> headers) {
    FaultMessage fault =
        of(
            version,
            new SoapProblem(Kind.NOT_UNDERSTOOD, "These headers are not understood: " + headers));
    if (version == SOAPVersion.SOAP_12) {
      headers.forEach(header -> fault.getHeaders().add(FaultHeader.notUnderstood(header)));
    }
    return fault;
  }

  private void writeDetail(SoapProblem problem, XMLStreamWriter xml) throws XMLStreamException {
    xml.writeStartElement(PROBLEM_PREFIX, "problem", PROBLEM);
    xml.writeNamespace(PROBLEM_PREFIX, PROBLEM);
    element(xml, PROBLEM_PREFIX, "type", PROBLEM, problem.kind().word());
    element(xml, PROBLEM_PREFIX, "executed", PROBLEM, problem.kind().executed());
    if (!refusal.isEmpty()) {
      element(xml, PROBLEM_PREFIX, "refusal", PROBLEM, refusal);
    }
    xml.writeEndElement();
  }

  /** A declared exception, whose element is the detail. */
  static FaultMessage declared(SOAPVersion version, String text, Payload detail) {
    return new FaultMessage(version, text, detail);
  }

  /** Gives it the number of the refusal that it tells of, if it does. */
  void number(HttpReply reply) {
    refusal = reply.refusal(refuses, kind);
  }

  private String text() {
    return LegalText.of(refusal.isEmpty() ? words : words + " [refusal " + refusal + "]", MAX_TEXT);
  }

  @Override
  public boolean isFault() {
    return true;
  }

  /** SOAP 1.1 knows 500 only (6.2); in SOAP 1.2 it is 400 if the sender has to change something. */
  int status() {
    return soapVersion == SOAPVersion.SOAP_12 && side == Side.SENDER ? 400 : 500;
  }

  @Override
  public void writePayloadTo(XMLStreamWriter xml) throws XMLStreamException {
    if (soapVersion == SOAPVersion.SOAP_11) {
      soap11(xml);
    } else {
      soap12(xml);
    }
  }

  private void soap11(XMLStreamWriter xml) throws XMLStreamException {
    xml.writeStartElement(PREFIX, "Fault", soapVersion.nsUri);
    xml.writeStartElement("faultcode");
    xml.writeCharacters(PREFIX + ":" + side.soap11());
    xml.writeEndElement();
    xml.writeStartElement("faultstring");
    xml.writeCharacters(text());
    xml.writeEndElement();
    if (detail != Payload.NONE) {
      xml.writeStartElement("detail");
      Payload.write(detail, xml);
      xml.writeEndElement();
    }
    xml.writeEndElement();
  }

  private void soap12(XMLStreamWriter xml) throws XMLStreamException {
    String ns = soapVersion.nsUri;
    xml.writeStartElement(PREFIX, "Fault", ns);
    xml.writeStartElement(PREFIX, "Code", ns);
    element(xml, PREFIX, "Value", ns, PREFIX + ":" + side.soap12());
    xml.writeEndElement();
    xml.writeStartElement(PREFIX, "Reason", ns);
    xml.writeStartElement(PREFIX, "Text", ns);
    xml.writeAttribute("xml", "http://www.w3.org/XML/1998/namespace", "lang", "en");
    xml.writeCharacters(text());
    xml.writeEndElement();
    xml.writeEndElement();
    if (detail != Payload.NONE) {
      xml.writeStartElement(PREFIX, "Detail", ns);
      Payload.write(detail, xml);
      xml.writeEndElement();
    }
    xml.writeEndElement();
  }

  private static void element(
      XMLStreamWriter xml, String prefix, String name, String namespace, String content)
      throws XMLStreamException {
    xml.writeStartElement(prefix, name, namespace);
    xml.writeCharacters(content);
    xml.writeEndElement();
  }
}
