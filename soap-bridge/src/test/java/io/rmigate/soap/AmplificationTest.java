package io.rmigate.soap;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.rmigate.soap.call.Caller;
import io.rmigate.soap.json.JsonFront;
import io.rmigate.soap.json.JsonLimits;
import io.rmigate.soap.json.JsonTarget;
import io.rmigate.soap.publish.Contract;
import io.rmigate.soap.soap.SoapDialect;
import io.rmigate.soap.soap.SoapFront;
import io.rmigate.soap.soap.SoapLimits;
import io.rmigate.soap.soap.SoapTarget;
import io.rmigate.soap.testing.RecordedReply;
import io.rmigate.soap.testing.RunningShop;
import io.rmigate.soap.testing.SoapAnswer;
import io.rmigate.soap.testing.TemporaryShop;
import io.rmigate.testing.FuzzCorpus;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * What one request of any contents costs in memory: until its call would be sent no more than ten
 * times its bytes, and 64 KiB; until it is answered 64 KiB more, for the call, which RMI's own
 * stubs make here. Counted for the thread that answers.
 */
class AmplificationTest {
  private static final int TIMES = 10;
  private static final int BESIDES = 64 * 1024;

  /** For a call there and back, which RMI's own stubs make here. */
  private static final int CALL = 64 * 1024;

  /** What is made once, or now and then, is not the request's. */
  private static final int TURNS = 4;

  /**
   * Of three bytes, two of which are an array: it is made, sent, received and written again. That
   * is nearly all over at once, and most of it what RMI's own stubs take.
   */
  private static final int TIMES_OF_BRACKETS = 60;

  private static final int MANY = 100_000;
  private static final String ROWS = "matrix\n{\"rows\":[" + "[],".repeat(MANY) + "[]]}";
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** Bytes that had been allocated when the latest call was to be sent; 0: none was. */
  private long calledAt;

  private static long allocated() {
    return THREADS.getCurrentThreadAllocatedBytes();
  }

  private interface Taker {
    void take(byte[] input) throws IOException;
  }

  private interface Uncalled {
    Taker over(Contract contract, Caller caller);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String numbered(String pattern) {
    StringBuilder all = new StringBuilder();
    for (int i = 0; i < MANY / 10; i++) {
      all.append(pattern.formatted(i));
    }
    return all.toString();
  }

  private static List<byte[]> json(FuzzCorpus corpus) {
    List<byte[]> inputs = new ArrayList<>(corpus.inputs());
    for (String operation : List.of("find", "matrix", "words", "customer")) {
      for (String text :
          List.of(
              "[".repeat(MANY),
              "{\"a\":".repeat(MANY),
              "{\"a\":1" + "0".repeat(MANY) + "}",
              "{\"a\":1e400000}",
              "{\"" + "a".repeat(MANY) + "\":1}",
              "{\"words\":[" + "\"\",".repeat(MANY) + "\"\"]}",
              "{\"words\":\"" + "\\u0000".repeat(MANY) + "\"}",
              "{" + numbered("\"a%d\":1,") + "\"b\":1}")) {
        inputs.add(bytes(operation + "\n" + text));
      }
    }
    return inputs;
  }

  private static String envelope(String body) {
    return "<e:Envelope xmlns:e=\"http://schemas.xmlsoap.org/soap/envelope/\"><e:Body>"
        + body
        + "</e:Body></e:Envelope>";
  }

  private static List<byte[]> soap(FuzzCorpus corpus) {
    List<byte[]> inputs = new ArrayList<>(corpus.inputs());
    for (String body :
        List.of(
            "<a>".repeat(MANY),
            "<a" + numbered(" a%d=''") + "/>",
            "<a" + numbered(" xmlns:a%d='urn:a'") + "/>",
            "<a>" + numbered("<b%d/>") + "</a>",
            "<" + "a".repeat(MANY) + "/>",
            "<a>" + "&amp;".repeat(MANY) + "</a>",
            "<!--" + "-".repeat(MANY) + "-->",
            "<a>" + "<b/>".repeat(MANY) + "</a>")) {
      inputs.add(bytes(envelope(body)));
    }
    return inputs;
  }

