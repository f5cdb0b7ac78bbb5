package io.rmigate.soap.soap;

/**
 * Walks through a document in Fast Infoset (ITU-T X.891) and finds out whether every length that it
 * names is there. The parser allocates what a length says before it reads it: twenty bytes could
 * have two gibibytes. Knows only where things end, and of those only what an envelope needs: no
 * vocabulary from outside, no DTD, no restricted alphabets. Of one document.
 *
 * <p>The clauses of X.891 in which the lengths and indexes are written are in the comments.
 */
final class FastInfosetBounds {
  private static final int MAGIC = 0xe0000001;

  private static final int END = 0xf0;
  private static final int DOUBLE_END = 0xff;
  private static final int COMMENT = 0xe2;

  private static final int HAS_ATTRIBUTES = 0x40;
  private static final int BASE64 = 1;

  private final byte[] document;
  private final SoapLimits limits;
  private int at;

  private FastInfosetBounds(byte[] document, SoapLimits limits) {
    this.document = document;
    this.limits = limits;
  }

  /**
   * Checks a document.
   *
   * @throws Unacceptable something in it is none, is not taken, or is too much
   */
  static void check(byte[] document, SoapLimits limits) throws Unacceptable {
    new FastInfosetBounds(document, limits).document();
  }

  private static Unacceptable bad() {
    return new Unacceptable("is no Fast Infoset document as it is taken here");
  }

  private int octet() throws Unacceptable {
    if (at >= document.length) {
      throw bad();
    }
    return document[at++] & 0xff;
  }

  private void skip(long octets) throws Unacceptable {
    if (octets > document.length - at) {
      throw bad();
    }
    at += (int) octets;
  }

  private long length32() throws Unacceptable {
    long length = 0;
    for (int i = 0; i < 4; i++) {
      length = (length << 8) | octet();
    }
    return length;
  }

  /** 12.6, C.2: nothing but children; what else could be there, says its flag. */
  private void document() throws Unacceptable {
    if (length32() != (MAGIC & 0xffffffffL) || octet() != 0) {
      throw bad();
    }
    int open = 0;
    boolean root = false;
    while (true) {
      int b = octet();
      if (b < 0x80) {
        if ((open == 0 && root) || ++open > limits.depth() + 2) {
          throw bad();
        }
        root = true;
        open -= element(b);
      } else if (b == END || b == DOUBLE_END) {
        open -= b == DOUBLE_END ? 2 : 1;
      } else if (b == COMMENT) {
        string();
      } else if (b < 0xc0 && open > 0) {
        characters(b);
      } else {
        throw bad();
      }
      if (open < 0) {
        mustBeAll(open, root);
        return;
      }
    }
  }

  private void mustBeAll(int open, boolean root) throws Unacceptable {
    if (open != -1 || !root || at != document.length) {
      throw bad();
    }
  }

  /** C.3; 1 if it ends with its attributes. */
  private int element(int first) throws Unacceptable {
    int name = first;
    if ((first & 0x3c) == 0x38) {
      namespaces();
      name = octet();
    }
    name(name & 0x3f);
    return (first & HAS_ATTRIBUTES) == 0 ? 0 : attributes();
  }

  /** C.18: an index on the third bit (C.27), or a literal. */
  private void name(int b) throws Unacceptable {
    if (b < 0x20) {
      return;
    }
    if (b < 0x28) {
      skip(1);
    } else if (b < 0x30) {
      skip(2);
    } else if (b == 0x30) {
      skip(3);
    } else if (b >= 0x3c) {
      literalName(b);
    } else {
      throw bad();
    }
  }

  /** A prefix, a namespace and a local name. */
  private void literalName(int flags) throws Unacceptable {
    for (int i = 1 + Integer.bitCount(flags & 3); i > 0; i--) {
      identifier();
    }
  }

  /** C.12. */
  private void namespaces() throws Unacceptable {
    int count = 0;
    for (int b = octet(); b != END; b = octet()) {
      if ((b & 0xfc) != 0xcc || ++count > limits.attributes()) {
        throw bad();
      }
      for (int i = Integer.bitCount(b & 3); i > 0; i--) {
        identifier();
      }
    }
  }

  /** C.4; 1 if the end of the element is with theirs. */
  private int attributes() throws Unacceptable {
    int count = 0;
    for (int b = octet(); b != END; b = octet()) {
      if (b == DOUBLE_END) {
        return 1;
      }
      if (++count > limits.attributes()) {
        throw bad();
      }
      attributeName(b);
      string();
    }
    return 0;
  }

  /** C.17: an index on the second bit (C.25), or a literal. */
  private void attributeName(int b) throws Unacceptable {
    if (b < 0x40) {
      return;
    }
    if (b < 0x60) {
      skip(1);
    } else if (b < 0x70) {
      skip(2);
    } else if ((b & 0xfc) == 0x78) {
      literalName(b);
    } else {
      throw bad();
    }
  }

  /** C.13: an index on the second bit, or octets whose length begins there (C.22). */
  private void identifier() throws Unacceptable {
    int b = octet();
    if (b >= 0x80) {
      index(b);
    } else if (b < 0x40) {
      skip(b + 1L);
    } else if (b == 0x40) {
      skip(octet() + 65L);
    } else if (b == 0x60) {
      skip(length32() + 321);
    } else {
      throw bad();
    }
  }

  /** C.25, with the first bit set. */
  private void index(int b) throws Unacceptable {
    if (b < 0xc0) {
      return;
    }
    if (b < 0xe0) {
      skip(1);
    } else if (b < 0xf0) {
      skip(2);
    } else {
      throw bad();
    }
  }

  /** C.14: an index, nothing, or characters whose length begins on the fifth bit (C.23). */
  private void string() throws Unacceptable {
    int b = octet();
    if (b == 0xff) {
      return;
    }
    if (b >= 0x80) {
      index(b);
      return;
    }
    if ((b & 0x20) != 0) {
      throw bad();
    }
    int length = b & 0x0f;
    if (length < 8) {
      skip(length + 1L);
    } else if (length == 8) {
      skip(octet() + 9L);
    } else if (length == 12) {
      skip(length32() + 265);
    } else {
      throw bad();
    }
  }

  /** C.15: an index on the fourth bit (C.28), or characters with a length on the seventh (C.24). */
  private void characters(int b) throws Unacceptable {
    if ((b & 0x20) != 0) {
      if (b >= 0xb9) {
        throw bad();
      }
      skip(b < 0xb0 ? 0 : b < 0xb4 ? 1 : b < 0xb8 ? 2 : 3);
      return;
    }
    int length = b;
    int encoding = b & 0x0c;
    if (encoding == 0x08) {
      throw bad();
    }
    if (encoding == 0x0c) {
      length = octet();
      // Ten bits of algorithm, in one of which no built-in one has anything.
      if ((b & 3) != 0 || length >> 2 != BASE64) {
        throw bad();
      }
    }
    switch (length & 3) {
      case 2 -> skip(octet() + 3L);
      case 3 -> skip(length32() + 259);
      default -> skip((length & 1) + 1L);
    }
  }
}
