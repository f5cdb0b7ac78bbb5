package io.rmigate.soap.json;

/** The names in JSON that no Java type gives. */
final class JsonNames {
  /** Which alternative of a choice an object is. No Java property can be called so. */
  static final String ALTERNATIVE = "@type";

  /** Member of an entry of a map whose keys are no words. */
  static final String KEY = "key";

  static final String VALUE = "value";

  /** Member of a reference: the URL of its handle. */
  static final String HREF = "href";

  /** Member of a reference: its interface. */
  static final String INTERFACE = "interface";

  /** Member of a reference: the time of its release. */
  static final String EXPIRES = "expires";

  private JsonNames() {}
}
