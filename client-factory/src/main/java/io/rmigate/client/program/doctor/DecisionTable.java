package io.rmigate.client.program.doctor;

import io.rmigate.client.config.ProxySource;
import io.rmigate.client.config.Way;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Which way is right where: the table of Juric, Kezmah, Hericko, Rozman and Vezocnik ("Java RMI,
 * RMI tunneling and Web services comparison and performance analysis", ACM SIGPLAN Notices 39(5),
 * 2004), and what rmigate has in the place of its tunnels, which JDKs since 9 do not have any more.
 * Both filled in for this machine.
 *
 * @param columns of the publication
 * @param here what holds on this machine, for each column
 * @param rows of the publication
 * @param waysHere what holds on this machine: direct, connect, websocket, post
 * @param ways rmigate's rows
 */
record DecisionTable(
    List<String> columns,
    List<TableCell> here,
    List<Row> rows,
    List<TableCell> waysHere,
    List<Row> ways) {

  static final String SOURCE =
      "Juric, Kezmah, Hericko, Rozman, Vezocnik: Java RMI, RMI tunneling and Web services"
          + " comparison and performance analysis, ACM SIGPLAN Notices 39(5), 2004";

  /** The columns of rmigate's own rows: the ways. */
  static final List<String> WAY_COLUMNS = List.of("direct", "connect", "websocket", "post");

  private static final List<String> COLUMNS =
      List.of("firewall", "HTTP proxy", "failure is told", "ports open", "web server");

  /**
   * One row of the table.
   *
   * @param recommended the recommendation
   * @param applies whether it is the one for this machine, or one of two that remain since not all
   *     could be found out
   */
  record Row(List<TableCell> cells, String recommended, boolean applies) {
    Row {
      cells = List.copyOf(cells);
    }
  }

  private record Rule(String cells, String recommended) {}

  /** Ruled out where CONNECT has been tried and did not lead there. */
  private static final String TO_PORT = "HTTP-to-port";

  /**
   * The largest number of rows that may apply and are shown; of more none, since too little is
   * known.
   */
  private static final int MOST_THAT_APPLY = 2;

  /** Rows in the order of the publication; y yes, n no, - any. */
  private static final List<Rule> PUBLISHED =
      List.of(
          new Rule("yn-y-", "RMI over open ports"),
          new Rule("nyy--", "automatic " + TO_PORT),
          new Rule("nyn--", "forced " + TO_PORT),
          new Rule("y-ynn", "automatic HTTP-to-CGI"),
          new Rule("y-nnn", "forced HTTP-to-CGI"),
          new Rule("y-yny", "automatic HTTP-to-servlet"),
          new Rule("y-nny", "forced HTTP-to-servlet"));

  private static final List<Rule> OURS =
      List.of(
          new Rule("y---", "way=direct: plain RMI; callbacks need ports of this machine open"),
          new Rule("ny--", "way=connect: was HTTP-to-port; callbacks by the gateway"),
          new Rule("nny-", "way=websocket: was HTTP-to-servlet; callbacks, leases, one connection"),
          new Rule("nnny", "way=post: the same where upgrades are refused"),
          new Rule("nnnn", "none: open port 443 to a gateway"));

  DecisionTable {
    columns = List.copyOf(columns);
    here = List.copyOf(here);
    rows = List.copyOf(rows);
    waysHere = List.copyOf(waysHere);
    ways = List.copyOf(ways);
  }

  static DecisionTable of(Observations facts) {
    List<TableCell> here =
        List.of(firewall(facts), proxy(facts), told(facts), ports(facts), gateway(facts));
    List<Way> leading = facts.leading();
    List<TableCell> waysHere = new ArrayList<>();
    for (Way way : Way.values()) {
      waysHere.add(
          leading.isEmpty() && isHidden(facts.result(way))
              ? TableCell.UNKNOWN
              : TableCell.of(leading.contains(way)));
    }
    WayResult connect = facts.result(Way.CONNECT);
    boolean noPort = connect.state() == WayResult.State.FAILS && !isHidden(connect);
    return new DecisionTable(
        COLUMNS,
        here,
        rows(PUBLISHED, here, rule -> !(noPort && rule.recommended().endsWith(TO_PORT))),
        waysHere,
        rows(OURS, waysHere, rule -> true));
  }

  private static TableCell gateway(Observations facts) {
    if (facts.works(Way.WEBSOCKET) || facts.works(Way.POST)) {
      return TableCell.YES;
    }
    return isHidden(facts.result(Way.WEBSOCKET)) || isHidden(facts.result(Way.POST))
        ? TableCell.UNKNOWN
        : TableCell.NO;
  }

  private static boolean isHidden(WayResult result) {
    return result.obstacle().map(Obstacle::hidesTheRest).orElse(false);
  }

  private static TableCell firewall(Observations facts) {
    WayResult direct = facts.result(Way.DIRECT);
    if (direct.isWorking()) {
      return TableCell.of(!facts.leading().contains(Way.DIRECT) && isObjectBehindFirewall(facts));
    }
    Optional<Obstacle> obstacle = direct.obstacle();
    boolean there = facts.registryReachedBy(Way.DIRECT).isPresent();
    return obstacle
        .map(
            seen ->
                seen == Obstacle.UNREACHABLE || (seen.mayBeFirewall() && there)
                    ? TableCell.YES
                    : TableCell.UNKNOWN)
        .orElse(TableCell.UNKNOWN);
  }

  private static boolean isObjectBehindFirewall(Observations facts) {
    return atObject(facts).map(Obstacle::mayBeFirewall).orElse(false);
  }

  /** The obstacle of plain RMI at the object, behind a registry that it reached. */
  private static Optional<Obstacle> atObject(Observations facts) {
    return facts.visit(Way.DIRECT).flatMap(ServerProbe::object).flatMap(ServerProbe.Step::obstacle);
  }

  private static TableCell proxy(Observations facts) {
    boolean none =
        facts.options().config().proxyTowards(facts.options().config().gateways().get(0))
            instanceof ProxySource.None;
    return TableCell.of(!none || facts.result(Way.CONNECT).state() != WayResult.State.NOT_TRIED);
  }

  /**
   * By the HTTP proxy, in an error code that says so: what the publication asks. Where there is
   * none the JDK's tunnels had to go by what the network tells.
   */
  private static TableCell told(Observations facts) {
    if (facts.leading().contains(Way.DIRECT)) {
      return TableCell.ANY;
    }
    WayResult direct = facts.result(Way.DIRECT);
    if (!direct.isWorking() && proxy(facts) == TableCell.YES) {
      return facts
          .result(Way.CONNECT)
          .obstacle()
          .map(DecisionTable::told)
          .orElse(TableCell.UNKNOWN);
    }
    return (direct.isWorking() ? atObject(facts) : direct.obstacle())
        .map(seen -> TableCell.of(seen != Obstacle.SILENCE))
        .orElse(TableCell.UNKNOWN);
  }

  private static TableCell told(Obstacle atProxy) {
    return switch (atProxy) {
      case PROXY_REFUSES -> TableCell.YES;
      case NOT_RMI, BROKEN_OFF, SLOW, SILENCE, PORTAL -> TableCell.NO;
      default -> TableCell.UNKNOWN;
    };
  }

  private static TableCell ports(Observations facts) {
    WayResult direct = facts.result(Way.DIRECT);
    if (direct.isWorking()) {
      return facts.visit(Way.DIRECT).flatMap(ServerProbe::object).isPresent()
          ? TableCell.of(facts.leading().contains(Way.DIRECT))
          : TableCell.UNKNOWN;
    }
    return direct.obstacle().isPresent() ? TableCell.NO : TableCell.UNKNOWN;
  }

  private static List<Row> rows(
      List<Rule> rules, List<TableCell> here, Predicate<Rule> notRuledOut) {
    List<Row> rows = new ArrayList<>();
    for (Rule rule : rules) {
      List<TableCell> cells =
          rule.cells()
              .chars()
              .mapToObj(c -> c == 'y' ? TableCell.YES : c == 'n' ? TableCell.NO : TableCell.ANY)
              .toList();
      boolean applies = notRuledOut.test(rule);
      for (int i = 0; i < cells.size(); i++) {
        applies &= cells.get(i).admits(here.get(i));
      }
      rows.add(new Row(cells, rule.recommended(), applies));
    }
    return rows.stream().filter(Row::applies).count() <= MOST_THAT_APPLY
        ? rows
        : rows.stream().map(row -> new Row(row.cells(), row.recommended(), false)).toList();
  }
}
