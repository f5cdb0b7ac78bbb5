package io.rmigate.gateway.login;

import io.rmigate.gateway.problem.ConfigException;
import io.rmigate.gateway.problem.ConfigProblem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Lines {@code name:hash} or {@code name:hash:group,group}; blank lines and lines that begin with
 * {@code #} mean nothing. Immutable once read.
 */
final class UsersFile {
  private static final String KEY = "logins.basic.users-file";

  private final Map<String, User> users;
  private final User unknownUser;

  /** A line, without the name. */
  record User(PasswordHash hash, Set<String> groups) {

    /** Reads what stands behind the name; empty when it is no hash, or a group has no name. */
    static Optional<User> parse(String text) {
      int colon = text.indexOf(':'); // no hash has one
      String hash = colon < 0 ? text : text.substring(0, colon);
      Set<String> groups =
          colon < 0
              ? Set.of()
              : Stream.of(text.substring(colon + 1).split(",", -1))
                  .map(String::strip)
                  .collect(Collectors.toUnmodifiableSet());
      return groups.contains("")
          ? Optional.empty()
          : PasswordHash.parse(hash).map(parsed -> new User(parsed, groups));
    }
  }

  /** Iterations of the costliest hash. */
  private final int iterations;

  private UsersFile(Map<String, User> users) {
    this.users = users;
    this.iterations =
        users.values().stream().mapToInt(user -> user.hash().iterations()).max().orElse(600_000);
    this.unknownUser = new User(PasswordHash.ofNobody(iterations), Set.of());
  }

  static UsersFile read(Path file) throws ConfigException {
    List<String> lines;
    try {
      lines = Files.readAllLines(file, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new ConfigException(file.toString(), KEY, "cannot be read: " + e.getMessage());
    }
    Map<String, User> users = new LinkedHashMap<>();
    List<ConfigProblem> problems = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).strip();
      if (line.isEmpty() || line.startsWith("#")) {
        continue;
      }
      // The messages never repeat the line: it may hold a password in plain text.
      String origin = file + ":" + (i + 1);
      int colon = line.indexOf(':');
      Optional<User> user = colon <= 0 ? Optional.empty() : User.parse(line.substring(colon + 1));
      if (user.isEmpty()) {
        problems.add(
            new ConfigProblem(
                origin,
                KEY,
                "is not name:hash or name:hash:group,group; make the line with: java -jar rmigate.war"
                    + " hash-password NAME"));
      } else if (users.putIfAbsent(line.substring(0, colon), user.get()) != null) {
        problems.add(new ConfigProblem(origin, KEY, "names a user a second time"));
      }
    }
    if (!problems.isEmpty()) {
      throw new ConfigException(problems);
    }
    return new UsersFile(users);
  }

  /** The user's hash and groups, or a hash that nothing matches. */
  User user(String name) {
    return users.getOrDefault(name, unknownUser);
  }

  /**
   * Whether a hash of this file is that of {@code password}. Each answer takes the work of the
   * file's costliest hash, so that its speed tells nothing about a name. Slow on purpose.
   */
  boolean matches(PasswordHash hash, char[] password) {
    return hash.matches(password, iterations);
  }
}
