package io.rmigate.gateway.audit;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Deque;
import java.util.Iterator;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Appends entries to the file: numbers and chains them, rotates, and goes on where the run before
 * has ended. What could not be written whole is not there at all. Of one thread at a time; blocks.
 */
final class AuditFile implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(AuditFile.class);

  /** No entry is added to a write that has this number of bytes or more. */
  private static final int CHUNK_BYTES = 256 * 1024;

  /** Whether the file is still there, or may be rotated, is found out so often at most. */
  private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final long AGAIN_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final Path path;
  private final boolean chain;
  private final RotatedFiles rotated;

  /** The channel to the file; null while the file cannot be written. */
  private FileChannel channel;

  private Object key;
  private boolean regular;
  private long size;
  private long firstMillis;
  private long number;
  private String hash = HashChain.NONE;
  private long cutBytes;
  private long lookedNanos = System.nanoTime();

  /** The line that has to stand before all others; null when it has been written. */
  private AuditOutcome beginning = AuditOutcome.STARTED;

  /** The time of the failed rotation; meaningful only while {@link #rotationFailed}. */
  private long rotationFailedNanos;

  private boolean rotationFailed;

  /** Entries that could not be encoded since the count was last read. */
  private long unmade;

  private long unmadeToldNanos;
  private boolean unmadeTold;

  private AuditFile(Path path, boolean chain) {
    this.path = path;
    this.chain = chain;
    this.rotated = new RotatedFiles(path);
  }

  /**
   * Opens it, and finds out where the lines before have ended.
   *
   * @throws IOException the file cannot be written, another process writes it, or it is no audit
   */
  static AuditFile open(Path path, boolean chain) throws IOException {
    AuditFile file = new AuditFile(path, chain);
    try {
      Files.createDirectories(path.toAbsolutePath().getParent());
      file.openChannel();
      file.goOn();
    } catch (FileSystemException e) {
      file.close();
      throw new IOException(
          path + " cannot be written: " + Objects.requireNonNullElse(e.getReason(), e.toString()),
          e);
    } catch (IOException e) {
      file.close();
      throw e;
    }
    return file;
  }

  private void openChannel() throws IOException {
    Set<OpenOption> options =
        Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE);
    boolean posix = path.getFileSystem().supportedFileAttributeViews().contains("posix");
    FileAttribute<?>[] attributes =
        posix
            ? new FileAttribute<?>[] {
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-r-----"))
            }
            : new FileAttribute<?>[0];
    FileChannel opened = FileChannel.open(path, options, attributes);
    try {
      BasicFileAttributes found = Files.readAttributes(path, BasicFileAttributes.class);
      if (found.isRegularFile() && opened.tryLock() == null) {
        throw new IOException(path + " is written by another process");
      }
      regular = found.isRegularFile();
      key = found.fileKey();
      channel = opened;
    } catch (OverlappingFileLockException e) {
      opened.close();
      throw new IOException(path + " is written by another gateway of this process", e);
    } catch (IOException e) {
      opened.close();
      throw e;
    }
  }

  /** Behind the last whole line of this file, else of the newest that was rotated. */
  private void goOn() throws IOException {
    if (!regular) {
      return;
    }
    FileEnds ends = FileEnds.read(channel, path);
    cutBytes = channel.size() - ends.wholeBytes();
    size = ends.wholeBytes();
    channel.truncate(size);
    if (ends.last() != null) {
      firstMillis = ends.first().time().toEpochMilli();
      goOnBehind(ends.last());
      return;
    }
    Optional<Path> before = rotated.newest();
    if (before.isPresent()) {
      try (FileChannel old = FileChannel.open(before.get(), StandardOpenOption.READ)) {
        WrittenLine last = FileEnds.read(old, before.get()).last();
        if (last != null) {
          goOnBehind(last);
        }
      }
    }
  }

  private void goOnBehind(WrittenLine last) {
    number = last.number();
    hash = last.hash() == null ? HashChain.NONE : last.hash();
  }

  private AuditEntry beginningLine() {
    AuditEntry entry = AuditEntry.of(AuditEvent.AUDIT, beginning);
    if (chain) {
      entry.with(AuditField.PREVIOUS, hash);
    }
    return cutBytes == 0 ? entry : entry.with(AuditField.CUT_BYTES, cutBytes);
  }

  /**
   * Appends entries and removes them from the queue. It also removes entries that cannot be
   * encoded; {@link #takeUnmade} has their number.
   *
   * @throws IOException the entries that are left could not be written; the next attempt begins
   *     with them
   */
  void append(Deque<AuditEntry> entries, AuditSettings settings) throws IOException {
    try {
      lookAfterFile();
      while (beginning != null || !entries.isEmpty()) {
        if (isDue(settings)) {
          rotate(settings);
        }
        appendSome(entries, settings.rotateBytes());
      }
    } catch (IOException e) {
      giveUp();
      throw e;
    }
  }

  /**
   * Opens the file again if it was moved or deleted, so that its lines would be lost, or truncated,
   * as logrotate's copytruncate does, so that the next line would leave a hole.
   */
  private void lookAfterFile() throws IOException {
    long now = System.nanoTime();
    if (channel != null && regular && now - lookedNanos > LOOK_NANOS) {
      lookedNanos = now;
      if (!isThere()) {
        closeChannel();
      }
    }
    if (channel != null && regular && channel.size() < size) {
      closeChannel();
    }
    if (channel != null) {
      return;
    }
    openChannel();
    if (regular && size > 0 && channel.size() >= size && number == lastNumber()) {
      return;
    }
    if (regular && channel.size() > 0) {
      size = FileEnds.read(channel, path).wholeBytes();
      channel.truncate(size);
    } else {
      size = 0;
    }
    begins();
  }

  /** Makes the first line of this file state which file it continues. */
  private void begins() {
    if (beginning == null) {
      beginning = AuditOutcome.ROTATED;
    }
  }

  /** The number of the last line, once an unfinished write is cut off; 0 when there is no line. */
  private long lastNumber() throws IOException {
    if (channel.size() > size) {
      channel.truncate(size);
    }
    WrittenLine last = FileEnds.read(channel, path).last();
    return last == null ? 0 : last.number();
  }

  private boolean isThere() throws IOException {
    try {
      return Objects.equals(key, Files.readAttributes(path, BasicFileAttributes.class).fileKey());
    } catch (NoSuchFileException gone) {
      return false;
    }
  }

  private boolean isDue(AuditSettings settings) {
    long now = System.currentTimeMillis();
    firstMillis = Math.min(firstMillis, now); // by a clock that was ahead it would stay for years
    return regular
        && size > 0
        && beginning == null
        && (!rotationFailed || System.nanoTime() - rotationFailedNanos > AGAIN_NANOS)
        && (size >= settings.rotateBytes()
            || Duration.ofMillis(now - firstMillis).compareTo(settings.rotateAge()) >= 0);
  }

  private void rotate(AuditSettings settings) throws IOException {
    channel.force(true);
    closeChannel();
    try {
      rotated.add(number);
      LOG.info("audit: {} was rotated, its last line is {} with hash {}", path, number, hash);
    } catch (IOException e) {
      // Better in one large file than nowhere.
      rotationFailed = true;
      rotationFailedNanos = System.nanoTime();
      LOG.error(
          "audit: {} cannot be rotated ({}); the file grows beyond its limit", path, e.toString());
      openChannel();
      return;
    }
    rotationFailed = false;
    size = 0;
    begins();
    openChannel();
    try {
      rotated.prune(settings.keep());
    } catch (IOException e) {
      LOG.warn("audit: old files beside {} cannot be deleted: {}", path, e.toString());
    }
  }

  private void appendSome(Deque<AuditEntry> entries, long rotateBytes) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(16 * 1024);
    long lastNumber = number;
    String lastHash = hash;
    int taken = 0;
    if (beginning != null) {
      lastHash = encode(bytes, ++lastNumber, beginningLine(), lastHash);
    }
    Iterator<AuditEntry> all = entries.iterator();
    while (all.hasNext() && bytes.size() < CHUNK_BYTES && size + bytes.size() < rotateBytes) {
      AuditEntry entry = all.next();
      try {
        lastHash = encode(bytes, lastNumber + 1, entry, lastHash);
        lastNumber++;
        taken++;
      } catch (RuntimeException e) {
        all.remove(); // tried again it would be in the way of all others for good
        unmade(entry, e);
      }
    }
    write(ByteBuffer.wrap(bytes.toByteArray()));
    if (size == 0) {
      firstMillis = System.currentTimeMillis();
    }
    size += bytes.size();
    number = lastNumber;
    hash = lastHash;
    beginning = null;
    cutBytes = 0;
    for (int i = 0; i < taken; i++) {
      entries.remove();
    }
  }

  private void unmade(AuditEntry entry, RuntimeException why) {
    unmade++;
    long now = System.nanoTime();
    if (!unmadeTold || now - unmadeToldNanos > AGAIN_NANOS) {
      unmadeTold = true;
      unmadeToldNanos = now;
      LOG.error(
          "audit: an entry about {} cannot be written as JSON and is lost", entry.event(), why);
    }
  }

  /**
   * How many entries were lost since the last time this was asked, as no line can be made of them.
   */
  long takeUnmade() {
    long count = unmade;
    unmade = 0;
    return count;
  }

  /** Adds a line, or nothing where it throws; its hash, or what it was before without a chain. */
  private String encode(
      ByteArrayOutputStream bytes, long lineNumber, AuditEntry entry, String before) {
    byte[] line = AuditLine.encode(lineNumber, entry);
    if (!chain) {
      bytes.writeBytes(line);
      bytes.write('\n');
      return before;
    }
    int body = line.length - 1; // the closing brace comes behind the hash
    String after = HashChain.hash(before, line, body);
    bytes.write(line, 0, body);
    bytes.writeBytes(HashChain.tail(after));
    bytes.write('\n');
    return after;
  }

  private void write(ByteBuffer bytes) throws IOException {
    long at = size;
    while (bytes.hasRemaining()) {
      at += regular ? channel.write(bytes, at) : channel.write(bytes);
    }
  }

  /** Takes back what was begun, and lets go of the file: it may be another one next time. */
  private void giveUp() {
    if (channel != null && regular) {
      try {
        channel.truncate(size);
      } catch (IOException e) {
        LOG.debug("audit: {} cannot be cut", path, e); // tried again when it is opened next
      }
    }
    closeChannel();
  }

  private void closeChannel() {
    FileChannel closing = channel;
    channel = null;
    if (closing != null) {
      try {
        closing.close();
      } catch (IOException e) {
        LOG.debug("audit: {} cannot be closed", path, e);
      }
    }
  }

  /** Number of the line written last. */
  long number() {
    return number;
  }

  /** Hash of the line written last; {@link HashChain#NONE} without a chain. */
  String hash() {
    return hash;
  }

  @Override
  public void close() {
    if (channel != null) {
      try {
        channel.force(true);
      } catch (IOException e) {
        LOG.debug("audit: {} cannot be forced out", path, e);
      }
    }
    closeChannel();
  }
}
