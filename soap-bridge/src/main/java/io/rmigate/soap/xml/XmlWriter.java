package io.rmigate.soap.xml;

import io.rmigate.soap.call.CallFailure;
import io.rmigate.soap.call.RemoteReferences;
import io.rmigate.soap.call.RemoteReferences.Handle;
import io.rmigate.soap.publish.Operation;
import io.rmigate.soap.type.Binary;
import io.rmigate.soap.type.Choice;
import io.rmigate.soap.type.Dictionary;
import io.rmigate.soap.type.Enumeration;
import io.rmigate.soap.type.Property;
import io.rmigate.soap.type.Reference;
import io.rmigate.soap.type.Scalar;
import io.rmigate.soap.type.Sequence;
import io.rmigate.soap.type.Shape;
import io.rmigate.soap.type.Structure;
import io.rmigate.soap.type.UnreadableValueException;
import java.util.Iterator;
import java.util.Map;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/**
 * Writes Java values as elements, straight into a stream that declares no default namespace. Of one
 * answer; confined to its thread.
 */
public final class XmlWriter {
  private static final String TARGET_PREFIX = "tns";
  private static final String NIL_PREFIX = "xsi";
  private static final String ADDRESSING_PREFIX = "wsa";

  private final XMLStreamWriter xml;
  private final RemoteReferences references;
  private final BinaryCarrier binaries;
  private final int maxDepth;
  private int depth;

  /**
   * @param maxDepth elements in elements; also ends a result that contains itself
   */
  public XmlWriter(
      XMLStreamWriter xml, RemoteReferences references, BinaryCarrier binaries, int maxDepth) {
    this.xml = xml;
    this.references = references;
    this.binaries = binaries;
    this.maxDepth = maxDepth;
  }

  /**
   * Writes the wrapper element of an answer.
   *
   * @param namespace of the contract
   * @param result null for void, too
   * @throws UnreadableValueException it is not what was declared, an accessor of it failed, or XML
   *     cannot have it
   */
  public void result(String namespace, Operation operation, Object result)
      throws XMLStreamException, UnreadableValueException, CallFailure {
    begin(namespace, XmlNames.response(operation));
    if (operation.result().isPresent()) {
      member(XmlNames.RETURN, operation.result().get(), result);
    }
    xml.writeEndElement();
  }

  /** Writes the element of a declared exception, the detail of a SOAP fault. */
  public void fault(String namespace, Structure fault, Throwable exception)
      throws XMLStreamException, UnreadableValueException, CallFailure {
    begin(namespace, fault.label());
    properties(fault, exception);
    xml.writeEndElement();
  }

  private void begin(String namespace, String name) throws XMLStreamException {
    xml.writeStartElement(TARGET_PREFIX, name, namespace);
    xml.writeNamespace(TARGET_PREFIX, namespace);
    xml.writeNamespace(NIL_PREFIX, XmlNames.XSI);
  }

  /** A named part: nothing if it is null, repeated elements if it is a sequence. */
  private void member(String name, Shape shape, Object value)
      throws XMLStreamException, UnreadableValueException, CallFailure {
    if (value == null) {
      return;
    }
    if (shape instanceof Sequence sequence) {
      for (Iterator<?> i = sequence.elements(value); i.hasNext(); ) {
        element(name, sequence.element(), i.next());
      }
    } else {
      element(name, shape, value);
    }
  }

  private void element(String name, Shape shape, Object value)
      throws XMLStreamException, UnreadableValueException, CallFailure {
    if (++depth > maxDepth) {
      throw new UnreadableValueException(
          "the result is deeper than " + maxDepth + " or contains itself");
    }
    xml.writeStartElement(name);
    if (value == null) {
      xml.writeAttribute(NIL_PREFIX, XmlNames.XSI, "nil", "true");
    } else {
      try {
        content(shape, value);
      } catch (ClassCastException e) {
        throw new UnreadableValueException(
            value.getClass().getName() + " came as a " + shape.label(), e);
      }
    }
    xml.writeEndElement();
    depth--;
  }

  private void content(Shape shape, Object value)
      throws XMLStreamException, UnreadableValueException, CallFailure {
    if (shape instanceof Scalar scalar) {
      xml.writeCharacters(XmlText.print(scalar, value));
    } else if (shape instanceof Binary) {
      binaries.write((byte[]) value, xml);
    } else if (shape instanceof Enumeration enumeration) {
      xml.writeCharacters(enumeration.print(value));
    } else if (shape instanceof Sequence sequence) {
      member(XmlNames.ITEM, sequence, value);
    } else if (shape instanceof Dictionary dictionary) {
      for (Map.Entry<?, ?> entry : ((Map<?, ?>) value).entrySet()) {
        xml.writeStartElement(XmlNames.ENTRY);
        member(XmlNames.KEY, dictionary.key(), entry.getKey());
        member(XmlNames.VALUE, dictionary.value(), entry.getValue());
        xml.writeEndElement();
      }
    } else if (shape instanceof Structure structure) {
      properties(structure, value);
    } else if (shape instanceof Choice choice) {
      Structure alternative = choice.of(value);
      xml.writeStartElement(alternative.label());
      properties(alternative, value);
      xml.writeEndElement();
    } else if (shape instanceof Reference reference) {
      reference(reference, value);
    } else {
      throw new AssertionError(shape);
    }
  }

  private void properties(Structure structure, Object value)
      throws XMLStreamException, UnreadableValueException, CallFailure {
    for (Property property : structure.properties()) {
      member(property.name(), property.shape(), structure.get(value, property));
    }
  }

  /** With what generated clients need to make a proxy of it, and when it is let go. */
  private void reference(Reference reference, Object value) throws XMLStreamException, CallFailure {
    Handle handle = references.hold(value, reference.javaType());
    String namespace = XmlNames.namespace(reference.javaType());
    xml.writeStartElement(ADDRESSING_PREFIX, XmlNames.ADDRESS, XmlNames.WSA);
    xml.writeNamespace(ADDRESSING_PREFIX, XmlNames.WSA);
    xml.writeCharacters(handle.href());
    xml.writeEndElement();
    xml.writeStartElement(ADDRESSING_PREFIX, "Metadata", XmlNames.WSA);
    xml.writeNamespace(ADDRESSING_PREFIX, XmlNames.WSA);
    xml.writeNamespace("wsdli", XmlNames.WSDLI);
    xml.writeNamespace("wsam", XmlNames.WSAM);
    xml.writeNamespace("i", namespace);
    xml.writeAttribute(
        "wsdli", XmlNames.WSDLI, "wsdlLocation", namespace + " " + handle.href() + "?wsdl");
    xml.writeStartElement("wsam", "InterfaceName", XmlNames.WSAM);
    xml.writeCharacters("i:" + reference.label());
    xml.writeEndElement();
    xml.writeStartElement("wsam", "ServiceName", XmlNames.WSAM);
    xml.writeAttribute("EndpointName", reference.label() + "Soap11");
    xml.writeCharacters("i:" + XmlNames.service(reference.label()));
    xml.writeEndElement();
    xml.writeEndElement();
    xml.writeStartElement(LeaseDocument.PREFIX, LeaseDocument.EXPIRES, LeaseDocument.NAMESPACE);
    xml.writeNamespace(LeaseDocument.PREFIX, LeaseDocument.NAMESPACE);
    xml.writeCharacters(handle.expires().toString());
    xml.writeEndElement();
  }
}
