package io.rmigate.soap.soap;

import com.ctc.wstx.stax.WstxOutputFactory;
import com.sun.xml.ws.encoding.MimeCodec;
import com.sun.xml.ws.encoding.MtomCodec;
import com.sun.xml.ws.encoding.MtomCodec.ByteArrayBuffer;
import com.sun.xml.ws.encoding.MtomCodec.MtomStreamWriterImpl;
import io.rmigate.soap.http.HeldOutput;
import io.rmigate.soap.http.HttpReply;
import io.rmigate.soap.soap.Packaging.Form;
import jakarta.xml.ws.soap.MTOMFeature;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/** Writes envelopes as bodies. Thread-safe. */
final class AnswerWriter {
  private static final String ROOT_ID = "<root@rmigate>";

  /** Attachments begin at 1 KiB, because smaller values are not worth a part with its own head. */
  private static final MTOMFeature ATTACHED = new MTOMFeature(true, 1024);

  private final WstxOutputFactory writers = new WstxOutputFactory();
  private final int heldBytes;

  AnswerWriter(int heldBytes) {
    this.heldBytes = heldBytes;
  }

  /** An answer on its way, of which the beginning is kept back. */
  final class Answer {
    private final WrittenMessage message;
    private final Packaging packaging;
    private final Form form;
    private final String boundary;
    private final HeldOutput out;

    private Answer(WrittenMessage message, Packaging packaging, Form form, HttpReply reply) {
      this.message = message;
      this.packaging = packaging;
      // No fault has anything to attach.
      this.form = message.isFault() && form == Form.XOP ? Form.XML : form;
      boundary = this.form == Form.XOP ? "uuid:" + UUID.randomUUID() : "";
      int status = message instanceof FaultMessage fault ? fault.status() : 200;
      out = new HeldOutput(reply, status, contentType(), heldBytes);
    }

    /** Whether the head is sent: it is too late for another answer. */
    boolean isBegun() {
      return out.isBegun();
    }

    private String contentType() {
      if (form != Form.XOP) {
        return packaging.contentType();
      }
      return "multipart/related; type=\"%s\"; boundary=\"%s\"; start=\"%s\"; start-info=\"%s\""
          .formatted(Packaging.XOP_ROOT, boundary, ROOT_ID, packaging.xmlName());
    }

    /** Writes all of it. */
    void write() throws XMLStreamException, IOException {
      switch (form) {
        case XML -> xml();
        case XOP -> xop();
      }
      out.finish();
    }

    private void xml() throws XMLStreamException {
      XMLStreamWriter xml = writers.createXMLStreamWriter(out, "UTF-8");
      message.writeTo(xml);
      xml.close();
    }

    private void xop() throws XMLStreamException, IOException {
      List<ByteArrayBuffer> attachments = new ArrayList<>();
      delimiter("");
      MtomCodec.writeMimeHeaders(
          MtomCodec.getSOAPXopContentType("utf-8", packaging.version(), ""), ROOT_ID, out);
      XMLStreamWriter xml = writers.createXMLStreamWriter(out, "UTF-8");
      message.writeTo(new MtomStreamWriterImpl(xml, attachments, boundary, ATTACHED));
      xml.close();
      MimeCodec.writeln(out);
      for (ByteArrayBuffer attachment : attachments) {
        attachment.write(out);
      }
      delimiter("--");
    }

    private void delimiter(String end) throws IOException {
      MimeCodec.writeln("--" + boundary + end, out);
    }
  }

  /** Prepares an answer. */
  Answer answer(WrittenMessage message, Packaging packaging, Form form, HttpReply reply) {
    return new Answer(message, packaging, form, reply);
  }

  /** Whether an exception came from where the answer goes. */
  static boolean isClientGone(Throwable failure) {
    Throwable inner =
        failure instanceof XMLStreamException xml ? xml.getNestedException() : failure;
    return inner instanceof IOException;
  }

  /** For what is no SOAP at all. */
  static void plain(int status, String text, HttpReply reply) throws IOException {
    String refusal = reply.refusal(true, "no SOAP");
    String numbered = refusal.isEmpty() ? text : text + " [refusal " + refusal + "]";
    byte[] body = (numbered + "\n").getBytes(StandardCharsets.UTF_8);
    reply.send(status, "text/plain; charset=utf-8", body, body.length);
  }
}
