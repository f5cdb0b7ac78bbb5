package io.rmigate.soap.json;

/** The names in JSON that no Java type gives. */
final class JsonNames {
  /** Which alternative of a choice an object is. No Java property can be called so. */
  static final String ALTERNATIVE = "@type";

  /** Of an entry of a map whose keys are no words. */
  static final String KEY = "key";

  static final String VALUE = "value";

  /** Of a reference: the URL of its handle. */
  static final String HREF = "href";

  /** Of a reference: its interface. */
  static final String INTERFACE = "interface";

  /** Of a reference: when it is let go. */
  static final String EXPIRES = "expires";

  private JsonNames() {}
}
