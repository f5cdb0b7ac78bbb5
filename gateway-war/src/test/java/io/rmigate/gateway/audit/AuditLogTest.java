package io.rmigate.gateway.audit;

import static io.rmigate.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What is added is in the file, whole, once, in order; or it is counted as lost. */
class AuditLogTest {
  @TempDir Path directory;

  private Path path() {
    return directory.resolve("audit.jsonl");
  }

  private static AuditEntry call(int number) {
    return AuditEntry.of(AuditEvent.CALL, AuditOutcome.RETURNED)
        .with(AuditField.TARGET, "rmi.example:" + number)
        .with(AuditField.METHOD_HASH, 0x0102030405060708L + number);
  }

  private AuditSettings rotating(long bytes, Duration age, int keep) {
    return new AuditSettings(
        path(),
        bytes,
        age,
        keep,
        true,
        Set.of(AuditEvent.values()),
        AuditSettings.WhenFull.CONTINUE);
  }

  private AuditSettings refusing() {
    return new AuditSettings(
        path(),
        Long.MAX_VALUE,
        Duration.ofDays(1),
        1,
        true,
        Set.of(AuditEvent.values()),
        AuditSettings.WhenFull.REFUSE);
  }

  private static void write(AuditSettings settings, int from, int to) throws IOException {
    try (AuditLog log = AuditLog.open(settings)) {
      for (int i = from; i < to; i++) {
        log.add(call(i));
      }
    }
  }

  private static List<String> targets(List<Path> files) throws IOException {
    List<String> targets = new ArrayList<>();
    for (Path file : files) {
      AuditLines.of(AuditEvent.CALL, file).forEach(l -> targets.add(l.get("target").asText()));
    }
    return targets;
  }

