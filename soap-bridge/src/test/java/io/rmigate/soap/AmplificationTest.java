package io.rmigate.soap;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.rmigate.soap.json.JsonTarget;
import io.rmigate.soap.soap.SoapTarget;
import io.rmigate.testing.FuzzCorpus;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * What one request costs in memory, until it is answered, whatever is in it: no more than ten times
 * its bytes, and 64 KiB; as much again is for a call, which RMI's own stubs make here. Counted for
 * the thread that answers.
 */
class AmplificationTest {
  private static final int TIMES = 10;
  private static final int BESIDES = 2 * 64 * 1024;

  /** What is made once, or now and then, is not the request's. */
  private static final int TURNS = 4;

  /**
   * Of three bytes, two of which are an array: it is made, sent, received and written again. That
   * is nearly all over at once; for what is held {@code JsonFrontTest} has a bound of ten times.
   */
  private static final int TIMES_OF_BRACKETS = 200;

  private static final int MANY = 100_000;
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private interface Target {
    void take(byte[] input) throws IOException;
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

  private static void expectBounded(List<byte[]> inputs, Target target, int times, int besides)
      throws IOException {
    List<String> beyond = new ArrayList<>();
    for (byte[] input : inputs) {
      long cost = Long.MAX_VALUE;
      for (int i = 0; i < TURNS; i++) {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        target.take(input);
        cost = Math.min(cost, THREADS.getCurrentThreadAllocatedBytes() - before);
      }
      if (cost > (long) times * input.length + besides) {
        String beginning =
            new String(input, 0, Math.min(200, input.length), StandardCharsets.UTF_8);
        beyond.add(cost + " for " + input.length + ": " + beginning.replace('\n', ' '));
      }
    }
    assertThat(beyond).isEmpty();
  }

  @Test
  void aRequestInJsonCostsNoMoreThanTenTimesItsBytesAndACall() throws Exception {
    try (FuzzCorpus corpus = FuzzCorpus.of(JsonTarget.class)) {
      expectBounded(json(corpus), JsonTarget::fuzzerTestOneInput, TIMES, BESIDES);
    }
  }

  @Test
  void emptyArraysCostNoMoreThanTheirObjectsThereAndBack() throws Exception {
    String rows = "matrix\n{\"rows\":[" + "[],".repeat(MANY) + "[]]}";
    try (FuzzCorpus corpus = FuzzCorpus.of(JsonTarget.class)) {
      assertThat(corpus.inputs()).isNotEmpty();
      expectBounded(
          List.of(bytes(rows)), JsonTarget::fuzzerTestOneInput, TIMES_OF_BRACKETS, BESIDES);
    }
  }

  @Test
  void anEnvelopeCostsNoMoreThanTenTimesItsBytesAndACall() throws Exception {
    try (FuzzCorpus corpus = FuzzCorpus.of(SoapTarget.class)) {
      expectBounded(soap(corpus), SoapTarget::fuzzerTestOneInput, TIMES, BESIDES);
    }
  }
}
