package io.rmigate.gateway.edge;

import io.rmigate.soap.http.BodyTooLargeException;
import io.rmigate.soap.http.CountedInput;
import io.rmigate.soap.http.DamagedBodyException;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.util.Collections;
import java.util.Enumeration;

/**
 * A request whose body is inflated as it is read. How large it may be is its reader's business;
 * here it must not be far larger than what has come. Of one thread.
 */
final class GzippedRequest extends HttpServletRequestWrapper {
  /** Inflated bytes that are permitted at any compression ratio. */
  static final long FREE_BYTES = 1 << 20;

  /** Inflated beyond that, for each byte that came; XML of many like elements has about 50. */
  static final long MAX_RATIO = 100;

  /**
   * Bytes that come beyond as many, for each inflated one: a flush behind each byte takes 7. File
   * names, comments and empty members can take more, which no other bound counts.
   */
  static final long MAX_OVERHEAD = 10;

  private Inflated body;

  GzippedRequest(HttpServletRequest request) {
    super(request);
  }

  @Override
  public ServletInputStream getInputStream() throws IOException {
    if (body == null) {
      body = new Inflated(super.getInputStream());
    }
    return body;
  }

  @Override
  public BufferedReader getReader() {
    throw new UnsupportedOperationException("bytes only");
  }

  private static boolean isGone(String header) {
    return header.equalsIgnoreCase("Content-Encoding") || header.equalsIgnoreCase("Content-Length");
  }

  @Override
  public String getHeader(String name) {
    return isGone(name) ? null : super.getHeader(name);
  }

  @Override
  public Enumeration<String> getHeaders(String name) {
    return isGone(name) ? Collections.emptyEnumeration() : super.getHeaders(name);
  }

  @Override
  public int getContentLength() {
    return -1;
  }

  @Override
  public long getContentLengthLong() {
    return -1;
  }

  private static final class Inflated extends ServletInputStream {
    private final InputStream members;

    /** Bytes that have come. */
    private long compressed;

    /** Bytes that have been read of what they inflate to. */
    private long count;

    private boolean finished;

    Inflated(InputStream body) {
      members =
          new GzipMembers(
              new CountedInput(body) {
                @Override
                protected void count(int bytes) throws DamagedBodyException {
                  compressed += bytes;
                  if (compressed > FREE_BYTES + MAX_OVERHEAD * count) {
                    throw new DamagedBodyException(
                        "is hardly anything but what is around its content");
                  }
                }
              });
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      int got = members.read(target, offset, length);
      finished = got < 0;
      count += Math.max(got, 0);
      if (count > FREE_BYTES + MAX_RATIO * compressed) {
        throw new BodyTooLargeException("inflated, it is much larger than what came");
      }
      return got;
    }

    @Override
    public boolean isFinished() {
      return finished;
    }

    @Override
    public boolean isReady() {
      return true;
    }

    @Override
    public void setReadListener(ReadListener listener) {
      throw new UnsupportedOperationException("blocking only");
    }
  }
}
