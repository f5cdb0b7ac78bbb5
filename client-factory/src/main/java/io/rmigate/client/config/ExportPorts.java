package io.rmigate.client.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * For which exported objects the gateway listens: by the port that the application asks for, where
 * 0 stands for an anonymous one.
 */
public final class ExportPorts {
  /** No objects at all. */
  public static final ExportPorts NONE = new ExportPorts("none", List.of());

  /** Objects without a port of their own: all that is exported without one, or with 0. */
  public static final ExportPorts ANONYMOUS = new ExportPorts("0", List.of(new Range(0, 0)));

  private static final int LAST_PORT = 0xFFFF;

  private record Range(int first, int last) {}

  private final String text;
  private final List<Range> ranges;

  private ExportPorts(String text, List<Range> ranges) {
    this.text = text;
    this.ranges = ranges;
  }

  /**
   * Reads ports and ranges, one per element.
   *
   * @throws IllegalArgumentException an element is neither
   */
  static ExportPorts of(List<String> elements) {
    Pattern ports = Pattern.compile("([0-9]{1,5})(?:-([0-9]{1,5}))?");
    List<Range> ranges = new ArrayList<>();
    for (String element : elements) {
      Matcher matcher = ports.matcher(element);
      if (!matcher.matches()) {
        throw new IllegalArgumentException(
            "'" + element + "' is neither a port nor a range like 1099-1110, nor 0 or none");
      }
      int first = Integer.parseInt(matcher.group(1));
      int last = matcher.group(2) == null ? first : Integer.parseInt(matcher.group(2));
      if (first > last || last > LAST_PORT) {
        throw new IllegalArgumentException(
            "'" + element + "': ports are 0-65535, the lower one first");
      }
      ranges.add(new Range(first, last));
    }
    return new ExportPorts(String.join("|", elements), List.copyOf(ranges));
  }

  /**
   * The ports of the configuration; by default anonymous ones, if a way leads to the gateway.
   *
   * @param value null where none is set
   * @throws ClientConfigException the value names no ports, or no way leads to the gateway
   */
  static ExportPorts configured(ConfigValue value, Ways ways) {
    boolean linked = !ways.overLink().isEmpty();
    if (value == null) {
      return linked ? ANONYMOUS : NONE;
    }
    ExportPorts ports = value.text().equals("none") ? NONE : of(value);
    if (!linked && !ports.isEmpty()) {
      throw value.problem("needs a way to the gateway, and way= has none: " + ways);
    }
    return ports;
  }

  private static ExportPorts of(ConfigValue value) {
    try {
      return of(value.list());
    } catch (ClientConfigException e) {
      throw e;
    } catch (IllegalArgumentException e) {
      throw value.problem(e.getMessage());
    }
  }

  /** These very ports. */
  public static ExportPorts of(Set<Integer> ports) {
    return new ExportPorts(
        ports.stream().sorted().map(String::valueOf).collect(Collectors.joining("|")),
        ports.stream().map(port -> new Range(port, port)).toList());
  }

  /**
   * Whether the gateway is to listen.
   *
   * @param port that the application has asked for; 0 for an anonymous one
   */
  public boolean contain(int port) {
    for (Range range : ranges) {
      if (range.first() <= port && port <= range.last()) {
        return true;
      }
    }
    return false;
  }

  /** Whether no port is among them. */
  public boolean isEmpty() {
    return ranges.isEmpty();
  }

  /** As written. */
  @Override
  public String toString() {
    return text;
  }
}
