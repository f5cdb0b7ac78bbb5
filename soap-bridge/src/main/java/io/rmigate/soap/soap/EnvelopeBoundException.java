package io.rmigate.soap.soap;

import javax.xml.stream.XMLStreamException;

/** A document breaks one of our own rules. The message says which, and is for its sender. */
final class EnvelopeBoundException extends XMLStreamException {
  private static final long serialVersionUID = 1L;

  /**
   * @param rule a clause of which the document is the subject
   */
  EnvelopeBoundException(String rule) {
    super(rule);
  }
}
