package io.rmigate.soap.soap;

import com.ctc.wstx.api.WstxInputProperties;
import com.ctc.wstx.stax.WstxInputFactory;
import com.ctc.wstx.util.SymbolTable;
import com.sun.xml.ws.api.SOAPVersion;
import com.sun.xml.ws.api.message.AttachmentSet;
import com.sun.xml.ws.api.message.Message;
import com.sun.xml.ws.developer.StreamingAttachmentFeature;
import com.sun.xml.ws.encoding.MimeMultipartParser;
import com.sun.xml.ws.encoding.MtomCodec.MtomXMLStreamReaderEx;
import com.sun.xml.ws.encoding.StreamSOAPCodec;
import com.sun.xml.ws.message.AttachmentSetImpl;
import com.sun.xml.ws.message.MimeAttachmentSet;
import io.rmigate.soap.http.BoundedInput;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PushbackInputStream;
import java.nio.charset.Charset;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLResolver;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * Makes Metro's messages of bodies, with parsers of our own: what Metro would take has no bounds on
 * names, passes over a DOCTYPE, and comes from wherever the thread's context loader finds one. The
 * envelope up to the beginning of its payload has been read when a message is given out; the rest
 * streams. Thread-safe.
 */
final class EnvelopeReader {
  private static final int BYTE_ORDER_MARK = 2;

  /**
   * An envelope whose payload has not been read.
   *
   * @param reader knows why it cannot be read any further
   * @param action that the root part of a package names; empty if there is none
   * @param body what the envelope came in
   */
  record Envelope(Message message, GuardedReader reader, String action, InputStream body) {
    /**
     * Reads what no parser has asked for: attachments that nothing refers to, and the end of the
     * body, at which its content coding turns out to be damaged.
     */
    void readToTheEnd() throws IOException {
      body.transferTo(OutputStream.nullOutputStream());
    }
  }

  private final SoapLimits limits;
  private final WstxInputFactory parsers = new Parsers();

  /** The names of one envelope are not kept for the next, which may belong to another client. */
  private static final class Parsers extends WstxInputFactory {
    @Override
    public synchronized void updateSymbolTable(SymbolTable ofDocument) {}
  }

  EnvelopeReader(SoapLimits limits) {
    this.limits = limits;
    parsers.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    parsers.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    parsers.setProperty(XMLInputFactory.IS_COALESCING, false);
    parsers.setProperty(
        XMLInputFactory.RESOLVER,
        (XMLResolver)
            (publicId, systemId, base, namespace) -> {
              throw new EnvelopeBoundException("refers to something outside");
            });
    parsers.setProperty(
        WstxInputProperties.P_MAX_ATTRIBUTES_PER_ELEMENT, limits.tags().attributes());
    parsers.setProperty(WstxInputProperties.P_MAX_ATTRIBUTE_SIZE, limits.tags().chars());
    // It counts pieces of one text together, also of a binary: texts are bounded by their reader.
    parsers.setProperty(WstxInputProperties.P_MAX_TEXT_LENGTH, limits.bodyBytes());
    parsers.setProperty(WstxInputProperties.P_MAX_ENTITY_COUNT, 1L);
  }

  /**
   * Reads an envelope up to its payload.
   *
   * @throws XMLStreamException it is none that we take
   * @throws IOException it could not be read, or is too large
   * @throws RuntimeException it is no envelope, or no package
   */
  Envelope read(Packaging packaging, InputStream body) throws XMLStreamException, IOException {
    InputStream bounded = new BoundedInput(body, limits.bodyBytes());
    Envelope envelope =
        switch (packaging.form()) {
          case XML -> xml(packaging.version(), bounded, packaging.charset());
          case XOP -> xop(packaging, bounded);
        };
    try {
      // Metro reads the envelope when it is asked for something of it.
      envelope.message().getHeaders();
    } catch (RuntimeException e) {
      throw envelope.reader().failure().orElseThrow(() -> e);
    }
    return envelope;
  }

