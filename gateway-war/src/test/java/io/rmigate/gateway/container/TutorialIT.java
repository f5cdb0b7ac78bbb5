package io.rmigate.gateway.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.rmigate.gateway.testing.BuiltArtefacts;
import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.gateway.testing.LeftoverCheck;
import io.rmigate.testing.Tier;
import java.io.File;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The tutorials, in the order in which a reader follows them: each file is written, each command
 * run, and each output compared.
 */
@Tag(Tier.FULL)
@ExtendWith(LeftoverCheck.class)
class TutorialIT {
  private static final Path PAGES = Path.of("../docs/tutorial");
  private static final Duration SOON = Duration.ofMinutes(1);

  /** A command is repeated until its output comes, for the gateway has to see a changed file. */
  private static final int ATTEMPTS = 15;

  /** A block of code, perhaps behind the line that names its file. */
  private static final Pattern BLOCK =
      Pattern.compile("(?m)(?:`([A-Za-z.]+)`[^`\n]*:\n\n)?^```(\\w+)\n((?:.*\n)*?)```$");

  /** First line of commands that a reader gives a terminal of their own. */
  private static final String STAYS = "# stays\n";

  /** Stands on the page for the number of the latest refusal. */
  private static final String NUMBER = "N7K2QX";

  private static final Pattern REFUSED = Pattern.compile("\\[refusal ([A-Z0-9]{6})\\]");
  private static final Pattern READY = Pattern.compile("rmigate ready http://127.0.0.1:(\\d+)/");
  private static final Pattern ANY = Pattern.compile("…");

  private final Map<String, Process> running = new LinkedHashMap<>();
  private Path directory;
  private int registry;
  private String gateway = "0";
  private String refusal = NUMBER;

  @AfterEach
  void stopEverything() throws Exception {
    for (Process process : new ArrayList<>(running.values())) {
      stop(process);
    }
  }

  @Test
  void whatTheTutorialsSayWorks() throws Exception {
    assumeTrue(succeeds("curl", "--version"), "curl is not installed");
    directory = WorkDirectory.empty(BuiltArtefacts.workDirectory(getClass()));
    Files.copy(BuiltArtefacts.war(), directory.resolve("rmigate.war"));
    Files.copy(BuiltArtefacts.javaagent(), directory.resolve("rmigate-client.jar"));
    try (ServerSocket free = new ServerSocket(0)) {
      registry = free.getLocalPort();
    }
    int commands = 0;
    for (String page : List.of("first-call.md", "first-policy.md", "first-soap-client.md")) {
      commands += follow(Files.readString(PAGES.resolve(page)));
    }
    assertThat(commands).isGreaterThan(14);
  }

  /** Does what a page says; returns how many blocks of commands it has. */
  private int follow(String page) throws Exception {
    int commands = 0;
    List<MatchResult> blocks = BLOCK.matcher(page).results().toList();
    for (int i = 0; i < blocks.size(); i++) {
      MatchResult block = blocks.get(i);
      if (block.group(1) != null) {
        Files.writeString(directory.resolve(block.group(1)), here(block.group(3)));
      } else if (block.group(2).equals("sh")) {
        boolean hasOutput = i + 1 < blocks.size() && blocks.get(i + 1).group(2).equals("text");
        run(block.group(3), hasOutput ? blocks.get(i + 1).group(3) : "");
        commands++;
      }
    }
    return commands;
  }

  private void run(String commands, String expected) throws Exception {
    if (commands.startsWith(STAYS)) {
      begin(commands.substring(STAYS.length()), expected);
    } else if (!commands.startsWith("python3 ") || succeeds("python3", "-c", "import zeep")) {
      String output = "";
      for (int i = 0; i < ATTEMPTS; i++) {
        output = end(commands);
        if (isIn(output, expected)) {
          return;
        }
      }
      assertThat(output).as(commands).contains(here(expected));
    }
  }

  /** Starts a program that stays; it takes the place of the one with the same jar or class. */
  private void begin(String command, String expected) throws Exception {
    String program = String.join(" ", List.of(command.split(" ", -1)).subList(0, 3));
    Process former = running.remove(program);
    if (former != null) {
      stop(former);
    }
    if (program.contains("rmigate.war")) {
      gateway = "0";
      Path file = directory.resolve("rmigate.yaml");
      if (Files.exists(file)) {
        Files.writeString(
            file, Files.readString(file).replaceFirst("127.0.0.1:\\d+", "127.0.0.1:0"));
      }
    }
    Path log = directory.resolve("program-" + running.size() + ".log");
    Process process = shell("exec " + here(command)).redirectOutput(log.toFile()).start();
    running.put(program, process);
    await()
        .atMost(SOON)
        .until(() -> !process.isAlive() || isIn(Files.readString(log), portless(expected)));
    assertThat(process.isAlive()).as(() -> command + log).isTrue();
    if (program.contains("rmigate.war")) {
      await().atMost(SOON).until(() -> READY.matcher(Files.readString(log)).find());
      Matcher ready = READY.matcher(Files.readString(log));
      assertThat(ready.find()).isTrue();
      gateway = ready.group(1);
    }
  }

  private static String portless(String expected) {
    return expected.replace("8080", "…");
  }

  private String end(String commands) throws Exception {
    Path log = directory.resolve("command.log");
    Process process = shell(here(commands)).redirectOutput(log.toFile()).start();
    try {
      assertThat(process.waitFor(SOON.toSeconds(), TimeUnit.SECONDS)).as(commands).isTrue();
    } finally {
      process.destroyForcibly();
    }
    String output = Files.readString(log);
    Matcher refused = REFUSED.matcher(output);
    if (refused.find()) {
      refusal = refused.group(1);
    }
    return output;
  }

  private ProcessBuilder shell(String commands) {
    ProcessBuilder shell =
        new ProcessBuilder("bash", "-c", commands)
            .directory(directory.toFile())
            .redirectErrorStream(true);
    shell
        .environment()
        .merge(
            "PATH",
            ChildJvm.jdk().resolve("bin").toString(),
            (old, jdk) -> jdk + File.pathSeparator + old);
    return shell;
  }

  private boolean isIn(String output, String expected) {
    return here(expected)
        .lines()
        .allMatch(line -> ANY.splitAsStream(line).map(String::strip).allMatch(output::contains));
  }

  /** What a page says, with this test's ports and the latest refusal. */
  private String here(String text) {
    return text.replace("1099", Integer.toString(registry))
        .replace("127.0.0.1:8080", "127.0.0.1:" + gateway)
        .replace(NUMBER, refusal);
  }

  private static boolean succeeds(String... command) throws InterruptedException {
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      return process.waitFor() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  private static void stop(Process process) throws InterruptedException {
    process.destroy();
    if (!process.waitFor(SOON.toSeconds(), TimeUnit.SECONDS)) {
      process.destroyForcibly();
    }
  }
}
