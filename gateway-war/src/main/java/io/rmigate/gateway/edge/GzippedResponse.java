package io.rmigate.gateway.edge;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.zip.GZIPOutputStream;

/**
 * A response that is compressed if it is long enough, and of a kind for which it is worth while.
 * That is decided when the first bytes of the body are complete or flushed. Of one thread.
 */
final class GzippedResponse extends HttpServletResponseWrapper {
  /** Number of bytes held until compression is decided; shorter bodies are sent uncompressed. */
  private static final int MIN_BYTES = 1024;

  private final Output output = new Output();
  private long length = -1;

  GzippedResponse(HttpServletResponse response) {
    super(response);
    response.addHeader("Vary", "Accept-Encoding");
  }

  /** Ends the body. To be called when all of it has been written, and then only. */
  void finish() throws IOException {
    output.finish();
  }

  @Override
  public ServletOutputStream getOutputStream() {
    return output;
  }

  @Override
  public PrintWriter getWriter() {
    throw new UnsupportedOperationException("bytes only");
  }

  /** Keeps the length until it is certain that the body is sent uncompressed. */
  @Override
  public void setContentLength(int length) {
    this.length = length;
  }

  @Override
  public void setContentLengthLong(long length) {
    this.length = length;
  }

  @Override
  public void reset() {
    super.reset();
    addHeader("Vary", "Accept-Encoding");
    output.forget();
  }

  @Override
  public void resetBuffer() {
    throw new UnsupportedOperationException("the head would promise what was begun");
  }

  @Override
  public void flushBuffer() throws IOException {
    output.flush();
  }

  /** Whether the body is worth compressing: text that is not compressed already. */
  private boolean isWorthWhile() {
    String type = getContentType();
    if (type == null || containsHeader("Content-Encoding")) {
      return false;
    }
    String name = type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
    return name.startsWith("text/") || name.endsWith("json") || name.endsWith("xml");
  }

  private final class Output extends ServletOutputStream {
    private final byte[] first = new byte[MIN_BYTES];
    private int held;

    /** The stream that the body goes to; null until that is decided. */
    private OutputStream body;

    private GZIPOutputStream gzip;

    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int count) throws IOException {
      if (body == null && held + count <= MIN_BYTES) {
        System.arraycopy(bytes, offset, first, held, count);
        held += count;
        return;
      }
      if (body == null) {
        begin(isWorthWhile());
      }
      body.write(bytes, offset, count);
    }

    private void begin(boolean compressed) throws IOException {
      if (compressed) {
        setHeader("Content-Encoding", "gzip");
        // Flushed where its writer flushes.
        gzip = new GZIPOutputStream(GzippedResponse.super.getOutputStream(), 8192, true);
        body = gzip;
      } else {
        if (length >= 0) {
          GzippedResponse.super.setContentLengthLong(length);
        }
        body = GzippedResponse.super.getOutputStream();
      }
      body.write(first, 0, held);
      held = 0;
    }

    @Override
    public void flush() throws IOException {
      if (body == null) {
        begin(false);
      }
      body.flush();
    }

    private void finish() throws IOException {
      if (gzip != null) {
        gzip.finish();
      } else if (body == null) {
        if (length >= 0) {
          GzippedResponse.super.setContentLengthLong(length);
        }
        if (held > 0) {
          begin(false);
        }
      }
    }

    private void forget() {
      held = 0;
      length = -1;
      body = null;
      gzip = null;
    }

    @Override
    public boolean isReady() {
      return true;
    }

    @Override
    public void setWriteListener(WriteListener listener) {
      throw new UnsupportedOperationException("blocking only");
    }
  }
}
