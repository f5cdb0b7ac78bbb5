package io.rmigate.gateway.amplification;

import io.rmigate.protocol.post.Post;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;

/** The servlet API of a POST whose body came with its head, as far as the gateway uses it. */
final class PostedRequest {

  /** Takes the body of an answer. */
  interface Answer {
    void take(byte[] body) throws IOException;
  }

  private final byte[] body;
  private final Answer answer;

  PostedRequest(byte[] body, Answer answer) {
    this.body = body;
    this.answer = answer;
  }

  HttpServletRequest request() {
    In in = new In(body);
    return implement(
        HttpServletRequest.class,
        (proxy, method, arguments) ->
            switch (method.getName()) {
              case "getHeader" -> arguments[0].equals("Content-Type") ? Post.CONTENT_TYPE : null;
              case "getContentLengthLong" -> (long) body.length;
              case "getRemoteAddr" -> "192.0.2.1";
              case "getRemotePort" -> 40_000;
              case "getAttribute" -> null; // no reverse proxy in front
              case "getInputStream" -> in;
              case "startAsync" -> async();
              default -> throw new UnsupportedOperationException(method.toString());
            });
  }

  private AsyncContext async() {
    HttpServletResponse response = response();
    return implement(
        AsyncContext.class,
        (proxy, method, arguments) -> method.getName().equals("getResponse") ? response : null);
  }

  private HttpServletResponse response() {
    Out out = new Out();
    return implement(
        HttpServletResponse.class,
        (proxy, method, arguments) -> method.getName().equals("getOutputStream") ? out : null);
  }

  private static <T> T implement(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  private static final class In extends ServletInputStream {
    private final ByteArrayInputStream body;

    In(byte[] body) {
      this.body = new ByteArrayInputStream(body);
    }

    @Override
    public boolean isFinished() {
      return body.available() == 0;
    }

    @Override
    public boolean isReady() {
      return true;
    }

    @Override
    public void setReadListener(ReadListener listener) {
      throw new UnsupportedOperationException("all of it is there");
    }

    @Override
    public int available() {
      return body.available();
    }

    @Override
    public int read() {
      return body.read();
    }

    @Override
    public int read(byte[] to, int offset, int length) {
      return body.read(to, offset, length);
    }
  }

  /** Takes an answer in one piece. */
  private final class Out extends ServletOutputStream {
    @Override
    public void setWriteListener(WriteListener listener) {
      try {
        listener.onWritePossible();
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public boolean isReady() {
      return true;
    }

    @Override
    public void write(int one) throws IOException {
      write(new byte[] {(byte) one});
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      if (offset != 0 || length != bytes.length) {
        throw new IOException("expected an answer in one piece");
      }
      answer.take(bytes);
    }
  }
}
