package io.rmigate.client.transport.http;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One way to log in that a server or HTTP proxy offers (RFC 9110 §11.3): a scheme and its
 * parameters. One field may hold several, separated by the same comma that separates parameters.
 *
 * @param scheme as sent: {@code Basic}, {@code Digest}, {@code Negotiate}
 * @param parameters names in lower case, values without their quotes
 */
public record HttpChallenge(String scheme, Map<String, String> parameters) {
  private static final String TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]++";
  private static final Pattern PARAMETER =
      Pattern.compile(
          "\\G[\\s,]*+("
              + TOKEN
              + ")\\s*+=\\s*+(?:\"([^\"\\\\]*+(?:\\\\.[^\"\\\\]*+)*+)\"|("
              + TOKEN
              + "))");
  private static final Pattern SCHEME =
      Pattern.compile(
          "\\G[\\s,]*+(" + TOKEN + ")(?:[ \t]++[A-Za-z0-9._~+/-]++=*+(?=\\s*(?:,|$)))?");

  /**
   * Reads the values of all {@code …-Authenticate} fields; stops at what it does not understand.
   */
  public static List<HttpChallenge> parse(List<String> fieldValues) {
    List<HttpChallenge> challenges = new ArrayList<>();
    for (String value : fieldValues) {
      int position = 0;
      Matcher parameter = PARAMETER.matcher(value);
      Matcher scheme = SCHEME.matcher(value);
      while (position < value.length()) {
        if (!challenges.isEmpty() && parameter.find(position)) {
          String quoted = parameter.group(2);
          challenges
              .get(challenges.size() - 1)
              .parameters
              .putIfAbsent(
                  parameter.group(1).toLowerCase(Locale.ROOT),
                  quoted == null ? parameter.group(3) : quoted.replaceAll("\\\\(.)", "$1"));
          position = parameter.end();
        } else if (scheme.find(position)) {
          challenges.add(new HttpChallenge(scheme.group(1), new LinkedHashMap<>()));
          position = scheme.end();
        } else {
          break;
        }
      }
    }
    return challenges;
  }

  public boolean is(String name) {
    return scheme.equalsIgnoreCase(name);
  }

  /** The parameter's value, or {@code otherwise}. */
  public String parameter(String name, String otherwise) {
    return parameters.getOrDefault(name, otherwise);
  }
}
