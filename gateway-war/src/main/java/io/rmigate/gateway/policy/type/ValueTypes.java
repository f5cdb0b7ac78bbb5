package io.rmigate.gateway.policy.type;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The groups of classes in {@code value-types.txt} and {@code client-value-types.txt}. */
public final class ValueTypes {
  private static final Pattern GROUP =
      Pattern.compile("(proven|admitted|denied): (.+) \\((\\w+(?:, \\w+)*)\\)");

  /**
   * Classes that stand in a file for the same reason.
   *
   * @param status {@code proven}, {@code admitted} or {@code denied}
   * @param tests simple names of the test classes that show the reason
   */
  record Group(String status, String reason, List<String> tests, List<String> names) {
    Group {
      tests = List.copyOf(tests);
      names = List.copyOf(names);
    }

    boolean passes() {
      return !status.equals("denied");
    }
  }

  /** The groups of {@code value-types.txt}. */
  static final List<Group> GROUPS = read("value-types.txt");

  /** The groups of {@code client-value-types.txt}. */
  static final List<Group> GROUPS_FOR_CLIENTS = read("client-value-types.txt");

  /** Classes that all messages may carry. */
  public static final Set<String> NAMES = names(GROUPS, Group::passes);

  /** Classes that stand in the list with the reason why they do not pass. */
  static final Set<String> DENIED = names(GROUPS, group -> !group.passes());

  /** Further classes that only messages to clients may carry. */
  public static final Set<String> FOR_CLIENTS = names(GROUPS_FOR_CLIENTS, Group::passes);

  private ValueTypes() {}

  private static Set<String> names(List<Group> groups, Predicate<Group> wanted) {
    return groups.stream()
        .filter(wanted)
        .flatMap(group -> group.names().stream())
        .collect(Collectors.toUnmodifiableSet());
  }

  private static List<Group> read(String file) {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                ValueTypes.class.getResourceAsStream(file), StandardCharsets.UTF_8))) {
      return parse(lines.lines().filter(line -> !line.isBlank() && !line.startsWith("#")).toList());
    } catch (IOException e) {
      throw new UncheckedIOException(e); // of our own jar
    }
  }

  /**
   * Reads groups.
   *
   * @throws IllegalArgumentException a name stands in no group
   */
  static List<Group> parse(List<String> lines) {
    List<Group> groups = new ArrayList<>();
    Matcher head = null;
    List<String> names = new ArrayList<>();
    for (String line : lines) {
      Matcher group = GROUP.matcher(line);
      if (group.matches()) {
        add(groups, head, names);
        head = group;
        names.clear();
      } else if (head == null || line.contains(" ")) {
        throw new IllegalArgumentException("expected STATUS: REASON (TEST), got: " + line);
      } else {
        names.add(line);
      }
    }
    add(groups, head, names);
    return List.copyOf(groups);
  }

  private static void add(List<Group> groups, Matcher head, List<String> names) {
    if (head != null) {
      groups.add(
          new Group(head.group(1), head.group(2), List.of(head.group(3).split(", ", -1)), names));
    }
  }
}
