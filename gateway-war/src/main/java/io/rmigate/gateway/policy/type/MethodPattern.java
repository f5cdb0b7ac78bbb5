package io.rmigate.gateway.policy.type;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Some methods of a remote interface: {@code com.acme.Shop.add}, with any parameters; {@code
 * com.acme.Shop.add(int,String)}, by the simple or full names of their types; {@code
 * com.acme.Shop.get*}; {@code com.acme.Shop.*}. With {@code !} in front it takes them away.
 */
public final class MethodPattern {
  private static final Pattern SYNTAX =
      Pattern.compile(
          "(!?)(%1$s(?:\\.%1$s)*)\\.(%1$s\\*?|\\*)(?:\\(((?:%2$s|[.,\\[\\] ])*)\\))?"
              .formatted(JavaNames.NAME, JavaNames.PART));

  private final String text;
  private final boolean allows;
  private final String type;
  private final String name;
  private final boolean prefix;
  private final Optional<List<String>> parameters;

  private MethodPattern(String text, Matcher parts) {
    this.text = text;
    this.allows = parts.group(1).isEmpty();
    this.type = parts.group(2);
    this.prefix = parts.group(3).endsWith("*");
    this.name = parts.group(3).replace("*", "");
    this.parameters =
        Optional.ofNullable(parts.group(4))
            .map(
                types ->
                    Stream.of(types.split(",", -1))
                        .map(String::strip)
                        .filter(one -> !one.isEmpty())
                        .toList());
  }

  /** A pattern; empty when it is none. */
  public static Optional<MethodPattern> parse(String text) {
    Matcher parts = SYNTAX.matcher(text);
    return parts.matches() ? Optional.of(new MethodPattern(text, parts)) : Optional.empty();
  }

  /** Whether it allows what it matches. */
  public boolean allows() {
    return allows;
  }

  public boolean matches(RemoteMethod method) {
    return method.type().equals(type)
        && (prefix ? method.name().startsWith(name) : method.name().equals(name))
        && (parameters.isEmpty() || areTypes(parameters.get(), method.parameters()));
  }

  private static boolean areTypes(List<String> written, List<String> types) {
    if (written.size() != types.size()) {
      return false;
    }
    for (int i = 0; i < types.size(); i++) {
      String full = types.get(i).replace('$', '.');
      String asked = written.get(i).replace('$', '.');
      if (!full.equals(asked) && !full.endsWith("." + asked)) {
        return false;
      }
    }
    return true;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof MethodPattern its && text.equals(its.text);
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
