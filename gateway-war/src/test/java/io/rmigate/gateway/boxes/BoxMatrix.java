package io.rmigate.gateway.boxes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import io.rmigate.gateway.boxes.Outcome.Verdict;
import io.rmigate.gateway.container.WorkDirectory;
import io.rmigate.gateway.testing.BuiltArtefacts;
import io.rmigate.gateway.testing.LeftoverCheck;
import io.rmigate.gateway.testing.NetworkNamespace;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Every box in every mode, each with a client of its own that finds its way by itself ({@code
 * way=auto}); several at a time, since most of their time they rest. Not part of the usual run:
 * {@code deploy/matrix} starts it, and prints its table. A cell that is not there says why.
 *
 * <p>{@code -Drmigate.matrix.only=TEXT} leaves the cells in whose names that stands. With {@code
 * -Drmigate.matrix.strict=true} it is a failure that something is not installed, but for the
 * packages of {@code -Drmigate.matrix.without=LIST}.
 */
@ExtendWith(LeftoverCheck.class)
@TestInstance(Lifecycle.PER_CLASS)
class BoxMatrix {
  /** Boxes that cut idle connections do it after so long. */
  static final Duration CUT = Duration.ofSeconds(10);

  /** Nothing happens for so long in each cell. */
  private static final Duration IDLE = CUT.multipliedBy(3);

  private static final int AT_A_TIME = Integer.getInteger("rmigate.matrix.parallel", 8);
  private static final String ONLY = System.getProperty("rmigate.matrix.only", "");

  static final Tolerance TOLERANCE = Tolerance.ofProperties();

  private static final List<Box> BOXES =
      List.of(
          new NginxBox(),
          new HaproxyBox(),
          new HttpdBox(),
          new SquidBox(),
          new TinyproxyBox(),
          new HttpdForwardBox(),
          new LittleProxyBox());

  private final Map<String, Future<Outcome>> running = new LinkedHashMap<>();
  private Path directory;
  private BoxBed bed;
  private WalledBed walled;
  private ExecutorService travellers;

  @BeforeAll
  void startInside() throws Exception {
    directory = WorkDirectory.empty(BuiltArtefacts.workDirectory(getClass()));
    travellers = Executors.newFixedThreadPool(AT_A_TIME);
    startBoxes();
    startWalls();
  }

  private void startBoxes() throws Exception {
    bed = BoxBed.start(Files.createDirectories(directory.resolve("boxes")));
    for (Box box : BOXES) {
      for (Mode mode : Mode.values()) {
        Cell cell = new Cell(box, mode);
        start(cell.toString(), () -> cell.pass(bed, IDLE));
      }
    }
  }

  private void startWalls() throws Exception {
    Optional<Installed> missing = WalledBed.missing();
    Optional<String> obstacle =
        missing.isPresent() ? Optional.empty() : NetworkNamespace.obstacle();
    if (missing.isEmpty() && obstacle.isEmpty()) {
      walled = WalledBed.start(Files.createDirectories(directory.resolve("walls")));
    }
    for (Wall wall : Wall.values()) {
      Journey journey = new Journey("firewall", wall.toString(), wall.rung(), wall.beatsRarely());
      Optional<Outcome> none =
          missing
              .or(wall::missing)
              .map(journey::notMade)
              .or(() -> obstacle.map(why -> journey.notMade(Verdict.CANNOT_BE, why)));
      start(
          "firewall: " + wall,
          () -> none.isPresent() ? none.get() : walled.pass(wall, journey, IDLE));
    }
  }

  private void start(String name, Callable<Outcome> cell) {
    if (name.contains(ONLY)) {
      running.put(name, travellers.submit(cell));
    }
  }

  @TestFactory
  Stream<DynamicTest> eachBoxLetsClientsThroughInEachMode() {
    assertThat(running).as("the cells in whose names '%s' stands", ONLY).isNotEmpty();
    return running.entrySet().stream()
        .map(cell -> DynamicTest.dynamicTest(cell.getKey(), () -> judge(cell.getValue().get())));
  }

  private static void judge(Outcome outcome) {
    if (TOLERANCE.bears(outcome.verdict())) {
      abort(outcome.remark());
    }
    assertThat(outcome.verdict()).as(outcome.remark()).isEqualTo(Verdict.PASSED);
    assertThat(outcome.rung()).contains(outcome.journey().expected());
  }

  @AfterAll
  void report() throws Exception {
    try {
      if (travellers != null) {
        travellers.shutdown();
        List<Outcome> outcomes = new ArrayList<>();
        for (Future<Outcome> each : running.values()) {
          outcomes.add(each.get());
        }
        MatrixReport report = new MatrixReport(outcomes);
        Path table = Path.of(System.getProperty("rmigate.matrix.table", directory.toString()));
        report.writeTo(Files.createDirectories(table));
        System.out.println(report.table());
      }
    } finally {
      if (walled != null) {
        walled.close();
      }
      if (bed != null) {
        bed.close();
      }
    }
  }
}