  private static List<String> expected(int count) {
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      expected.add("rmi.example:" + i);
    }
    return expected;
  }

  @Test
  void everyEntryIsOneLineInItsOrderBetweenStartAndStop() throws Exception {
    write(AuditLines.everything(path()), 0, 5000);

    List<JsonNode> lines = AuditLines.in(path());
    assertThat(lines).hasSize(5002);
    assertThat(lines.get(0).get("outcome").asText()).isEqualTo("started");
    assertThat(lines.get(5001).get("outcome").asText()).isEqualTo("stopped");
    assertThat(targets(List.of(path()))).isEqualTo(expected(5000));
    assertThat(lines.get(1).get("methodHash").asText()).isEqualTo("0102030405060708");
    for (int i = 0; i < lines.size(); i++) {
      assertThat(lines.get(i).get("number").asLong()).isEqualTo(i + 1L);
    }
  }

  @Test
  void anEntryIsWrittenWithoutWaitingForOthers() throws Exception {
    try (AuditLog log = AuditLog.open(AuditLines.everything(path()))) {
      await().until(() -> log.head().number() == 1);
      log.add(call(0));
      await().until(() -> log.head().number() == 2);
      assertThat(targets(List.of(path()))).containsExactly("rmi.example:0");
    }
  }

  /** By what the documentation says, not by our code. */
  @Test
  void theHashIsThatOfTheOneBeforeAndTheBody() throws Exception {
    write(AuditLines.everything(path()), 0, 3);

    String previous = "0".repeat(64);
    for (String line : Files.readAllLines(path())) {
      int body = line.indexOf(",\"hash\":\"");
      byte[] digest =
          MessageDigest.getInstance("SHA-256")
              .digest((previous + line.substring(0, body)).getBytes(StandardCharsets.UTF_8));
      previous = HexFormat.of().formatHex(digest);
      assertThat(line.substring(body)).isEqualTo(",\"hash\":\"" + previous + "\"}");
    }
  }

  @Test
  void aFileThatIsLargeEnoughIsRotatedAndTheChainGoesOn() throws Exception {
    write(rotating(2000, Duration.ofDays(1), 1000), 0, 100);

    List<Path> files = AuditLines.files(path());
    assertThat(files).hasSizeGreaterThan(10);
    assertThat(targets(files)).isEqualTo(expected(100));
    for (Path file : files) {
      assertThat(Files.size(file)).isLessThan(2000 + 1000);
    }
    for (Path rotated : files.subList(0, files.size() - 1)) {
      List<JsonNode> lines = AuditLines.in(rotated);
      assertThat(rotated.toString())
          .endsWith(".%015d".formatted(lines.get(lines.size() - 1).get("number").asLong()));
    }
    AuditVerifier.Findings findings = AuditVerifier.verify(files);
    assertThat(findings.fault()).isEmpty();
    assertThat(findings.lines()).isEqualTo(100 + 1 + 1 + files.size() - 1);
  }

  @Test
  void aFileThatIsOldEnoughIsRotated() throws Exception {
    write(rotating(Long.MAX_VALUE, Duration.ZERO, 1000), 0, 1);
    write(rotating(Long.MAX_VALUE, Duration.ZERO, 1000), 1, 2);

    List<Path> files = AuditLines.files(path());
    assertThat(files).hasSizeGreaterThanOrEqualTo(2);
    assertThat(targets(files)).isEqualTo(expected(2));
    assertThat(AuditVerifier.verify(files).fault()).isEmpty();
  }

  @Test
  void aFileThatWasBegunByAClockThatWasAheadIsRotatedWhenItIsOld() throws Exception {
    write(AuditLines.everything(path()), 0, 1);
    Files.writeString(
        path(), Files.readString(path()).replaceFirst("\"time\":\"20", "\"time\":\"29"));
    write(rotating(Long.MAX_VALUE, Duration.ZERO, 1000), 1, 2);

    assertThat(AuditLines.files(path())).hasSizeGreaterThanOrEqualTo(2);
  }

  @Test
  void onlySoManyRotatedFilesAreKept() throws Exception {
    write(rotating(2000, Duration.ofDays(1), 3), 0, 100);

    List<Path> files = AuditLines.files(path());
    assertThat(files).hasSize(4);
    AuditVerifier.Findings findings = AuditVerifier.verify(files);
    assertThat(findings.fault()).isEmpty();
    assertThat(findings.firstNumber()).isGreaterThan(1);
    assertThat(findings.begins()).isNotEqualTo("0".repeat(64));
  }

  @Test
  void numbersAndChainGoOnAfterARestart() throws Exception {
    write(AuditLines.everything(path()), 0, 2);
    write(AuditLines.everything(path()), 2, 4);

    assertThat(targets(List.of(path()))).isEqualTo(expected(4));
    AuditVerifier.Findings findings = AuditVerifier.verify(List.of(path()));
    assertThat(findings.fault()).isEmpty();
    assertThat(findings.lastNumber()).isEqualTo(8);
  }

  @Test
  void theyGoOnWhenTheProcessDiedRightAfterARotation() throws Exception {
    write(AuditLines.everything(path()), 0, 2);
    new RotatedFiles(path()).add(4);
    write(AuditLines.everything(path()), 2, 3);

    AuditVerifier.Findings findings = AuditVerifier.verify(AuditLines.files(path()));
    assertThat(findings.fault()).isEmpty();
    assertThat(findings.lastNumber()).isEqualTo(7);
  }

  @Test
  void aLineThatWasNeverFinishedIsRemovedAndThatIsSaid() throws Exception {
    write(AuditLines.everything(path()), 0, 1);
    Files.writeString(path(), "{\"number\":4,\"ti", StandardOpenOption.APPEND);
    write(AuditLines.everything(path()), 1, 2);

    assertThat(AuditLines.in(path()).get(3).get("cutBytes").asInt()).isEqualTo(15);
    assertThat(AuditVerifier.verify(List.of(path())).fault()).isEmpty();
    assertThat(targets(List.of(path()))).isEqualTo(expected(2));
  }

  @Test
  void aFileOfSomebodyElseIsNeitherWrittenNorEmptied() throws Exception {
    Files.writeString(path(), "root:x:0:0:root:/root:/bin/bash\n");

    assertThatThrownBy(() -> AuditLog.open(AuditLines.everything(path())))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("is not an audit of this gateway");
    assertThat(path()).hasContent("root:x:0:0:root:/root:/bin/bash\n");
  }

  @Test
  void twoGatewaysDoNotWriteOneFile() throws Exception {
    try (AuditLog first = AuditLog.open(AuditLines.everything(path()))) {
      assertThatThrownBy(() -> AuditLog.open(AuditLines.everything(path())))
          .hasMessageContaining("is written by another");
      first.add(call(0));
    }
    assertThat(targets(List.of(path()))).hasSize(1);
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void onlyItsOwnerWritesTheFile() throws Exception {
    write(AuditLines.everything(path()), 0, 1);

    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path())))
        .matches("rw-[r-]-----");
  }

  @Test
  void aFileThatWasMovedAwayIsMadeAnewAndTheChainGoesOn() throws Exception {
    Path moved = directory.resolve("taken-by-logrotate");
    try (AuditLog log = AuditLog.open(AuditLines.everything(path()))) {
      log.add(call(0));
      await().until(() -> log.head().number() == 2);
      Files.move(path(), moved);
      await() // it looks once a second at most
          .until(
              () -> {
                log.add(call(1));
                return Files.exists(path());
              });
    }
    AuditVerifier.Findings findings = AuditVerifier.verify(List.of(moved, path()));
    assertThat(findings.fault()).isEmpty();
  }

  /** As logrotate does with {@code copytruncate}. */
  @Test
  void aFileThatWasCopiedAndEmptiedIsBegunAnewAndTheChainGoesOn() throws Exception {
    Path copy = directory.resolve("taken-by-logrotate");
    try (AuditLog log = AuditLog.open(AuditLines.everything(path()))) {
      log.add(call(0));
      await().until(() -> log.head().number() == 2);
      Files.copy(path(), copy);
      try (FileChannel emptied = FileChannel.open(path(), StandardOpenOption.WRITE)) {
        emptied.truncate(0);
      }
      log.add(call(1));
    }
    assertThat(AuditVerifier.verify(List.of(copy, path())).fault()).isEmpty();
    assertThat(targets(List.of(copy, path()))).isEqualTo(expected(2));
  }

  @Test
  void eventsThatAreNotAskedForAreNotKept() throws Exception {
    AuditSettings some =
        new AuditSettings(
            path(),
            Long.MAX_VALUE,
            Duration.ofDays(1),
            1,
            false,
            Set.of(AuditEvent.LOGIN),
            AuditSettings.WhenFull.CONTINUE);
    try (AuditLog log = AuditLog.open(some)) {
      assertThat(log.records(AuditEvent.CALL)).isFalse();
      log.add(call(0));
      log.add(AuditEntry.of(AuditEvent.LOGIN, AuditOutcome.ACCEPTED));
    }
    assertThat(AuditLines.in(path()))
        .extracting(line -> line.get("event").asText())
        .containsExactly("audit", "login", "audit");
    assertThat(AuditLines.in(path())).noneMatch(line -> line.has("hash") || line.has("previous"));
    assertThat(AuditVerifier.verify(List.of(path())).unchained()).isEqualTo(3);
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void whileTheDiskIsFullWorkGoesOnAndWhatIsLostIsCountedAndSaid() throws Exception {
    Files.createSymbolicLink(path(), Path.of("/dev/full"));
    try (AuditLog log = AuditLog.open(AuditLines.everything(path()), 10)) {
      for (int i = 0; i < 100; i++) {
        log.add(call(i));
      }
      await().until(() -> log.head().lost() >= 80 && log.head().number() == 0);
      assertThat(log.refusesWork()).isFalse();
      Files.delete(path()); // there is room again
      await().until(() -> log.head().number() > 0);
    }
    List<JsonNode> lines = AuditLines.in(path());
    long told =
        lines.stream()
            .filter(line -> line.get("outcome").asText().equals("lost"))
            .mapToLong(line -> line.get("lines").asLong())
            .sum();
    assertThat(told + targets(List.of(path())).size()).isEqualTo(100);
    assertThat(AuditVerifier.verify(List.of(path())).fault()).isEmpty();
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void whileTheDiskIsFullWhoIsShutOutTakesNoMoreThanHalfTheRoomOfWhatWasDone() throws Exception {
    Files.createSymbolicLink(path(), Path.of("/dev/full"));
    try (AuditLog log = AuditLog.open(AuditLines.everything(path()), 10)) {
      await().until(() -> log.head().number() == 0);
      for (int i = 0; log.head().lost() == 0; i++) {
        assertThat(i).isLessThan(100_000);
        log.addLeast(call(1000 + i));
      }
      long lost = log.head().lost();
      for (int i = 0; i < 4; i++) {
        log.add(call(i));
      }
      assertThat(log.head().lost()).isEqualTo(lost);
      Files.delete(path());
      await().until(() -> log.head().number() > 0);
    }
    assertThat(targets(List.of(path()))).endsWith(expected(4).toArray(String[]::new));
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void whileTheDiskIsFullNothingNewIsLetInIfThatIsAskedFor() throws Exception {
    Files.createSymbolicLink(path(), Path.of("/dev/full"));
    try (AuditLog log = AuditLog.open(refusing())) {
      await().until(log::refusesWork);
      Files.delete(path());
      await().until(() -> !log.refusesWork());
    }
    assertThat(AuditVerifier.verify(List.of(path())).fault()).isEmpty();
  }

  /** Has no room for one entry, which it is slow to say: meanwhile all others are written. */
  private static final class SlowToRefuse extends ArrayBlockingQueue<AuditEntry> {
    private static final long serialVersionUID = 1L;
    private final AtomicReference<Runnable> meanwhile = new AtomicReference<>();

    SlowToRefuse() {
      super(10);
    }

    @Override
    public boolean offer(AuditEntry entry) {
      Runnable first = meanwhile.getAndSet(null);
      if (first == null) {
        return super.offer(entry);
      }
      first.run();
      return false;
    }
  }

  @Test
  void whoFindsNoRoomWhileItIsBeingMadeKeepsNobodyOutForGood() throws Exception {
    Set<Thread> before = Thread.getAllStackTraces().keySet();
    SlowToRefuse queue = new SlowToRefuse();
    try (AuditLog log = AuditLog.open(refusing(), queue)) {
      Thread writer =
          Thread.getAllStackTraces().keySet().stream()
              .filter(thread -> thread.getName().equals("rmigate-audit"))
              .filter(thread -> !before.contains(thread))
              .findFirst()
              .orElseThrow();
      queue.meanwhile.set(
          () ->
              await().until(() -> writer.getState() == Thread.State.WAITING)); // has nothing to do
      log.add(call(0));

      await().until(() -> !log.refusesWork());
      await().until(() -> log.head().number() == 2); // and says by itself what was lost
      assertThat(AuditLines.in(path()).get(1).get("lines").asInt()).isEqualTo(1);
    }
  }

  /** A text that cannot be made for want of memory, once. */
  private static final class Large {
    private boolean tried;

    @Override
    public String toString() {
      if (!tried) {
        tried = true;
        throw new OutOfMemoryError("of a test");
      }
      return "large";
    }
  }

  @Test
  void wantOfMemoryEndsNoAudit() throws Exception {
    try (AuditLog log = AuditLog.open(AuditLines.everything(path()))) {
      log.add(call(0).with(AuditField.NAME, new Large()));
      await().until(() -> log.head().number() == 2);
    }
    assertThat(AuditLines.in(path()).get(1).get("name").asText()).isEqualTo("large");
  }

  /** An object whose text can never be made. */
  private static final class Unmade {
    @Override
    public String toString() {
      throw new IllegalStateException("of a test");
    }
  }

  @Test
  void anEntryOfWhichNoLineCanBeMadeIsLostAndCountedAndHindersNoOther() throws Exception {
    try (AuditLog log = AuditLog.open(AuditLines.everything(path()))) {
      log.add(call(0));
      log.add(call(7).with(AuditField.NAME, new Unmade()));
      log.add(call(1));
      await().until(() -> log.head().number() == 4); // with the one that says what was lost
      assertThat(log.head().lost()).isEqualTo(1);
      assertThat(log.refusesWork()).isFalse();
    }
    assertThat(targets(List.of(path()))).isEqualTo(expected(2));
    assertThat(AuditLines.in(path()))
        .extracting(line -> line.get("outcome").asText())
        .containsExactly("started", "returned", "returned", "lost", "stopped");
    assertThat(AuditLines.in(path()).get(3).get("lines").asInt()).isEqualTo(1);
    assertThat(AuditVerifier.verify(List.of(path())).fault()).isEmpty();
  }

  /** Cost of an entry for the thread of a call; counted in bytes, because times vary. */
  @Test
  void anEntryCostsItsThreadLittle() throws Exception {
    com.sun.management.ThreadMXBean threads =
        (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    try (AuditLog log = AuditLog.open(AuditLines.everything(path()))) {
      for (int i = 0; i < 1000; i++) {
        log.add(call(i)); // the first ones pay for classes
      }
      long before = threads.getCurrentThreadAllocatedBytes();
      for (int i = 0; i < 1000; i++) {
        log.add(call(i));
      }
      assertThat((threads.getCurrentThreadAllocatedBytes() - before) / 1000).isLessThan(2048);
    }
  }

  @Test
  void nothingIsLeftWhenItIsClosed() throws Exception {
    Set<Thread> before = Thread.getAllStackTraces().keySet();
    write(AuditLines.everything(path()), 0, 1);

    assertThat(Thread.getAllStackTraces().keySet())
        .filteredOn(thread -> thread.getName().equals("rmigate-audit"))
        .isSubsetOf(before);
  }
}
