package io.rmigate.gateway.audit;

import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes entries from all threads, and has one of its own that writes them in batches.
 *
 * <pre>
 *   any thread ── offer ──► queue, bounded ──► rmigate-audit ──► AuditFile
 *        │ full: counted                          │ cannot write: keeps what it has, tries again
 *        └──► lost ──────────────────────────────►└──► a line that says how many
 * </pre>
 *
 * <p>The writer gathers for {@link #GATHERING} before it writes, and is woken only when it has had
 * nothing to do: adding an entry while others wait costs no hand-over.
 */
public final class AuditLog implements AuditTrail, Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(AuditLog.class);

  /** Entries that may wait; some hundred bytes each. */
  static final int QUEUE = 16_384;

  /** The largest number of entries in one batch. */
  private static final int BATCH = 1024;

  /** An entry is in the file within about that. */
  private static final Duration GATHERING = Duration.ofMillis(50);

  /** A file that cannot be written is tried again so often. */
  private static final Duration AGAIN = Duration.ofMillis(500);

  private static final Duration LAST_WORDS = Duration.ofSeconds(5);
  private static final long COMPLAINT_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final AuditFile file;
  private final ArrayBlockingQueue<AuditEntry> queue;
  private final LongAdder lost = new LongAdder();
  private final Thread writer;
  private volatile AuditSettings settings;
  private volatile boolean resting;
  private volatile boolean failing;
  private volatile boolean closing;
  private volatile Head head;

  // Confined to the writer.
  private final Deque<AuditEntry> pending = new ArrayDeque<>();
  private long lostTold;
  private boolean broken;
  private long complainedNanos;

  /**
   * What is written up to now.
   *
   * @param number of the last line
   * @param hash of it
   * @param lost lines that could not be kept since the start
   */
  public record Head(long number, String hash, long lost) {}

  private AuditLog(AuditSettings settings, AuditFile file, ArrayBlockingQueue<AuditEntry> queue) {
    this.settings = settings;
    this.file = file;
    this.queue = queue;
    this.head = new Head(file.number(), file.hash(), 0);
    this.writer = new Thread(this::run, "rmigate-audit");
    writer.setDaemon(true);
    writer.start();
  }

  /**
   * Opens the file and begins to write.
   *
   * @throws IOException it cannot be written
   */
  public static AuditLog open(AuditSettings settings) throws IOException {
    return open(settings, QUEUE);
  }

  static AuditLog open(AuditSettings settings, int capacity) throws IOException {
    return open(settings, new ArrayBlockingQueue<>(capacity));
  }

  static AuditLog open(AuditSettings settings, ArrayBlockingQueue<AuditEntry> queue)
      throws IOException {
    return new AuditLog(settings, AuditFile.open(settings.path(), settings.chain()), queue);
  }

  /** Settings for what comes from now on; another path or chain takes effect at the next start. */
  public void settings(AuditSettings next) {
    settings = next;
  }

  @Override
  public boolean records(AuditEvent event) {
    return settings.keeps(event);
  }

  @Override
  public void add(AuditEntry entry) {
    if (!settings.keeps(entry.event())) {
      return;
    }
    if (closing || !queue.offer(entry)) {
      lost.increment();
      failing = true; // the writer may have made room since, and find out that all is well again
    }
    if (resting) {
      resting = false;
      LockSupport.unpark(writer);
    }
  }

  @Override
  public void addLeast(AuditEntry entry) {
    if (queue.remainingCapacity() > queue.size()) {
      add(entry);
    } else if (settings.keeps(entry.event())) {
      lost.increment();
    }
  }

  @Override
  public boolean refusesWork() {
    return failing && settings.whenFull() == AuditSettings.WhenFull.REFUSE;
  }

  /** Lines written since the start of the numbering, and lost since the start of this run. */
  public Head head() {
    Head written = head;
    return new Head(written.number(), written.hash(), lost.sum());
  }

  private void run() {
    try {
      boolean unused = write(); // that it has started
      boolean last;
      do {
        boolean ending = closing; // before the queue is emptied: what was added before is in it
        awaitEntries();
        takeWaiting();
        last = ending && queue.isEmpty();
        if (last) {
          pending.add(AuditEntry.of(AuditEvent.AUDIT, AuditOutcome.STOPPED));
        }
        tellOfLost();
        last |= !write() && ending;
      } while (!last);
    } finally {
      lost.add(pending.size() + queue.size());
      file.close();
    }
  }

  private void awaitEntries() {
    if (broken) {
      LockSupport.parkNanos(this, closing ? 0 : AGAIN.toNanos());
      return;
    }
    boolean rested = false;
    while (hasNothingToDo()) {
      rested = true;
      resting = true;
      if (hasNothingToDo()) {
        LockSupport.park(this);
      }
      resting = false;
    }
    if (!closing && (rested || queue.size() < BATCH)) {
      LockSupport.parkNanos(this, GATHERING.toNanos());
    }
  }

  private boolean hasNothingToDo() {
    return queue.isEmpty() && !closing && !failing && lost.sum() == lostTold;
  }

  private void takeWaiting() {
    List<AuditEntry> batch = new ArrayList<>();
    queue.drainTo(batch, Math.max(0, BATCH - pending.size()));
    pending.addAll(batch);
  }

  /** Where others stand that could be kept, it is said how many could not be. */
  private void tellOfLost() {
    long now = lost.sum();
    if (now == lostTold) {
      return;
    }
    long untold = now - lostTold;
    AuditEntry first = pending.peekFirst();
    if (first != null && first.outcome() == AuditOutcome.LOST) { // could not be written either
      untold += (Long) pending.removeFirst().value(AuditField.LINES);
    }
    pending.addFirst(
        AuditEntry.of(AuditEvent.AUDIT, AuditOutcome.LOST).with(AuditField.LINES, untold));
    lostTold = now;
  }

  private boolean write() {
    try {
      file.append(pending, settings);
      head = new Head(file.number(), file.hash(), 0);
      broken = false;
      if (failing && queue.remainingCapacity() > 0) {
        failing = false;
        if (complainedNanos != 0) {
          complainedNanos = 0;
          LOG.warn("audit: {} can be written again; {} lines were lost", path(), lost.sum());
        }
      }
      return true;
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      failing = true;
      broken = true;
      long now = System.nanoTime();
      if (complainedNanos == 0 || now - complainedNanos > COMPLAINT_NANOS) {
        complainedNanos = now == 0 ? 1 : now;
        LOG.error(
            "audit: {} cannot be written ({}); {} lines are lost so far, {}",
            path(),
            e.toString(),
            lost.sum(),
            settings.whenFull() == AuditSettings.WhenFull.REFUSE
                ? "and nothing new is let in"
                : "and work goes on");
      }
      return false;
    } finally {
      lost.add(file.takeUnmade());
    }
  }

  private Object path() {
    return settings.path();
  }

  /** Writes what has been added, says so in a last line, and ends. */
  @Override
  public void close() {
    closing = true;
    LockSupport.unpark(writer);
    try {
      writer.join(LAST_WORDS.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (writer.isAlive()) {
      LOG.error("audit: {} takes too long; its last lines may be missing", path());
    } else {
      Head end = head();
      LOG.info(
          "audit: stopped with line {}, hash {}, {} lost", end.number(), end.hash(), end.lost());
    }
  }
}