  private void expectBounded(List<byte[]> inputs, Taker target, int times, int besides)
      throws IOException {
    List<String> beyond = new ArrayList<>();
    for (byte[] input : inputs) {
      long cost = Long.MAX_VALUE;
      for (int i = 0; i < TURNS; i++) {
        calledAt = 0;
        long before = allocated();
        target.take(input);
        cost = Math.min(cost, (calledAt == 0 ? allocated() : calledAt) - before);
      }
      if (cost > (long) times * input.length + besides) {
        String beginning =
            new String(input, 0, Math.min(200, input.length), StandardCharsets.UTF_8);
        beyond.add(cost + " for " + input.length + ": " + beginning.replace('\n', ' '));
      }
    }
    assertThat(beyond).isEmpty();
  }

  /** A request that ends where its call would be sent. */
  private void expectBoundedUncalled(List<byte[]> inputs, Uncalled target) throws Exception {
    try (TemporaryShop shop = TemporaryShop.open()) {
      RunningShop running = shop.running();
      Taker taker =
          target.over(
              running.publication().contract(), running.uncalled(() -> calledAt = allocated()));
      expectBounded(inputs, taker, TIMES, BESIDES);
    }
  }

  private static Taker jsonUncalled(Contract contract, Caller caller) {
    JsonFront front = new JsonFront(contract, JsonLimits.DEFAULT);
    return input -> {
      int line = 0;
      while (line < input.length && input[line] != '\n') {
        line++;
      }
      String operation = new String(input, 0, line, StandardCharsets.UTF_8);
      byte[] text = Arrays.copyOfRange(input, Math.min(input.length, line + 1), input.length);
      RecordedReply.of(front, caller, operation, text);
    };
  }

  private static Taker soapUncalled(Contract contract, Caller caller) {
    SoapFront front = new SoapDialect(SoapLimits.DEFAULT).front(contract);
    return input -> SoapAnswer.to(front, caller, "text/xml; charset=utf-8", input);
  }

  @Test
  void aRequestInJsonCostsNoMoreThanTenTimesItsBytesUntilItIsCalled() throws Exception {
    try (FuzzCorpus corpus = FuzzCorpus.of(JsonTarget.class)) {
      List<byte[]> inputs = json(corpus);
      inputs.add(bytes(ROWS));
      expectBoundedUncalled(inputs, AmplificationTest::jsonUncalled);
    }
  }

  @Test
  void anEnvelopeCostsNoMoreThanTenTimesItsBytesUntilItIsCalled() throws Exception {
    try (FuzzCorpus corpus = FuzzCorpus.of(SoapTarget.class)) {
      expectBoundedUncalled(soap(corpus), AmplificationTest::soapUncalled);
    }
  }

  @Test
  void aRequestInJsonCostsNoMoreThanTenTimesItsBytesAndACall() throws Exception {
    try (FuzzCorpus corpus = FuzzCorpus.of(JsonTarget.class)) {
      expectBounded(json(corpus), JsonTarget::fuzzerTestOneInput, TIMES, BESIDES + CALL);
    }
  }

  @Test
  void emptyArraysCostNoMoreThanTheirObjectsThereAndBack() throws Exception {
    try (FuzzCorpus corpus = FuzzCorpus.of(JsonTarget.class)) {
      assertThat(corpus.inputs()).isNotEmpty();
      expectBounded(
          List.of(bytes(ROWS)), JsonTarget::fuzzerTestOneInput, TIMES_OF_BRACKETS, BESIDES + CALL);
    }
  }

  @Test
  void anEnvelopeCostsNoMoreThanTenTimesItsBytesAndACall() throws Exception {
    try (FuzzCorpus corpus = FuzzCorpus.of(SoapTarget.class)) {
      expectBounded(soap(corpus), SoapTarget::fuzzerTestOneInput, TIMES, BESIDES + CALL);
    }
  }
}
