package io.rmigate.client.pac;

import io.rmigate.protocol.AddressLiteral;
import java.io.IOException;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The functions that every PAC file may use, as Netscape described them and browsers have them.
 * Where these differ, as in Mozilla's.
 */
final class PacFunctions {
  static final Map<String, Callable> ALL =
      Map.ofEntries(
          Map.entry("isPlainHostName", of((run, a) -> !a.text(0).matches("(?s).*[.:].*"))),
          Map.entry("dnsDomainIs", of((run, a) -> a.text(0).endsWith(a.text(1)))),
          Map.entry(
              "localHostOrDomainIs",
              of((run, a) -> a.text(0).equals(a.text(1)) || a.text(1).startsWith(a.text(0) + "."))),
          Map.entry("isResolvable", of((run, a) -> resolve(run, a.text(0), a.line).isPresent())),
          Map.entry("dnsResolve", of((run, a) -> address(resolve(run, a.text(0), a.line)))),
          Map.entry("myIpAddress", of((run, a) -> run.ownAddress().getHostAddress())),
          Map.entry("isInNet", of(PacFunctions::isInNet)),
          Map.entry(
              "dnsDomainLevels",
              of((run, a) -> (double) a.text(0).chars().filter(c -> c == '.').count())),
          Map.entry("shExpMatch", of(PacFunctions::shExpMatch)),
          Map.entry(
              "weekdayRange",
              of((run, a) -> range(run, a, CalendarRanges.isWeekday(run.network.now(), a.values)))),
          Map.entry(
              "dateRange",
              of((run, a) -> range(run, a, CalendarRanges.isDate(run.network.now(), a.values)))),
          Map.entry(
              "timeRange",
              of((run, a) -> range(run, a, CalendarRanges.isTime(run.network.now(), a.values)))),
          Map.entry("alert", of((run, a) -> EmptyValue.UNDEFINED)), // browsers log it
          Map.entry("String", of((run, a) -> a.values.isEmpty() ? "" : a.text(0))),
          Map.entry("Number", of((run, a) -> a.values.isEmpty() ? 0 : Coercion.number(a.at(0)))),
          Map.entry(
              "RegExp",
              of(
                  (run, a) ->
                      expression(run, a.text(0), a.values.size() > 1 ? a.text(1) : "", a.line))),
          Map.entry("parseInt", of(PacFunctions::parseInt)));

  private PacFunctions() {}

  /** The arguments of a function call. */
  private record Arguments(Evaluation run, List<Object> values, int line) {
    Object at(int index) {
      return index < values.size() ? values.get(index) : EmptyValue.UNDEFINED;
    }

    String text(int index) throws PacException {
      return run.budget.text(at(index), line);
    }
  }

  /** A function by itself. */
  @FunctionalInterface
  private interface Body {
    Object apply(Evaluation run, Arguments arguments) throws IOException;
  }

  private static Callable of(Body body) {
    return (run, values, line) -> body.apply(run, new Arguments(run, values, line));
  }

  private static Optional<InetAddress> resolve(Evaluation run, String host, int line)
      throws IOException {
    Optional<InetAddress> literal = AddressLiteral.parse(host);
    if (literal.isPresent()) {
      return literal;
    }
    boolean isName = !host.matches("[0-9.]+") && host.indexOf(':') < 0;
    if (!isName || host.isEmpty() || host.length() > 255) {
      return Optional.empty();
    }
    run.budget.lookUp(line);
    return run.network.addressOf(host);
  }

  private static Object address(Optional<InetAddress> address) {
    return address.isPresent() ? address.get().getHostAddress() : EmptyValue.NULL;
  }

  private static Object isInNet(Evaluation run, Arguments given) throws IOException {
    Optional<InetAddress> host = resolve(run, given.text(0), given.line);
    Optional<InetAddress> network = AddressLiteral.parse(given.text(1));
    Optional<InetAddress> mask = AddressLiteral.parse(given.text(2));
    if (host.isEmpty() || network.isEmpty() || mask.isEmpty()) {
      return false;
    }
    byte[] a = host.get().getAddress();
    byte[] b = network.get().getAddress();
    byte[] m = mask.get().getAddress();
    boolean same = a.length == b.length && a.length == m.length;
    for (int i = 0; same && i < a.length; i++) {
      same = (a[i] & m[i]) == (b[i] & m[i]);
    }
    return same;
  }

  /**
   * {@code *} for any characters, {@code ?} for one, everything else for itself; but {@code (a|b)}
   * for either, which is widely used because it works in browsers that make a regular expression.
   */
  private static Object shExpMatch(Evaluation run, Arguments given) throws IOException {
    String glob = given.text(1);
    if (!glob.contains("|")) {
      return isGlobOf(given.text(0), glob, run, given.line);
    }
    String body =
        glob.replaceAll("[^A-Za-z0-9*?()|]", "\\\\$0").replace("*", ".*").replace('?', '.');
    return expression(run, "^(?:" + body + ")$", "", given.line)
        .isFoundIn(given.text(0), run.budget, given.line);
  }

  private static RegularExpression expression(Evaluation run, String body, String flags, int line)
      throws PacException {
    try {
      return RegularExpression.of(body, flags);
    } catch (IllegalArgumentException e) {
      throw run.problem(line, e.getMessage());
    }
  }

  private static boolean isGlobOf(String text, String glob, Evaluation run, int line)
      throws PacException {
    int t = 0;
    int g = 0;
    int star = -1;
    int from = 0;
    while (t < text.length()) {
      run.budget.spend(1, line);
      if (g < glob.length() && glob.charAt(g) == '*') {
        star = g++;
        from = t;
      } else if (g < glob.length() && (glob.charAt(g) == '?' || glob.charAt(g) == text.charAt(t))) {
        g++;
        t++;
      } else if (star >= 0) {
        g = star + 1; // the star takes one more
        t = ++from;
      } else {
        return false;
      }
    }
    while (g < glob.length() && glob.charAt(g) == '*') {
      g++;
    }
    return g == glob.length();
  }

  private static Object range(Evaluation run, Arguments given, Optional<Boolean> within)
      throws PacException {
    return within.orElseThrow(
        () -> run.problem(given.line, "a range of times is not understood: " + given.values));
  }

  private static Object parseInt(Evaluation run, Arguments given) throws PacException {
    String digits = given.text(0).strip().replaceFirst("(?s)^([+-]?[0-9]{1,15}).*", "$1");
    return digits.matches("[+-]?[0-9]+") ? Double.parseDouble(digits) : Double.NaN;
  }
}
