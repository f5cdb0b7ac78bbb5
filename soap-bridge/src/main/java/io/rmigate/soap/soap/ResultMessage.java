package io.rmigate.soap.soap;

import com.sun.xml.ws.api.SOAPVersion;
import javax.xml.namespace.QName;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/** The answer to a call that brought a result. */
final class ResultMessage extends WrittenMessage {
  private final Payload content;

  ResultMessage(SOAPVersion version, QName payload, Payload content) {
    super(version, payload);
    this.content = content;
  }

  @Override
  public boolean isFault() {
    return false;
  }

  @Override
  public void writePayloadTo(XMLStreamWriter xml) throws XMLStreamException {
    Payload.write(content, xml);
  }
}
