package io.rmigate.soap.publish;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

/**
 * All that is published, by path. Can be loaded anew at any time: what has not changed stays, what
 * has is replaced for the calls to come, and calls in flight keep what they began with. May be used
 * by any thread; who calls never waits for who loads.
 */
public final class Publications implements AutoCloseable {

  /**
   * An entry that could not be loaded.
   *
   * @param reason for the operator
   * @param stale whether what was published before at this path still is
   */
  public record Failure(String path, String reason, boolean stale) {}

  /** One user's hold on a publication, which is not closed before its last user has let go. */
  public static final class Use implements AutoCloseable {
    private final Slot slot;
    private final AtomicInteger open = new AtomicInteger(1);

    private Use(Slot slot) {
      this.slot = slot;
    }

    public Publication publication() {
      return slot.publication;
    }

    @Override
    public void close() {
      if (open.getAndSet(0) == 1) {
        slot.release();
      }
    }
  }

  /** A publication with the number of its users, of which being published is one. */
  private static final class Slot {
    final Publication publication;
    final Map<String, Stamp> jars;
    private final AtomicInteger users = new AtomicInteger(1);

    Slot(Publication publication, Map<String, Stamp> jars) {
      this.publication = publication;
      this.jars = jars;
    }

    /** Empty if the last user has just gone. */
    Optional<Use> use() {
      int before = users.getAndUpdate(count -> count == 0 ? 0 : count + 1);
      return before == 0 ? Optional.empty() : Optional.of(new Use(this));
    }

    void release() {
      if (users.decrementAndGet() == 0) {
        publication.close();
      }
    }
  }

  /** By which a jar is recognized as another. */
  private record Stamp(long size, FileTime modified) {}

  /** Held while jars are read; never taken by who calls. */
  private final ReentrantLock loading = new ReentrantLock();

  /** Immutable; replaced under {@link #loading}. */
  private volatile Map<String, Slot> slots = Map.of();

  /**
   * Publishes exactly these entries. One whose jars are not there or damaged, as while they are
   * being copied, leaves in place what its path had.
   *
   * @return the entries that could not be loaded
   */
  public List<Failure> load(List<PublishEntry> entries) {
    loading.lock();
    try {
      Map<String, Slot> before = slots;
      Map<String, Slot> after = new LinkedHashMap<>();
      List<Failure> failures = new ArrayList<>();
      Set<String> seen = new HashSet<>();
      for (PublishEntry entry : entries) {
        String path = entry.path();
        if (!seen.add(path)) {
          failures.add(new Failure(path, "another entry has this path", false));
          continue;
        }
        Slot old = before.get(path);
        try {
          after.put(path, slot(entry, old));
        } catch (NotPublishedException e) {
          failures.add(new Failure(path, e.getMessage(), old != null));
          if (old != null) {
            after.put(path, old);
          }
        }
      }
      slots = after;
      before.values().stream().filter(slot -> !after.containsValue(slot)).forEach(Slot::release);
      return failures;
    } finally {
      loading.unlock();
    }
  }

  private static Slot slot(PublishEntry entry, Slot old) throws NotPublishedException {
    Map<String, Stamp> jars = stamps(entry.jars());
    if (old != null && old.publication.entry().equals(entry) && old.jars.equals(jars)) {
      return old;
    }
    return new Slot(Publication.of(entry), jars);
  }

  /** Taken before the jars are read: one that changes meanwhile counts as changed the next time. */
  private static Map<String, Stamp> stamps(Path directory) throws NotPublishedException {
    Map<String, Stamp> stamps = new TreeMap<>();
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        stamps.put(
            file.getFileName().toString(),
            new Stamp(Files.size(file), Files.getLastModifiedTime(file)));
      }
    } catch (IOException | UncheckedIOException e) {
      throw new NotPublishedException("jars cannot be read: " + e, e);
    }
    return stamps;
  }

  /** The publication at a path; to be closed after use. */
  public Optional<Use> use(String path) {
    // Who finds a slot that was replaced just now looks again, and finds its successor or none.
    while (true) {
      Slot slot = slots.get(path);
      if (slot == null) {
        return Optional.empty();
      }
      Optional<Use> use = slot.use();
      if (use.isPresent()) {
        return use;
      }
    }
  }

  /** All paths, in the order of the entries. */
  public List<String> paths() {
    return List.copyOf(slots.keySet());
  }

  /** Publishes nothing any more. */
  @Override
  public void close() {
    load(List.of());
  }
}
