package io.rmigate.soap.soap;

import com.sun.xml.ws.api.SOAPVersion;
import com.sun.xml.ws.api.message.HeaderList;
import com.sun.xml.ws.api.message.Message;
import com.sun.xml.ws.api.message.MessageHeaders;
import com.sun.xml.ws.message.AbstractMessageImpl;
import javax.xml.namespace.QName;
import javax.xml.stream.XMLStreamReader;
import javax.xml.transform.Source;
import org.xml.sax.ContentHandler;
import org.xml.sax.ErrorHandler;

/**
 * A message of ours, whose payload is written straight into an encoder when Metro asks for it,
 * once. It is never in memory as a whole, which is why it cannot be read.
 */
abstract class WrittenMessage extends AbstractMessageImpl {
  private final MessageHeaders headers;
  private final QName payload;

  WrittenMessage(SOAPVersion version, QName payload) {
    super(version);
    this.payload = payload;
    headers = new HeaderList(version);
  }

  @Override
  public boolean hasHeaders() {
    return headers.hasHeaders();
  }

  @Override
  public MessageHeaders getHeaders() {
    return headers;
  }

  @Override
  public boolean hasPayload() {
    return true;
  }

  @Override
  public String getPayloadLocalPart() {
    return payload.getLocalPart();
  }

  @Override
  public String getPayloadNamespaceURI() {
    return payload.getNamespaceURI();
  }

  @Override
  public Source readPayloadAsSource() {
    throw notRead();
  }

  @Override
  public XMLStreamReader readPayload() {
    throw notRead();
  }

  @Override
  protected void writePayloadTo(ContentHandler handler, ErrorHandler errors, boolean fragment) {
    throw notRead();
  }

  @Override
  public Message copy() {
    throw notRead();
  }

  private static UnsupportedOperationException notRead() {
    return new UnsupportedOperationException("it is written once, and by StAX only");
  }
}
