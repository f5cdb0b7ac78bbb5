package io.rmigate.soap.soap;

import io.rmigate.soap.xml.Base64Text;
import io.rmigate.soap.xml.BinaryCarrier;
import java.io.IOException;
import java.io.InputStream;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import javax.xml.stream.XMLStreamWriter;
import org.jvnet.staxex.Base64Data;
import org.jvnet.staxex.StreamingDataHandler;
import org.jvnet.staxex.XMLStreamReaderEx;
import org.jvnet.staxex.XMLStreamWriterEx;

/**
 * Bytes as the packaging of the envelope has them: attachments of an XOP package, else base64. An
 * attachment is read straight out of the request, once.
 */
final class Attachments implements BinaryCarrier {
  private static final String ANY_BYTES = "application/octet-stream";

  @Override
  public byte[] read(XMLStreamReader xml) throws XMLStreamException {
    Base64Text text = new Base64Text();
    byte[] attached = null;
    for (int event = xml.next(); event != XMLStreamConstants.END_ELEMENT; event = xml.next()) {
      if (event == XMLStreamConstants.COMMENT) {
        continue;
      }
      if (event == XMLStreamConstants.START_ELEMENT) {
        throw new IllegalArgumentException("an element");
      }
      if (xml instanceof XMLStreamReaderEx ex && ex.getPCDATA() instanceof Base64Data data) {
        if (attached != null) {
          throw new IllegalArgumentException("two attachments");
        }
        attached = bytes(data);
      } else {
        text.add(xml.getTextCharacters(), xml.getTextStart(), xml.getTextLength());
      }
    }
    byte[] inline = text.end();
    if (attached != null && inline.length > 0) {
      throw new IllegalArgumentException("an attachment and text");
    }
    return attached == null ? inline : attached;
  }

  private static byte[] bytes(Base64Data data) throws XMLStreamException {
    try (InputStream bytes = ((StreamingDataHandler) data.getDataHandler()).readOnce()) {
      return bytes.readAllBytes();
    } catch (IOException e) {
      if (e.getCause() instanceof IllegalStateException) {
        throw new EnvelopeBoundException("names an attachment that is not there");
      }
      throw new XMLStreamException(e);
    }
  }

  @Override
  public void write(byte[] bytes, XMLStreamWriter xml) throws XMLStreamException {
    if (xml instanceof XMLStreamWriterEx mtom) {
      mtom.writeBinary(bytes, 0, bytes.length, ANY_BYTES);
    } else {
      BinaryCarrier.INLINE.write(bytes, xml);
    }
  }
}
