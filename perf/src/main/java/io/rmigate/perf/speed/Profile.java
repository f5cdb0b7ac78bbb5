package io.rmigate.perf.speed;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordingFile;

/**
 * Where one JVM spends its time and what it allocates, by JFR's samples. Samples of native methods
 * count threads that wait in them as well as threads that run, so that these are shown apart.
 */
final class Profile {
  private static final int LINES = 14;

  private final Path jdk;
  private final long pid;
  private final Path file;

  private Profile(Path jdk, long pid, Path file) {
    this.jdk = jdk;
    this.pid = pid;
    this.file = file;
  }

  static Profile begin(Path jdk, long pid, Path file) throws IOException {
    Files.deleteIfExists(file);
    Profile profile = new Profile(jdk, pid, file);
    profile.command("JFR.start", "name=speed", "settings=profile");
    return profile;
  }

  /** Ends the recording and returns what it shows. */
  String end() throws IOException {
    command("JFR.stop", "name=speed", "filename=" + file);
    Tally running = new Tally();
    Tally ours = new Tally();
    Tally nativeCode = new Tally();
    Tally allocated = new Tally();
    for (RecordedEvent event : RecordingFile.readAllEvents(file)) {
      if (event.getStackTrace() == null || event.getStackTrace().getFrames().isEmpty()) {
        continue;
      }
      List<RecordedFrame> frames = event.getStackTrace().getFrames();
      switch (event.getEventType().getName()) {
        case "jdk.ExecutionSample" -> {
          running.add(text(frames.get(0)), 1);
          ours.add(firstOutside(frames), 1);
        }
        case "jdk.NativeMethodSample" ->
            nativeCode.add(text(frames.get(0)) + " < " + firstOutside(frames), 1);
        case "jdk.ObjectAllocationSample" ->
            allocated.add(
                event.getClass("objectClass").getName() + " < " + firstOutside(frames),
                event.getLong("weight"));
        default -> {
          // Nothing that is shown.
        }
      }
    }
    return running.show("running, top frame")
        + ours.show("running, first frame outside the JDK")
        + nativeCode.show("in native methods, running or waiting")
        + allocated.show("allocated, class and first frame outside the JDK");
  }

  private static String firstOutside(List<RecordedFrame> frames) {
    return frames.stream()
        .filter(frame -> !isJdk(frame.getMethod()))
        .findFirst()
        .map(Profile::text)
        .orElse("the JDK's own");
  }

  private static boolean isJdk(RecordedMethod method) {
    String type = method.getType().getName();
    return type.startsWith("java.") || type.startsWith("sun.") || type.startsWith("jdk.");
  }

  private static String text(RecordedFrame frame) {
    String type = frame.getMethod().getType().getName();
    return type.substring(type.lastIndexOf('.') + 1)
        + "."
        + frame.getMethod().getName()
        + ":"
        + frame.getLineNumber();
  }

  private void command(String... words) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(jdk.resolve("bin/jcmd").toString(), Long.toString(pid));
    builder.command().addAll(List.of(words));
    Process jcmd = builder.redirectErrorStream(true).start();
    String said = new String(jcmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      if (!jcmd.waitFor(10, TimeUnit.SECONDS) || jcmd.exitValue() != 0) {
        throw new IOException("jcmd " + String.join(" ", words) + ": " + said);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  /** Weights by name. */
  private static final class Tally {
    private final Map<String, Long> weights = new HashMap<>();
    private long sum;

    void add(String name, long weight) {
      weights.merge(name, weight, Long::sum);
      sum += weight;
    }

    String show(String title) {
      StringBuilder text = new StringBuilder("  " + title + ":\n");
      weights.entrySet().stream()
          .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
          .limit(LINES)
          .forEach(
              e ->
                  text.append(
                      String.format(
                          Locale.ROOT,
                          "    %5.1f %%  %s%n",
                          100.0 * e.getValue() / sum,
                          e.getKey())));
      return text.toString();
    }
  }
}
