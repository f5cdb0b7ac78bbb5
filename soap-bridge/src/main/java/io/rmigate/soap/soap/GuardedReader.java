package io.rmigate.soap.soap;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import javax.xml.stream.util.StreamReaderDelegate;

/**
 * A parser with the rules of this module: an envelope without DOCTYPE, instructions and entities,
 * with bounds on depth, numbers and texts. What is in front of the body has bounds of its own,
 * since Metro keeps the headers. The rules for elements of an XOP package are here too: an
 * attachment is one of the same message, and is named once.
 */
final class GuardedReader extends StreamReaderDelegate {
  private static final String XOP = "http://www.w3.org/2004/08/xop/include";

  /** Metro's reader fails on it (RFC 3986, 2.1). */
  private static final Pattern BAD_ESCAPE = Pattern.compile("%(?!\\p{XDigit}{2})");

  /** Envelope and body. */
  private static final int AROUND_PAYLOAD = 2;

  /**
   * The largest number of different names. Parsers keep names in a table by hash codes, which
   * clients can make equal.
   */
  private static final int MAX_NAMES = 1000;

  /** Most namespaces in force at one place: each prefix is looked up among all of them. */
  private static final int MAX_DECLARATIONS = 256;

  private final SoapLimits limits;
  private final Set<String> attachments = new HashSet<>();
  private final Set<String> names = new HashSet<>();

  /** How many there are at each of the elements that are open. */
  private final int[] declarations;

  private Optional<XMLStreamException> failure = Optional.empty();
  private int depth;
  private int elements;
  private boolean inBody;
  private long chars;

  GuardedReader(XMLStreamReader parser, SoapLimits limits) {
    super(parser);
    this.limits = limits;
    this.declarations = new int[limits.payload().depth() + AROUND_PAYLOAD + 1];
  }

  /** Why it went no further; Metro forgets that. */
  Optional<XMLStreamException> failure() {
    return failure;
  }

  @Override
  public int next() throws XMLStreamException {
    try {
      int event = super.next();
      check(event);
      return event;
    } catch (XMLStreamException e) {
      failure = Optional.of(e);
      throw e;
    } catch (RuntimeException e) {
      // Parsers have them, too: of what is below them, or of a document that they do not expect.
      XMLStreamException failed = new XMLStreamException(e);
      failure = Optional.of(failed);
      throw failed;
    }
  }

  private void check(int event) throws XMLStreamException {
    switch (event) {
      case XMLStreamConstants.START_ELEMENT -> element();
      case XMLStreamConstants.END_ELEMENT -> depth--;
      // A comment, too: headers are copied with theirs.
      case XMLStreamConstants.CHARACTERS,
          XMLStreamConstants.CDATA,
          XMLStreamConstants.SPACE,
          XMLStreamConstants.COMMENT ->
          text(getTextLength());
      case XMLStreamConstants.END_DOCUMENT -> {}
      case XMLStreamConstants.DTD ->
          throw new EnvelopeBoundException("has a DOCTYPE, which is never taken");
      case XMLStreamConstants.PROCESSING_INSTRUCTION ->
          throw new EnvelopeBoundException("has a processing instruction");
      case XMLStreamConstants.ENTITY_REFERENCE ->
          throw new EnvelopeBoundException("has a reference to an entity");
      default -> throw new EnvelopeBoundException("has something in it that no envelope has");
    }
  }

  private void element() throws EnvelopeBoundException {
    depth++;
    elements++;
    if (depth > limits.payload().depth() + AROUND_PAYLOAD) {
      throw new EnvelopeBoundException("is deeper than " + limits.payload().depth());
    }
    if (depth == AROUND_PAYLOAD && getLocalName().equals("Body")) {
      inBody = true;
    }
    if (elements > (inBody ? limits.payload().elements() : limits.headers().elements())) {
      throw new EnvelopeBoundException(
          "has too many " + (inBody ? "elements" : "elements in its header"));
    }
    if (getAttributeCount() > limits.tags().attributes()) {
      throw new EnvelopeBoundException(
          "has an element with more than " + limits.tags().attributes() + " attributes");
    }
    names();
    if (XOP.equals(getNamespaceURI())) {
      attachment(getAttributeValue(null, "href"));
    }
  }

  /** Counts names, because a reader compares each name and namespace with all others. */
  private void names() throws EnvelopeBoundException {
    int namespaces = getNamespaceCount();
    declarations[depth] = declarations[depth - 1] + namespaces;
    if (declarations[depth] > MAX_DECLARATIONS) {
      throw new EnvelopeBoundException(
          "has more than " + MAX_DECLARATIONS + " namespaces at one place");
    }
    names.add(getLocalName());
    for (int i = 0; i < namespaces; i++) {
      names.add(getNamespacePrefix(i));
    }
    for (int i = 0; i < getAttributeCount(); i++) {
      names.add(getAttributeLocalName(i));
    }
    if (names.size() > MAX_NAMES) {
      throw new EnvelopeBoundException("has more than " + MAX_NAMES + " names");
    }
  }

  /** An attachment that is named twice would be there twice: a message that grows. */
  private void attachment(String href) throws EnvelopeBoundException {
    if (!getLocalName().equals("Include") || href == null || !href.startsWith("cid:")) {
      throw new EnvelopeBoundException("has an xop:Include whose href is no cid: of this message");
    }
    if (BAD_ESCAPE.matcher(href).find()) {
      throw new EnvelopeBoundException("has an xop:Include whose href is no address");
    }
    if (!attachments.add(href) || attachments.size() > limits.attachments()) {
      throw new EnvelopeBoundException("names an attachment twice, or too many of them");
    }
  }

  private void text(int length) throws EnvelopeBoundException {
    chars += length;
    if (chars > (inBody ? limits.bodyBytes() : limits.headers().chars())) {
      throw new EnvelopeBoundException("has too much text" + (inBody ? "" : " in its header"));
    }
  }

  @Override
  public int nextTag() throws XMLStreamException {
    while (true) {
      int event = next();
      if (event == XMLStreamConstants.START_ELEMENT || event == XMLStreamConstants.END_ELEMENT) {
        return event;
      }
      if (event != XMLStreamConstants.COMMENT && !isWhiteSpace()) {
        throw new EnvelopeBoundException("has text between its elements");
      }
    }
  }

  /** Reads text only, so that a parser cannot go around {@link #next}. */
  @Override
  public String getElementText() throws XMLStreamException {
    StringBuilder text = null;
    String first = "";
    for (int event = next(); event != XMLStreamConstants.END_ELEMENT; event = next()) {
      if (event == XMLStreamConstants.START_ELEMENT) {
        throw new EnvelopeBoundException(
            "has the element " + getLocalName() + " where only text can be");
      }
      if (event == XMLStreamConstants.COMMENT) {
        continue;
      }
      if (first.isEmpty() && text == null) {
        first = getText();
        continue;
      }
      if (text == null) {
        text = new StringBuilder(first);
      }
      if (text.length() + getTextLength() > limits.payload().textChars()) {
        throw new EnvelopeBoundException(
            "has a text of more than " + limits.payload().textChars() + " characters");
      }
      text.append(getTextCharacters(), getTextStart(), getTextLength());
    }
    return text == null ? first : text.toString();
  }
}
