package io.rmigate.gateway.login;

/** Lines of users files whose passwords cost next to nothing to check. */
public final class UserLines {
  /** The fewest that the gateway takes; users have 600 times as many. */
  private static final int ITERATIONS = 1_000;

  private UserLines() {}

  /** The line of a member of groups, which stand with commas between. */
  public static String user(String name, String password, String groups) {
    return user(name, password).stripTrailing() + ":" + groups + "\n";
  }

  /** The line of a user with a password, including the line end. */
  public static String user(String name, String password) {
    return name + ":" + PasswordHash.of(password.toCharArray(), ITERATIONS) + "\n";
  }
}
