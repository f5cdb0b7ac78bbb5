package io.rmigate.gateway.policy.type;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * One pattern of class names, as in {@code jdk.serialFilter} (JEP 290): {@code com.acme.Order}, all
 * of a package {@code com.acme.*}, all of it and of those below {@code com.acme.**}, all that begin
 * so {@code com.acme.Ord*}; with {@code !} in front it refuses what it matches. Limits, modules and
 * the pattern that matches everything are not taken.
 */
public final class ClassPattern {
  private static final Pattern SYNTAX =
      Pattern.compile("!?(?:%1$s\\.)*(?:%1$s\\*?|\\*\\*?)".formatted(JavaNames.NAME));

  private final String text;
  private final boolean allows;
  private final String start;
  private final boolean exact;

  /** Whether the pattern excludes subpackages: no dot may follow {@link #start}. */
  private final boolean flat;

  private ClassPattern(String text) {
    this.text = text;
    this.allows = !text.startsWith("!");
    String name = allows ? text : text.substring(1);
    this.exact = !name.endsWith("*");
    this.flat = name.endsWith(".*");
    this.start = exact ? name : name.substring(0, name.indexOf('*'));
  }

  /** A pattern; empty when it is none, or one that matches everything. */
  public static Optional<ClassPattern> parse(String text) {
    boolean everything = text.replace("!", "").startsWith("*");
    return SYNTAX.matcher(text).matches() && !everything
        ? Optional.of(new ClassPattern(text))
        : Optional.empty();
  }

  /** Whether it is about that class, as named by {@link Class#getName}. */
  public boolean matches(String name) {
    return exact
        ? name.equals(start)
        : name.startsWith(start) && !(flat && name.indexOf('.', start.length()) >= 0);
  }

  /** Whether it allows what it matches. */
  public boolean allows() {
    return allows;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ClassPattern its && text.equals(its.text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  @Override
  public String toString() {
    return text;
  }
}
