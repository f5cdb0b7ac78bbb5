package io.rmigate.soap.soap;

import com.sun.xml.ws.api.SOAPVersion;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * How an envelope is put into a body, as the media type says.
 *
 * @param charset of XML; empty: as the document's beginning says
 * @param media what it was told by
 */
record Packaging(Form form, SOAPVersion version, Optional<Charset> charset, MediaType media) {
  /** The form of the message's bytes. */
  enum Form {
    /** The envelope itself. */
    XML,
    /** The envelope and its attachments: an XOP package, as in MTOM. */
    XOP
  }

  static final String XOP_ROOT = "application/xop+xml";
  private static final String SOAP_11 = "text/xml";
  private static final String SOAP_12 = "application/soap+xml";

  /** RFC 2046, 5.1.1. */
  private static final Pattern BOUNDARY =
      Pattern.compile("[0-9A-Za-z'()+_,./:=? -]{0,69}[0-9A-Za-z'()+_,./:=?-]");

  /** The id of the root part; the first one if there is none. */
  private static final Pattern ROOT = Pattern.compile("[!-~&&[^\"\\\\]]*");

  /** Finds out; empty if there is no such packaging. */
  static Optional<Packaging> of(String contentType) {
    return MediaType.of(contentType).flatMap(Packaging::of);
  }

  private static Optional<Packaging> of(MediaType media) {
    return switch (media.name()) {
      case SOAP_11 -> xml(SOAPVersion.SOAP_11, media);
      case SOAP_12 -> xml(SOAPVersion.SOAP_12, media);
      case "multipart/related" -> xop(media);
      default -> Optional.empty();
    };
  }

  private static Optional<Packaging> xml(SOAPVersion version, MediaType media) {
    String name = media.parameter("charset");
    if (name.isEmpty()) {
      return Optional.of(new Packaging(Form.XML, version, Optional.empty(), media));
    }
    return charset(name).map(c -> new Packaging(Form.XML, version, Optional.of(c), media));
  }

  /** The encodings that WS-I Basic Profile (R1012) allows, and what is a part of them. */
  static Optional<Charset> charset(String name) {
    return switch (name.toLowerCase(Locale.ROOT)) {
      case "utf-8", "utf8", "us-ascii" -> Optional.of(StandardCharsets.UTF_8);
      case "utf-16" -> Optional.of(StandardCharsets.UTF_16);
      case "utf-16be" -> Optional.of(StandardCharsets.UTF_16BE);
      case "utf-16le" -> Optional.of(StandardCharsets.UTF_16LE);
      default -> Optional.empty();
    };
  }

  /** {@code start-info} is the media type of what the root part stands for (XOP, 5). */
  private static Optional<Packaging> xop(MediaType media) {
    Optional<SOAPVersion> version =
        switch (MediaType.of(media.parameter("start-info")).map(MediaType::name).orElse("")) {
          case SOAP_11 -> Optional.of(SOAPVersion.SOAP_11);
          case SOAP_12 -> Optional.of(SOAPVersion.SOAP_12);
          default -> Optional.empty();
        };
    if (!media.parameter("type").equalsIgnoreCase(XOP_ROOT)
        || !BOUNDARY.matcher(media.parameter("boundary")).matches()
        || !ROOT.matcher(media.parameter("start")).matches()) {
      return Optional.empty();
    }
    return version.map(v -> new Packaging(Form.XOP, v, Optional.empty(), media));
  }

  /**
   * The media type of a package as far as its parser needs it, written anew: it must not read it in
   * another way than we did.
   */
  String parserType() {
    String start = media.parameter("start");
    return "multipart/related; type=\"%s\"; boundary=\"%s\"%s"
        .formatted(
            XOP_ROOT,
            media.parameter("boundary"),
            start.isEmpty() ? "" : "; start=\"" + start + "\"");
  }

  /**
   * The actions in the media type, where SOAP 1.2 has one: its own, and that of what a package's
   * root part stands for. Empty where there is none.
   */
  List<String> actions() {
    return List.of(
        media.parameter("action"),
        MediaType.of(media.parameter("start-info")).map(m -> m.parameter("action")).orElse(""));
  }

  /** How the answer is put: as the request was, or as a package if the client takes that. */
  Form answer(String accept) {
    return form == Form.XOP || accepts(accept, XOP_ROOT) ? Form.XOP : Form.XML;
  }

  private static boolean accepts(String accept, String name) {
    for (String range : accept.split(",", -1)) {
      Optional<MediaType> type = MediaType.of(range);
      if (type.isPresent()
          && (type.get().name().equals(name) || type.get().parameter("type").equals(name))
          && !type.get().parameter("q").matches("0(\\.0*)?")) {
        return true;
      }
    }
    return false;
  }

  /** The media type of an answer that is no package. */
  String contentType() {
    return xmlName() + "; charset=utf-8";
  }

  String xmlName() {
    return version == SOAPVersion.SOAP_11 ? SOAP_11 : SOAP_12;
  }
}
