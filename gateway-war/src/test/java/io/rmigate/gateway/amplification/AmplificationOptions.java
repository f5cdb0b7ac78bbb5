package io.rmigate.gateway.amplification;

import java.util.HashMap;
import java.util.Map;

/**
 * The options of {@code perf/amplification}.
 *
 * @param rounds of which medians are taken
 * @param roundMillis duration of a round; the last request may end later
 * @param warmUpMillis work before the first round
 * @param only text in the names of the requests that are measured
 */
record AmplificationOptions(int rounds, int roundMillis, int warmUpMillis, String only) {
  private static final Map<String, String> DEFAULTS =
      Map.of("--rounds", "7", "--round", "200", "--warm-up", "2000", "--only", "");

  static AmplificationOptions parse(String... words) {
    Map<String, String> values = new HashMap<>(DEFAULTS);
    for (int i = 0; i < words.length; i += 2) {
      if (!values.containsKey(words[i])) {
        throw new IllegalArgumentException("unknown option " + words[i]);
      }
      if (i + 1 == words.length) {
        throw new IllegalArgumentException(words[i] + " needs a value");
      }
      values.put(words[i], words[i + 1]);
    }
    return new AmplificationOptions(
        positive(values.get("--rounds")),
        positive(values.get("--round")),
        positive(values.get("--warm-up")),
        values.get("--only"));
  }

  private static int positive(String text) {
    int number = Integer.parseInt(text);
    if (number < 1) {
      throw new IllegalArgumentException("expected at least 1, got " + number);
    }
    return number;
  }
}
