package io.rmigate.soap.soap;

import java.io.FilterReader;
import java.io.IOException;
import java.io.Reader;

/**
 * A document that fails at a tag or comment that is too long, and at a DOCTYPE. Parsers bound texts
 * and numbers of things, but no names; of a tag they keep everything until its end. Knows just
 * enough of XML to find the ends of tags, comments and CDATA.
 */
final class TagBounds extends FilterReader {

  private enum Place {
    TEXT,
    /** Behind {@code <}. */
    OPENED,
    TAG,
    /** Behind {@code <?}. */
    INSTRUCTION,
    /** Behind {@code <!}. */
    DECLARED,
    COMMENT,
    CDATA
  }

  /** Between {@code <!-} and {@code >}: the end of a comment is not found in its beginning. */
  private static final int SHORTEST_COMMENT = 3;

  private final int most;
  private Place place = Place.TEXT;

  /** Length of the tag or comment so far. */
  private int length;

  /** The quote in which the place is, or 0. */
  private char quote;

  /** The last two characters. */
  private char last;

  private char beforeLast;

  TagBounds(Reader document, int most) {
    super(document);
    this.most = most;
  }

  @Override
  public int read() throws IOException {
    char[] one = new char[1];
    return read(one, 0, 1) < 0 ? -1 : one[0];
  }

  @Override
  public int read(char[] target, int offset, int count) throws IOException {
    int got = super.read(target, offset, count);
    for (int i = offset; i < offset + got; i++) {
      char c = target[i];
      if (place != Place.TEXT) {
        inside(c);
        beforeLast = last;
        last = c;
      } else if (c == '<') {
        place = Place.OPENED;
        length = 0;
      }
    }
    return got;
  }

  private void inside(char c) throws BrokenRuleException {
    switch (place) {
      case OPENED -> opened(c);
      case TAG -> tag(c);
      case INSTRUCTION -> {
        bounded();
        endsAt(c == '>' && last == '?');
      }
      case DECLARED -> declared(c);
      case COMMENT -> {
        bounded();
        endsAt(c == '>' && last == '-' && beforeLast == '-' && length > SHORTEST_COMMENT);
      }
      case CDATA -> endsAt(c == '>' && last == ']' && beforeLast == ']');
      case TEXT -> throw new AssertionError();
    }
  }

  private void opened(char c) throws BrokenRuleException {
    quote = 0;
    if (c == '!') {
      place = Place.DECLARED;
    } else if (c == '?') {
      place = Place.INSTRUCTION;
    } else {
      place = Place.TAG;
      tag(c);
    }
  }

  private void tag(char c) throws BrokenRuleException {
    bounded();
    if (quote != 0) {
      quote = c == quote ? 0 : quote;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else {
      endsAt(c == '>');
    }
  }

  /** Only comments and CDATA begin so. */
  private void declared(char c) throws BrokenRuleException {
    if (c == '-') {
      place = Place.COMMENT;
    } else if (c == '[') {
      place = Place.CDATA;
    } else {
      throw new BrokenRuleException("has a DOCTYPE, which is never taken");
    }
  }

  private void bounded() throws BrokenRuleException {
    if (++length > most) {
      throw new BrokenRuleException(
          "has a tag or a comment with more than " + most + " characters");
    }
  }

  private void endsAt(boolean end) {
    if (end) {
      place = Place.TEXT;
      last = 0;
      beforeLast = 0;
    }
  }
}
