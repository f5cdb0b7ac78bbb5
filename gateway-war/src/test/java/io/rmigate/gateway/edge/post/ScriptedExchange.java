package io.rmigate.gateway.edge.post;

import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.post.PostAnswer;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A container's part in one POST, as far as the door makes use of it, by a script: when which bytes
 * come, when an answer can be written, when the client goes. Its own methods are called by one
 * thread; answers come from any.
 */
final class ScriptedExchange {
  private final Map<String, String> headers;
  private final long declared;
  private final String address;
  private final Coming in;
  private final Answer out = new Answer();
  private final AtomicInteger completed = new AtomicInteger();
  private volatile int status;
  private volatile boolean started;

  /**
   * @param declared the length that the head says, -1 when it says none
   * @param there how many bytes of the body have come with the head
   */
  ScriptedExchange(
      Map<String, String> headers, long declared, String address, byte[] body, int there) {
    this.headers = headers;
    this.declared = declared;
    this.address = address;
    this.in = new Coming(body, there);
  }

  HttpServletRequest request() {
    return implement(
        HttpServletRequest.class,
        (proxy, method, arguments) ->
            switch (method.getName()) {
              case "getHeader" -> headers.get((String) arguments[0]);
              case "getContentLengthLong" -> declared;
              case "getRemoteAddr" -> address;
              case "getRemotePort" -> 9;
              case "getAttribute" -> null;
              case "getInputStream" -> in;
              case "startAsync" -> {
                started = true;
                yield async();
              }
              default -> throw new UnsupportedOperationException(method.toString());
            });
  }

  private AsyncContext async() {
    return implement(
        AsyncContext.class,
        (proxy, method, arguments) -> {
          switch (method.getName()) {
            case "getResponse" -> {
              return response();
            }
            case "setTimeout" -> {}
            case "complete" -> completed.incrementAndGet();
            default -> throw new UnsupportedOperationException(method.toString());
          }
          return null;
        });
  }

  private HttpServletResponse response() {
    return implement(
        HttpServletResponse.class,
        (proxy, method, arguments) -> {
          switch (method.getName()) {
            case "getOutputStream" -> {
              return out;
            }
            case "setStatus" -> status = (int) arguments[0];
            case "setHeader", "setContentType", "setContentLength" -> {}
            default -> throw new UnsupportedOperationException(method.toString());
          }
          return null;
        });
  }

  private static <T> T implement(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  /** {@code count} more bytes of the body arrive. */
  void come(int count) throws IOException {
    in.come(count);
  }

  /** The container takes an answer, or what is left of it. */
  void takeAnswer() throws IOException {
    if (started && completed.get() == 0) {
      out.open();
    }
  }

  /** The connection breaks. */
  void breakOff() throws IOException {
    in.breakOff();
    if (started && completed.get() == 0) {
      out.listener.onError(new EOFException("the client has gone"));
    }
  }

  /**
   * It must be over by now.
   *
   * @throws IllegalStateException it has not been ended exactly once, or by an answer that is none
   */
  void check() {
    if (!started) {
      throw new IllegalStateException("no request waits for an answer");
    }
    if (completed.get() != 1) {
      throw new IllegalStateException("ended " + completed + " times");
    }
    byte[] body = out.written();
    if (status == HttpServletResponse.SC_OK && body.length > 0) {
      try {
        PostAnswer.decode(body, body.length);
      } catch (ProtocolViolationException none) {
        throw new IllegalStateException("answered by what no agent takes", none);
      }
    } else if (status != 0 && (status < 400 || status > 503)) {
      throw new IllegalStateException("answered " + status);
    }
  }

  /** The body, as it comes. */
  private static final class Coming extends ServletInputStream {
    private final byte[] body;
    private int there;
    private int read;
    private boolean over;
    private ReadListener listener;

    Coming(byte[] body, int there) {
      this.body = body;
      this.there = Math.min(there, body.length);
    }

    void come(int count) throws IOException {
      there = Math.min(body.length, there + count);
      tell();
    }

    private void tell() throws IOException {
      if (listener == null || over) {
        return;
      }
      if (read < there) {
        listener.onDataAvailable();
      }
      if (read == body.length) {
        over = true;
        listener.onAllDataRead();
      }
    }

    void breakOff() {
      if (listener != null && !over) {
        over = true;
        listener.onError(new EOFException("the client has gone"));
      }
    }

    @Override
    public void setReadListener(ReadListener its) {
      listener = its;
    }

    @Override
    public boolean isReady() {
      return read < there || read == body.length;
    }

    @Override
    public boolean isFinished() {
      return read == body.length;
    }

    @Override
    public int available() {
      return there - read;
    }

    @Override
    public int read() {
      return read < there ? body[read++] & 0xFF : -1;
    }

    @Override
    public int read(byte[] to, int offset, int length) {
      if (read == there) {
        if (read < body.length) {
          throw new IllegalStateException("this would block");
        }
        return -1;
      }
      int count = Math.min(length, there - read);
      System.arraycopy(body, read, to, offset, count);
      read += count;
      return count;
    }
  }

  /** The answer, which is taken once the container can. */
  private static final class Answer extends ServletOutputStream {
    private final ByteArrayOutputStream written = new ByteArrayOutputStream();
    private WriteListener listener;
    private volatile boolean ready;

    void open() throws IOException {
      ready = true;
      listener.onWritePossible();
    }

    synchronized byte[] written() {
      return written.toByteArray();
    }

    @Override
    public void setWriteListener(WriteListener its) {
      listener = its;
    }

    @Override
    public boolean isReady() {
      return ready;
    }

    @Override
    public synchronized void write(int one) {
      written.write(one);
    }

    @Override
    public synchronized void write(byte[] bytes, int offset, int length) {
      written.writeBytes(Arrays.copyOfRange(bytes, offset, offset + length));
    }
  }
}
