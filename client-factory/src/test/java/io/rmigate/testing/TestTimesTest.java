package io.rmigate.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.testing.TestTimes.Activity;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

class TestTimesTest {
  private static final long MILLI = 1_000_000;

  @TempDir Path directory;

  /** Run by the tests of the listener only, since nested static classes are no test classes. */
  static class Sample {
    @Test
    void startsTwoJvmsAndWaits() {
      TestTimes.countJvm();
      TestTimes.countJvm();
      TestTimes.add(Activity.KEY_GENERATION, System.nanoTime());
      int[] looks = {0};
      Patience.await().until(() -> ++looks[0] > 1);
    }

    @Nested
    class Inner {
      @Test
      void startsOneMore() {
        TestTimes.countJvm();
      }
    }
  }

  private List<String> columnsOfSample() throws Exception {
    Path file = directory.resolve("times").resolve("fork-1.tsv");
    LauncherFactory.create(
            LauncherConfig.builder().enableTestExecutionListenerAutoRegistration(false).build())
        .execute(
            LauncherDiscoveryRequestBuilder.request()
                .selectors(DiscoverySelectors.selectClass(Sample.class))
                .build(),
            new TestTimesListener(file));
    List<String> lines = Files.readAllLines(file);
    assertThat(lines).hasSize(1);
    return List.of(lines.get(0).split("\t", -1));
  }

  @Test
  void recordsOneLineForATestClassAndItsNestedOnes() throws Exception {
    List<String> columns = columnsOfSample();

    assertThat(columns).hasSize(6 + 2 * Activity.values().length);
    assertThat(columns.get(0)).isEqualTo(Sample.class.getName());
    assertThat(columns.subList(1, columns.size())).allMatch(column -> column.matches("\\d+"));
    assertThat(columns.get(5)).as("JVMs").isEqualTo("3");
    assertThat(columns.get(9)).as("generations of keys").isEqualTo("1");
    assertThat(columns.get(15)).as("waits").isEqualTo("1");
  }

  @Test
  void returnsToTheRecordOfTheClassThatRanTheOther() throws Exception {
    TestTimes mine = new TestTimes(System.nanoTime());
    TestTimes before = TestTimes.replace(mine);
    try {
      columnsOfSample();
      TestTimes.countJvm();
    } finally {
      TestTimes.replace(before);
    }

    assertThat(mine.line()).startsWith("1\t");
  }

  @Test
  void isFoundByJUnit() {
    assertThat(ServiceLoader.load(TestExecutionListener.class))
        .hasAtLeastOneElementOfType(TestTimesListener.class);
  }

  @Test
  void addsSpansOfAnActivity() {
    TestTimes times = new TestTimes(0);
    times.add(Activity.WAITING, 0, 3 * MILLI);
    times.add(Activity.WAITING, 5 * MILLI, 9 * MILLI);

    assertThat(times.line()).isEqualTo("0\t0\t0\t0\t0\t0\t0\t0\t0\t7\t2");
  }

  @Test
  void countsAnInstantOfSpansThatOverlapOnce() {
    TestTimes times = new TestTimes(0);
    times.add(Activity.JVM_START, 0, 6 * MILLI);
    times.add(Activity.JVM_START, 2 * MILLI, 8 * MILLI);

    assertThat(times.line()).isEqualTo("0\t0\t0\t0\t0\t0\t0\t8\t2\t0\t0");
  }

  @Test
  void countsAnInstantOfTwoActivitiesForTheMoreSpecificOne() {
    TestTimes times = new TestTimes(0);
    times.add(Activity.WAITING, 0, 20 * MILLI);
    times.add(Activity.JVM_START, 5 * MILLI, 15 * MILLI);
    times.add(Activity.WAR_UNPACKING, 10 * MILLI, 12 * MILLI);

    assertThat(times.line()).isEqualTo("0\t2\t1\t0\t0\t0\t0\t8\t1\t10\t1");
  }

  @Test
  void leavesOutWhatWasBeforeTheClass() {
    TestTimes times = new TestTimes(10 * MILLI);
    times.add(Activity.CONTAINER_START, 4 * MILLI, 12 * MILLI);

    assertThat(times.line()).isEqualTo("0\t0\t0\t0\t0\t2\t1\t0\t0\t0\t0");
  }

  @Test
  void readsTheTimeOfUnpackingFromTheFiles() throws Exception {
    long end = System.currentTimeMillis() - 1_000;
    Path unpacked = Files.createDirectories(directory.resolve("rmigate-1"));
    Path library = unpacked.resolve("WEB-INF/lib/a.jar");
    Files.createDirectories(library.getParent());
    Files.writeString(library, "");
    Files.writeString(unpacked.resolve("pid"), "1");
    for (Path each : List.of(library, library.getParent(), library.getParent().getParent())) {
      Files.setLastModifiedTime(each, FileTime.fromMillis(end));
    }
    Files.setLastModifiedTime(unpacked.resolve("pid"), FileTime.fromMillis(end - 700));
    TestTimes mine = new TestTimes(System.nanoTime() - 60_000 * MILLI);
    TestTimes before = TestTimes.replace(mine);
    try {
      TestTimes.addWarUnpacking(directory);
    } finally {
      TestTimes.replace(before);
    }

    assertThat(mine.line()).startsWith("0\t700\t1\t0");
  }
}
