package io.rmigate.soap.soap;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A media type with its parameters (RFC 9110, 8.3.1).
 *
 * @param name in lower case: {@code text/xml}
 * @param parameters by their names in lower case, unquoted
 */
record MediaType(String name, Map<String, String> parameters) {
  /** {@code ; name=token} or {@code ; name="quoted"}, or an empty parameter. */
  private static final Pattern PARAMETER =
      Pattern.compile(
          "\\s*;\\s*(?:([!#$%&'*+.^_`|~0-9A-Za-z-]+)="
              + "(?:\"((?:[^\"\\\\]|\\\\.)*+)\"|([^\\s;\"]*+)))?");

  private static final int MAX_LENGTH = 1000;

  /**
   * What a header says.
   *
   * @return empty if it is none, or if a parameter is there twice: two readers could take two
   */
  static Optional<MediaType> of(String header) {
    int end = header.indexOf(';') < 0 ? header.length() : header.indexOf(';');
    String name = header.substring(0, end).strip().toLowerCase(Locale.ROOT);
    if (name.isEmpty() || header.length() > MAX_LENGTH) {
      return Optional.empty();
    }
    Map<String, String> parameters = new HashMap<>();
    Matcher parameter = PARAMETER.matcher(header).region(end, header.length());
    while (parameter.lookingAt()) {
      String key = parameter.group(1);
      if (key != null && parameters.put(key.toLowerCase(Locale.ROOT), value(parameter)) != null) {
        return Optional.empty();
      }
      parameter.region(parameter.end(), header.length());
    }
    boolean complete = header.substring(parameter.regionStart()).isBlank();
    return complete ? Optional.of(new MediaType(name, parameters)) : Optional.empty();
  }

  private static String value(Matcher parameter) {
    String quoted = parameter.group(2);
    return quoted == null ? parameter.group(3) : quoted.replaceAll("\\\\(.)", "$1");
  }

  /** A parameter's value, or empty. */
  String parameter(String key) {
    return parameters.getOrDefault(key, "");
  }
}
