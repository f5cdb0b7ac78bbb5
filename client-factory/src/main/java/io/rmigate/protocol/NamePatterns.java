package io.rmigate.protocol;

import java.util.ArrayList;
import java.util.List;

/** A list of patterns for names in registries: {@code *} stands for any characters. Immutable. */
public final class NamePatterns {
  /** Matches nothing. */
  public static final NamePatterns NONE = of(List.of());

  private final List<String> texts;
  private final List<Glob> patterns;

  private NamePatterns(List<String> texts) {
    this.texts = List.copyOf(texts);
    this.patterns = new ArrayList<>();
    for (String text : texts) {
      patterns.add(new Glob(text));
    }
  }

  /** Reads patterns, one per element. Every text is one. */
  public static NamePatterns of(List<String> patterns) {
    return new NamePatterns(patterns);
  }

  /** Whether one of the patterns matches; upper and lower case differ, as they do in registries. */
  public boolean matches(String name) {
    for (Glob pattern : patterns) {
      if (pattern.matches(name)) {
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
