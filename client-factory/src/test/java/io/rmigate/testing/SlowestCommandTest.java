package io.rmigate.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code .ci/slowest} on the reports of a build that is made up. */
class SlowestCommandTest {
  private static final Path COMMAND = Path.of("..", ".ci", "slowest").toAbsolutePath().normalize();

  /** Epoch milliseconds, of as many digits as real ones. */
  private static final long BEGUN = 1_795_742_153_711L;

  @TempDir Path checkout;

  private record Run(int status, List<String> lines) {}

  private Run run(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("bash", COMMAND.toString()));
    command.addAll(List.of(arguments));
    command.add(checkout.toString());
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    // Words of a line by single blanks, so that widths of columns do not matter.
    List<String> lines = output.lines().map(line -> line.strip().replaceAll(" +", " ")).toList();
    return new Run(process.waitFor(), lines);
  }

  @BeforeEach
  void needsBash() throws InterruptedException {
    try {
      assumeTrue(new ProcessBuilder("bash", "-c", ":").start().waitFor() == 0, "bash does not run");
    } catch (IOException e) {
      assumeTrue(false, "there is no bash: " + e.getMessage());
    }
  }

  private void report(String directory, String className, String seconds, int tests)
      throws IOException {
    Path reports = Files.createDirectories(checkout.resolve(directory));
    Files.writeString(
        reports.resolve("TEST-" + className + ".xml"),
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuite version="3.0.2" name="%s" time="%s" tests="0" errors="0">
          <properties/>
        %s</testsuite>
        """
            .formatted(
                className,
                seconds,
                ("  <testcase name=\"a\" classname=\"" + className + "\" time=\"1\"/>\n")
                    .repeat(tests)));
  }

  private void record(String module, String... lines) throws IOException {
    Path times = Files.createDirectories(checkout.resolve(module).resolve("target/test-times"));
    Files.write(times.resolve("fork-1.tsv"), List.of(lines));
  }

  private static String line(Object... columns) {
    return String.join("\t", List.of(columns).stream().map(Object::toString).toList());
  }

  /** Three modules; the second has no record. */
  private void build() throws IOException {
    report("war/target/failsafe-reports", "a.FirstIT", "9.5", 3);
    report("war/target/surefire-reports", "a.SecondTest", "4", 1);
    report("war/target/surefire-reports", "a.SecondTest$Inner", "0", 2);
    report("deploy/kit/target/surefire-reports", "b.KitTest", "1,002.25", 1);
    record(
        "war",
        line("a.FirstIT", 1, 99_999, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0), // of a build before
        line("a.SecondTest", BEGUN, 4_000, 3_000, 9_000, 1, 0, 0, 0, 0, 0, 0, 500, 1, 2_500, 7),
        line(
            "a.FirstIT",
            BEGUN + 6_000,
            10_000,
            1_000,
            2_000,
            4,
            700,
            2,
            300,
            1,
            1_000,
            1,
            2_000,
            3,
            1_500,
            9));
  }

  private static List<String> classesOf(Run run) {
    return run.lines().subList(1, run.lines().indexOf("")).stream()
        .map(line -> line.substring(line.lastIndexOf(' ') + 1))
        .toList();
  }

  @Test
  void printsClassesModulesAndIdleTime() throws Exception {
    build();

    assertThat(run())
        .isEqualTo(
            new Run(
                0,
                List.of(
                    "wall tests own children JVMs starts containers unpacking keys waiting rest"
                        + " class",
                    "1002.2 1 - - - - - - - - - b.KitTest",
                    "10.0 3 1.0 2.0 4 2.0 1.0 0.7 0.3 1.5 4.5 a.FirstIT",
                    "4.0 3 3.0 9.0 1 0.5 0.0 0.0 0.0 2.5 1.0 a.SecondTest",
                    "",
                    "wall tests own children JVMs starts containers unpacking keys waiting rest"
                        + " module",
                    "1002.2 1 - - - - - - - - - deploy/kit",
                    "14.0 6 4.0 11.0 5 2.5 1.0 0.7 0.3 4.0 5.5 war",
                    "1016.2 7 4.0 11.0 5 2.5 1.0 0.7 0.3 4.0 1007.8 all",
                    "",
                    "From the first class to the last: 16.0 s of wall time; no test ran for 2.0 s"
                        + " of them.")));
  }

  @Test
  void ordersByWhatIsAskedFor() throws Exception {
    build();

    assertThat(classesOf(run("--by", "cpu"))).startsWith("a.SecondTest", "a.FirstIT");
    assertThat(classesOf(run("--by", "jvms"))).startsWith("a.FirstIT", "a.SecondTest");
    assertThat(classesOf(run("--by=waiting"))).startsWith("a.SecondTest", "a.FirstIT");
  }

  @Test
  void printsFortyClassesUnlessAskedForAll() throws Exception {
    for (int i = 0; i < 42; i++) {
      report("war/target/surefire-reports", "a.C" + i + "Test", "1", 1);
    }
    record("war", line("a.C0Test", 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));

    assertThat(classesOf(run())).hasSize(40);
    assertThat(classesOf(run("--all"))).hasSize(42);
  }

  @Test
  void saysWhatToDoWithoutReports() throws Exception {
    Run run = run();

    assertThat(run.status()).isEqualTo(1);
    assertThat(run.lines())
        .singleElement()
        .asString()
        .startsWith("slowest: no reports in ")
        .endsWith("; run mvn verify first");
  }

  @Test
  void refusesUnknownOptions() throws Exception {
    assertThat(run("--by", "size"))
        .isEqualTo(
            new Run(2, List.of("slowest: --by takes wall, cpu, jvms or waiting, not 'size'")));
    assertThat(run("--slow").status()).isEqualTo(2);
  }
}
