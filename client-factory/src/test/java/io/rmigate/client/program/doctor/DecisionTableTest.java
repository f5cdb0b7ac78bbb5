package io.rmigate.client.program.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.client.config.Way;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the table concludes from ways that lead nowhere, and what it leaves open. */
class DecisionTableTest {
  private static final int TOLD = 2;
  private static final int WEB_SERVER = 4;

  /** Behind an HTTP proxy; the server's name is unknown here. */
  private static DecisionTable behindProxy(Obstacle ofConnect, Obstacle ofLink) {
    return table(
        List.of("--proxy", "proxy.example:3128"), Obstacle.NAME_UNKNOWN, ofConnect, ofLink);
  }

  private static DecisionTable table(
      List<String> proxy, Obstacle ofDirect, Obstacle ofConnect, Obstacle ofLink) {
    List<String> arguments =
        new ArrayList<>(List.of("rmi://rmi.example/a", "--gateway", "https://gw.example/rmigate"));
    arguments.addAll(proxy);
    return DecisionTable.of(
        new Observations(
            DoctorOptions.parse(arguments, new Properties(), Map.of()),
            List.of(
                fails(Way.DIRECT, ofDirect),
                proxy.isEmpty()
                    ? WayResult.notTried(Way.CONNECT, "no HTTP proxy")
                    : fails(Way.CONNECT, ofConnect),
                fails(Way.WEBSOCKET, ofLink),
                fails(Way.POST, ofLink)),
            List.of(),
            Optional.empty(),
            Optional.empty(),
            new Observations.Trials(Optional.empty(), Optional.empty()),
            false));
  }

  private static WayResult fails(Way way, Obstacle obstacle) {
    return WayResult.fails(way, Duration.ZERO, obstacle, "no");
  }

  private static List<String> marked(List<DecisionTable.Row> rows) {
    return rows.stream()
        .filter(DecisionTable.Row::applies)
        .map(DecisionTable.Row::recommended)
        .toList();
  }

  @Test
  void aLoginThatIsWantedSaysNothingOfWhatIsBehindIt() {
    DecisionTable table = behindProxy(Obstacle.PROXY_LOGIN, Obstacle.PROXY_LOGIN);

    assertThat(table.here().get(TOLD)).isEqualTo(TableCell.UNKNOWN);
    assertThat(table.here().get(WEB_SERVER)).isEqualTo(TableCell.UNKNOWN);
    assertThat(marked(table.rows())).isEmpty();
    assertThat(table.waysHere())
        .containsExactly(TableCell.NO, TableCell.UNKNOWN, TableCell.UNKNOWN, TableCell.UNKNOWN);
    assertThat(marked(table.ways())).isEmpty();
  }

  @Test
  void aProxyThatAnswersInTheServersPlaceTellsNoFailureAndACertificateHidesWhoseItIs() {
    DecisionTable table = behindProxy(Obstacle.NOT_RMI, Obstacle.UNTRUSTED);

    assertThat(table.here().get(TOLD)).isEqualTo(TableCell.NO);
    assertThat(table.here().get(WEB_SERVER)).isEqualTo(TableCell.UNKNOWN);
    assertThat(marked(table.rows()))
        .containsExactly("forced HTTP-to-CGI", "forced HTTP-to-servlet");
    assertThat(table.waysHere())
        .containsExactly(TableCell.NO, TableCell.NO, TableCell.UNKNOWN, TableCell.UNKNOWN);
  }

  @Test
  void aProxyThatRefusesTellsTheFailure() {
    DecisionTable table = behindProxy(Obstacle.PROXY_REFUSES, Obstacle.NO_GATEWAY);

    assertThat(table.here().get(TOLD)).isEqualTo(TableCell.YES);
    assertThat(marked(table.rows())).containsExactly("automatic HTTP-to-CGI");
  }

  @ParameterizedTest
  @EnumSource(names = {"REFUSED", "SILENCE"})
  void whereThereIsNoProxyTheNetworkTellsOrDoesNot(Obstacle ofDirect) {
    DecisionTable table = table(List.of(), ofDirect, null, Obstacle.NO_GATEWAY);

    assertThat(table.here().get(TOLD)).isEqualTo(TableCell.of(ofDirect == Obstacle.REFUSED));
    assertThat(marked(table.rows()))
        .containsExactly(
            ofDirect == Obstacle.REFUSED ? "automatic HTTP-to-CGI" : "forced HTTP-to-CGI");
    assertThat(marked(table.ways())).containsExactly("none: open port 443 to a gateway");
  }

  /** Its registry is reached, the port of its object is not; a gateway is there. */
  @ParameterizedTest
  @EnumSource(names = {"REFUSED", "SILENCE"})
  void whereOnlyTheObjectIsOutOfReachItsPortTellsOrDoesNot(Obstacle atObject) {
    DecisionTable table =
        DecisionTable.of(
            new Observations(
                DoctorOptions.parse(
                    List.of("rmi://rmi.example/a", "--gateway", "https://gw.example/rmigate"),
                    new Properties(),
                    Map.of()),
                List.of(
                    WayResult.works(Way.DIRECT, Duration.ZERO, "yes"),
                    WayResult.notTried(Way.CONNECT, "no HTTP proxy"),
                    WayResult.works(Way.WEBSOCKET, Duration.ZERO, "yes"),
                    WayResult.works(Way.POST, Duration.ZERO, "yes")),
                List.of(
                    new ServerProbe(
                        Way.DIRECT,
                        Optional.of(ServerProbe.Step.done("yes")),
                        List.of(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.of(ServerProbe.Step.failed(atObject, "no")))),
                Optional.empty(),
                Optional.empty(),
                new Observations.Trials(Optional.empty(), Optional.empty()),
                false));

    assertThat(table.here().get(TOLD)).isEqualTo(TableCell.of(atObject == Obstacle.REFUSED));
    assertThat(marked(table.rows()))
        .containsExactly(
            atObject == Obstacle.REFUSED ? "automatic HTTP-to-servlet" : "forced HTTP-to-servlet");
  }
}
