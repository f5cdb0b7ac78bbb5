package io.rmigate.gateway.policy.type;

/**
 * Names of classes and methods as Java has them, in any script. Characters that are not seen are
 * left out, which Java permits within names: a line with one would not say what it permits.
 */
public final class JavaNames {
  /** A character of a name that is not the first, for a regular expression. */
  static final String PART = "[\\p{javaJavaIdentifierPart}&&[^\\p{Cntrl}\\p{Cf}]]";

  /** A name between dots, for a regular expression. */
  static final String NAME = "\\p{javaJavaIdentifierStart}" + PART + "*";

  /** Longer ones are not looked for. */
  private static final int MOST_CHARACTERS = 256;

  private JavaNames() {}

  /** Whether it could be the name of a class, as in {@link Class#getName}. Makes no objects. */
  public static boolean isOfClass(String name) {
    boolean begins = true;
    for (int i = 0, c; i < name.length(); i += Character.charCount(c)) {
      c = name.codePointAt(i);
      if (c == '.' && !begins) {
        begins = true;
      } else if (begins ? Character.isJavaIdentifierStart(c) : isPart(c)) {
        begins = false;
      } else {
        return false;
      }
    }
    return !begins && name.length() <= MOST_CHARACTERS;
  }

  /** Whether a class comes with the JDK, so that no operator has a jar of it. */
  public static boolean isOfJdk(String name) {
    return name.startsWith("java.")
        || (isOfClass(name)
            && ClassLoader.getPlatformClassLoader().getResource(name.replace('.', '/') + ".class")
                != null);
  }

  private static boolean isPart(int c) {
    return Character.isJavaIdentifierPart(c) && !Character.isIdentifierIgnorable(c);
  }
}
