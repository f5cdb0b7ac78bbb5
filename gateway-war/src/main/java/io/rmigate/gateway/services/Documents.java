package io.rmigate.gateway.services;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.rmigate.soap.http.HttpReply;
import io.rmigate.soap.publish.Publication;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Set;

/**
 * What was written lately about what is published: a short request makes a long document, which is
 * the same for all who may call the same. Thread-safe.
 */
final class Documents {
  private static final long MAX_BYTES = 16 << 20;

  /** Beside the document. */
  private static final int ENTRY_BYTES = 500;

  private static final Duration UNUSED = Duration.ofMinutes(10);

  /**
   * Everything by which two documents can differ.
   *
   * @param methods that may be called of the published interface; empty: all
   * @param contract the interface that it is about
   * @param address by which its reader knows the object
   * @param what kind of document
   */
  record Key(
      Publication publication,
      Set<String> methods,
      Class<?> contract,
      String address,
      String what) {}

  private final Cache<Key, Document> known =
      Caffeine.newBuilder()
          .maximumWeight(MAX_BYTES)
          .weigher(Documents::weight)
          .expireAfterAccess(UNUSED)
          .build();

  private static int weight(Key key, Document document) {
    return ENTRY_BYTES + 2 * (key.address().length() + key.what().length()) + document.body.size();
  }

  /** Writes a document. */
  @FunctionalInterface
  interface Writer {
    void to(HttpReply reply) throws IOException;
  }

  /** A document that is kept once it has been written, unless it is that there is none. */
  void send(Key key, Answer answer, Writer writer) throws IOException {
    Document document = known.getIfPresent(key);
    if (document == null) {
      document = new Document();
      writer.to(document);
      if (document.status == 200) {
        known.put(key, document);
      }
    }
    if (document.status != 0) { // else something else has been answered
      answer.send(document.status, document.contentType, document.body.toByteArray());
    }
  }

  /** Other classes, or other things to say of them, are there now. */
  void forget() {
    known.invalidateAll();
  }

  /** How many there are. */
  long count() {
    known.cleanUp();
    return known.estimatedSize();
  }

  /** Not changed any more once it is known. */
  private static final class Document implements HttpReply {
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private int status;
    private String contentType = "";

    @Override
    public OutputStream begin(int code, String type) {
      status = code;
      contentType = type;
      return body;
    }
  }
}
