package io.rmigate.soap.xml;

import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import javax.xml.stream.XMLStreamWriter;

/** How bytes are the content of an element. */
public interface BinaryCarrier {

  /** Base64 in the document itself. */
  BinaryCarrier INLINE =
      new BinaryCarrier() {
        @Override
        public byte[] read(XMLStreamReader xml) throws XMLStreamException {
          return Base64Text.read(xml);
        }

        @Override
        public void write(byte[] bytes, XMLStreamWriter xml) throws XMLStreamException {
          Base64Text.write(bytes, xml);
        }
      };

  /**
   * Reads the content of the element at whose start the reader is, and goes to its end.
   *
   * @throws IllegalArgumentException it is no binary
   */
  byte[] read(XMLStreamReader xml) throws XMLStreamException;

  /** Writes the content of an element that was just begun. */
  void write(byte[] bytes, XMLStreamWriter xml) throws XMLStreamException;
}
