package io.rmigate.gateway.edge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rmigate.gateway.log.RareLines;
import io.rmigate.gateway.testing.LogLines;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.EOFException;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FailureFilterTest {
  private final FailureFilter filter = new FailureFilter(RareLines.ofCallers());
  private final List<Object> statuses = new ArrayList<>();
  private boolean committed;

  private static <T> T implement(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  private void serve(FilterChain chain) throws IOException, ServletException {
    HttpServletRequest request =
        implement(
            HttpServletRequest.class,
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "getRemoteAddr" -> "192.0.2.1";
                  case "getMethod" -> "GET";
                  case "getRequestURI" -> "/rmigate/" + "A".repeat(7_000);
                  default -> null;
                });
    HttpServletResponse response =
        implement(
            HttpServletResponse.class,
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "isCommitted" -> committed;
                  case "setStatus" -> noteStatus(arguments[0]);
                  case "getOutputStream" -> new Nowhere();
                  default -> null;
                });
    filter.doFilter(request, response, chain);
  }

  private Object noteStatus(Object status) {
    statuses.add(status);
    return null;
  }

  private static final class Nowhere extends ServletOutputStream {
    @Override
    public boolean isReady() {
      return true;
    }

    @Override
    public void setWriteListener(WriteListener listener) {}

    @Override
    public void write(int b) {}
  }

  @Test
  void failuresAreAnsweredHereAndInTheLogSixtyTimesAMinute() throws Exception {
    try (LogLines log = new LogLines(FailureFilter.class)) {
      for (int i = 0; i < 100; i++) {
        serve(
            (request, response) -> {
              throw new IllegalStateException("of a servlet");
            });
        serve(
            (request, response) -> {
              throw new ServletException("of a container");
            });
        serve(
            (request, response) -> {
              throw new EOFException("of a client");
            });
      }
      assertThat(log.all()).hasSize(60).allMatch(line -> line.length() < 5_000);
    }
    assertThat(statuses).hasSize(300).startsWith(500, 500, 400);
  }

  @Test
  void anAnswerThatHasBegunIsCutOff() {
    committed = true;
    assertThatThrownBy(
            () ->
                serve(
                    (request, response) -> {
                      throw new EOFException("of a client");
                    }))
        .isInstanceOf(EOFException.class);
    assertThat(statuses).isEmpty();
  }
}
