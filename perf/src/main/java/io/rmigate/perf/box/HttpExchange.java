package io.rmigate.perf.box;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.Optional;

/**
 * Passes requests on over one connection, and their answers back: each whole, framed by its length,
 * without the fields that concern one connection only. Used by one thread.
 */
final class HttpExchange {
  private final InputStream in;
  private final OutputStream out;

  HttpExchange(Socket inner) throws IOException {
    in = new BufferedInputStream(inner.getInputStream());
    out = new BufferedOutputStream(inner.getOutputStream());
  }

  /**
   * Returns when the answer has been written.
   *
   * @param start the first line of the request that is passed on
   * @param field one more of the answer
   */
  void pass(
      HttpHead request, String start, byte[] body, OutputStream client, Optional<String> field)
      throws IOException {
    HttpHead forwarded = request.forwarded(start);
    boolean hasBody = body.length > 0 || request.method().equals("POST");
    (hasBody ? forwarded.withLength(body.length) : forwarded).write(out);
    out.write(body);
    out.flush();
    HttpHead answer = HttpHead.read(in).orElseThrow(() -> new IOException("no answer to " + start));
    HttpHead returned = answer.forwarded(answer.start());
    Optional<byte[]> content = HttpBody.ofAnswer(answer, request.method(), in);
    if (content.isPresent()) {
      returned = returned.withLength(content.get().length);
    }
    OutputStream back = new BufferedOutputStream(client);
    (field.isPresent() ? returned.with(field.get()) : returned).write(back);
    back.write(content.orElse(new byte[0]));
    back.flush();
  }
}
