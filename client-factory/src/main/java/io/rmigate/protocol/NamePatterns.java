package io.rmigate.protocol;

import java.util.List;
import java.util.regex.Pattern;

/** A list of patterns for names in registries: {@code *} stands for any characters. Immutable. */
public final class NamePatterns {
  /** Matches nothing. */
  public static final NamePatterns NONE = of(List.of());

  private final List<String> texts;
  private final List<Pattern> patterns;

  private NamePatterns(List<String> texts) {
    this.texts = List.copyOf(texts);
    this.patterns = texts.stream().map(NamePatterns::compile).toList();
  }

  /** Reads patterns, one per element. Every text is one. */
  public static NamePatterns of(List<String> patterns) {
    return new NamePatterns(patterns);
  }

  private static Pattern compile(String text) {
    String glob = text.replaceAll("\\*+", "*");
    return Pattern.compile(Pattern.quote(glob).replace("*", "\\E.*\\Q"), Pattern.DOTALL);
  }

  /** Whether one of the patterns matches; upper and lower case differ, as they do in registries. */
  public boolean matches(String name) {
    for (Pattern pattern : patterns) {
      if (pattern.matcher(name).matches()) {
        return true;
      }
    }
    return false;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof NamePatterns patternsToo && texts.equals(patternsToo.texts);
  }

  @Override
  public int hashCode() {
    return texts.hashCode();
  }

  @Override
  public String toString() {
    return texts.isEmpty() ? "none" : String.join("|", texts);
  }
}
