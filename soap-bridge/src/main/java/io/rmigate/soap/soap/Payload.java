package io.rmigate.soap.soap;

import io.rmigate.soap.call.CallFailure;
import io.rmigate.soap.type.UnreadableValueException;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/** Elements that are written when their time has come. */
@FunctionalInterface
interface Payload {

  /** Nothing. */
  Payload NONE = xml -> {};

  void to(XMLStreamWriter xml) throws XMLStreamException, UnreadableValueException, CallFailure;

  /** A value cannot be shown; what Metro lets through is this kind of exception only. */
  final class Unwritten extends XMLStreamException {
    private static final long serialVersionUID = 1L;

    Unwritten(Exception cause) {
      super(cause.getMessage(), cause);
    }
  }

  /** Writes it. */
  static void write(Payload payload, XMLStreamWriter xml) throws XMLStreamException {
    try {
      payload.to(xml);
    } catch (UnreadableValueException | CallFailure e) {
      throw new Unwritten(e);
    }
  }
}