  private Envelope xml(SOAPVersion version, InputStream body, Optional<Charset> charset)
      throws XMLStreamException, IOException {
    GuardedReader parser = parser(body, charset);
    return envelope(version, parser, parser, new AttachmentSetImpl(), "", body);
  }

  /**
   * @param outer what Metro reads
   * @param parser what is below that
   * @param action of the root part
   * @param body as it is read below all parsers
   */
  private static Envelope envelope(
      SOAPVersion version,
      XMLStreamReader outer,
      GuardedReader parser,
      AttachmentSet attachments,
      String action,
      InputStream body)
      throws XMLStreamException {
    try {
      return new Envelope(
          StreamSOAPCodec.decode(version, outer, attachments), parser, action, body);
    } catch (RuntimeException e) {
      throw parser.failure().orElseThrow(() -> e);
    }
  }

  /** Only attachments that arrive before their use are kept in memory. */
  private Envelope xop(Packaging packaging, InputStream body)
      throws XMLStreamException, IOException {
    InputStream bounded =
        new MultipartBounds(
            body, packaging.media().parameter("boundary"), limits.attachments() + 2);
    MimeMultipartParser parts =
        new MimeMultipartParser(
            bounded, packaging.parserType(), new StreamingAttachmentFeature(null, false, -1));
    Optional<MediaType> root =
        Optional.ofNullable(parts.getRootPart().getContentType()).flatMap(MediaType::of);
    String charset = root.map(r -> r.parameter("charset")).orElse("");
    Optional<Charset> known = Packaging.charset(charset.isEmpty() ? "utf-8" : charset);
    if (root.filter(r -> r.name().equals(Packaging.XOP_ROOT)).isEmpty() || known.isEmpty()) {
      throw new EnvelopeBoundException(
          "has a root part that is not " + Packaging.XOP_ROOT + " in UTF-8");
    }
    GuardedReader parser = parser(parts.getRootPart().asInputStream(), known);
    return envelope(
        packaging.version(),
        new MtomXMLStreamReaderEx(parts, parser),
        parser,
        new MimeAttachmentSet(parts),
        root.map(r -> r.parameter("action")).orElse(""),
        bounded);
  }

  private GuardedReader parser(InputStream document, Optional<Charset> charset)
      throws XMLStreamException, IOException {
    PushbackInputStream in = new PushbackInputStream(document, BYTE_ORDER_MARK);
    Charset found = charset.isPresent() ? charset.get() : charsetOf(in);
    InputStreamReader text =
        new InputStreamReader(
            in,
            found
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT));
    XMLStreamReader parser =
        parsers.createXMLStreamReader(new TagBounds(text, limits.tags().chars()));
    String declared = parser.getCharacterEncodingScheme();
    if (declared != null && Packaging.charset(declared).isEmpty()) {
      throw new EnvelopeBoundException(
          "is declared to be in " + declared + ", not in UTF-8 or UTF-16");
    }
    if ("1.1".equals(parser.getVersion())) {
      throw new EnvelopeBoundException("is in XML 1.1");
    }
    return new GuardedReader(parser, limits);
  }

  /** As the first bytes say: UTF-16 has a zero or a mark in the first two, of which one is left. */
  private static Charset charsetOf(PushbackInputStream in) throws IOException {
    byte[] first = in.readNBytes(2);
    in.unread(first);
    if (first.length < 2) {
      return StandardCharsets.UTF_8;
    }
    int both = ((first[0] & 0xff) << 8) | (first[1] & 0xff);
    return switch (both) {
      case 0xfeff, 0xfffe -> StandardCharsets.UTF_16;
      case '<' -> StandardCharsets.UTF_16BE;
      case '<' << 8 -> StandardCharsets.UTF_16LE;
      default -> StandardCharsets.UTF_8;
    };
  }
}
