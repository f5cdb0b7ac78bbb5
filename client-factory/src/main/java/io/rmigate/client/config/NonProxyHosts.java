package io.rmigate.client.config;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The system property {@code http.nonProxyHosts}: names and addresses separated by {@code |}, in
 * which {@code *} stands for any characters. Compared as written, never resolved.
 */
record NonProxyHosts(List<Pattern> patterns) {

  static NonProxyHosts parse(String text) {
    return new NonProxyHosts(
        Arrays.stream(text.split("\\|"))
            .map(String::strip)
            .filter(element -> !element.isEmpty())
            .map(NonProxyHosts::pattern)
            .toList());
  }

  private static Pattern pattern(String glob) {
    String lower = glob.toLowerCase(Locale.ROOT).replaceAll("\\*+", "*");
    return Pattern.compile(Pattern.quote(lower).replace("*", "\\E.*\\Q"));
  }

  /**
   * @param host of a URI: an IPv6 address in brackets
   */
  boolean contain(String host) {
    String lower = host.toLowerCase(Locale.ROOT);
    return patterns.stream().anyMatch(pattern -> pattern.matcher(lower).matches());
  }
}
