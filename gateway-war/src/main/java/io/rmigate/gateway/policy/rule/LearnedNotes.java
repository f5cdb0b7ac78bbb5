package io.rmigate.gateway.policy.rule;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.rmigate.gateway.quota.Shares;
import io.rmigate.protocol.LogText;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notes of mode {@code learn}, each once, in memory and as lines of JSON in a file of the state
 * directory, which the next start begins with. Bounded: what is seen for the first time beyond the
 * bound is logged once and lost.
 *
 * <p>Thread-safe. {@link #add} never waits: a daemon thread writes, and ends when there has been
 * nothing to write for a while.
 */
public final class LearnedNotes implements LearningLog, AutoCloseable {
  /** The name of the notes' file in the state directory. */
  public static final String FILE = "learned.jsonl";

  private static final Logger LOG = LoggerFactory.getLogger(LearnedNotes.class);
  private static final JsonMapper JSON = JsonMapper.builder().build();
  public static final int MAX_NOTES = 10_000;

  /** The most notes of one principal, so that its notes leave room for those of others. */
  static final int MAX_NOTES_OF_ONE = 4000;

  /**
   * A part of a message that a principal sent to a target.
   *
   * @param rule that would have refused it
   * @param remedy what would allow it; empty where nothing would
   */
  public record Note(
      String principal, String target, Objection.Rule rule, String subject, String remedy) {

    public Note {
      if (Stream.of(principal, target, rule, subject, remedy).anyMatch(Objects::isNull)) {
        throw new IllegalArgumentException("no note: something is missing");
      }
    }
  }

  private static final Comparator<Note> ORDER =
      Comparator.comparing(Note::principal)
          .thenComparing(Note::target)
          .thenComparing(Note::rule)
          .thenComparing(Note::subject)
          .thenComparing(Note::remedy);

  private final Path file;
  private final Set<Note> notes = ConcurrentHashMap.newKeySet();

  /** Notes of each principal. */
  private final Shares<String> ofEach = new Shares<>();

  private final ThreadPoolExecutor writer;

  /** With the notes of earlier starts. Nothing is written before there is a new one. */
  public LearnedNotes(Path state) {
    this.file = state.resolve(FILE);
    try {
      cutTornLine();
      read(file).stream().limit(MAX_NOTES).forEach(this::keep);
    } catch (IOException e) {
      LOG.warn("earlier notes of mode learn cannot be read: {}", e.toString());
    }
    this.writer =
        new ThreadPoolExecutor(
            1,
            1,
            1,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            task -> {
              Thread thread = new Thread(task, "rmigate-learned");
              thread.setDaemon(true);
              return thread;
            });
    writer.allowCoreThreadTimeOut(true);
  }

  /** Removes the incomplete last line of a killed gateway, which would spoil the next line. */
  private void cutTornLine() throws IOException {
    if (Files.exists(file)) {
      byte[] all = Files.readAllBytes(file);
      int end = all.length;
      while (end > 0 && all[end - 1] != '\n') {
        end--;
      }
      if (end < all.length) {
        LOG.warn("the last note in {} is incomplete and was removed", file);
        try (RandomAccessFile torn = new RandomAccessFile(file.toFile(), "rw")) {
          torn.setLength(end);
        }
      }
    }
  }

  @Override
  public void add(String principal, String target, Objection objection) {
    Note note =
        new Note(principal, target, objection.rule(), objection.subject(), objection.remedy());
    if (notes.size() >= MAX_NOTES || isFull(principal) || !keep(note)) {
      return;
    }
    LOG.info(
        "mode learn: noted for {} at {}:" + " {}",
        LogText.of(principal),
        LogText.of(target),
        objection.reason());
    if (notes.size() == MAX_NOTES) {
      LOG.warn("{} notes: nothing more is learnt until {} is deleted", MAX_NOTES, file);
    } else if (isFull(principal)) {
      LOG.warn(
          "{} notes of {}: nothing more is learnt from it until {} is deleted",
          MAX_NOTES_OF_ONE,
          LogText.of(principal),
          file);
    }
    writer.execute(() -> write(note));
  }

  private boolean isFull(String principal) {
    return ofEach.of(principal) >= MAX_NOTES_OF_ONE;
  }

  /** Whether it is new. */
  private boolean keep(Note note) {
    boolean added = notes.add(note);
    if (added) {
      ofEach.takeAnyway(note.principal(), 1);
    }
    return added;
  }

  private void write(Note note) {
    try {
      Files.createDirectories(file.getParent());
      Files.writeString(
          file,
          JSON.writeValueAsString(note) + "\n",
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    } catch (IOException e) {
      LOG.warn("notes of mode learn cannot be written to {}: {}", file, e.getMessage());
    }
  }

  /** All notes so far, by principal and target. */
  public List<Note> notes() {
    return notes.stream().sorted(ORDER).toList();
  }

  /**
   * The note that a line is.
   *
   * @throws IOException it is something else
   */
  public static Note note(JsonNode line) throws IOException {
    Note note = null;
    try {
      note = JSON.treeToValue(line, Note.class);
    } catch (JsonProcessingException other) {
      LOG.debug("no note", other);
    }
    if (note == null) {
      throw new IOException(
          "is no note of mode learn, or one of another version of rmigate: "
              + LogText.brief(line.toString()));
    }
    return note;
  }

  /**
   * The notes in a file, each once.
   *
   * @throws IOException it cannot be read, or is something else
   */
  public static List<Note> read(Path file) throws IOException {
    Set<Note> all = new LinkedHashSet<>();
    try {
      JsonLines.read(file, line -> all.add(note(line)));
    } catch (NoSuchFileException nothingLearnt) {
      return List.of();
    }
    return new ArrayList<>(all);
  }

  /** Writes what is still to be written. */
  @Override
  public void close() {
    writer.shutdown();
    try {
      if (!writer.awaitTermination(5, TimeUnit.SECONDS)) {
        LOG.warn("some notes of mode learn were not written to {}", file);
      }
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    }
  }
}
