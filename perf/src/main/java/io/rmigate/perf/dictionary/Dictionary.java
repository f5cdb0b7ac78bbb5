package io.rmigate.perf.dictionary;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import java.util.zip.Deflater;

/** The dictionary command; started by {@code perf/dictionary}. */
public final class Dictionary {
  /** Twice as much would save another 400 bytes in a session that uses everything in them. */
  static final int SIZE_BYTES = 8 * 1024;

  private Dictionary() {}

  /** Exit codes: 0 done, 1 something failed, 2 wrong usage. */
  public static void main(String[] args) throws Exception {
    if (args.length == 2 && args[0].equals("record")) {
      Recording recording = Exchanges.record();
      recording.write(Path.of(args[1]));
      System.out.printf("%d messages in %s%n", recording.messages().size(), args[1]);
    } else if (args.length == 3 && args[0].equals("make")) {
      byte[] dictionary = make(Path.of(args[1]));
      Files.write(Path.of(args[2]), dictionary);
      System.out.printf(
          "%d bytes, SHA-256 %s, in %s%n", dictionary.length, sha256(dictionary), args[2]);
    } else if (args.length == 3 && args[0].equals("show")) {
      show(Path.of(args[1]), Files.readAllBytes(Path.of(args[2])));
    } else {
      System.err.println("dictionary: expected record, make or show; see perf/README.md");
      System.exit(2);
    }
    System.exit(0); // RMI's threads would stay
  }

  /** The dictionary that the recordings of a directory make, in the order of their names. */
  static byte[] make(Path recordings) throws IOException {
    List<List<byte[]>> runs = new ArrayList<>();
    for (Path file : files(recordings)) {
      runs.add(LinkBytes.of(Recording.read(file)));
    }
    return new Trainer(runs, SIZE_BYTES).train();
  }

  private static List<Path> files(Path recordings) throws IOException {
    try (Stream<Path> files = Files.list(recordings)) {
      return files.filter(file -> file.toString().endsWith(".gz")).sorted().toList();
    }
  }

  static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException impossible) {
      throw new AssertionError(impossible);
    }
  }

  /** Prints the sizes of the recordings with and without the dictionary, and the dictionary. */
  private static void show(Path recordings, byte[] dictionary) throws IOException {
    System.out.println("bytes of each recording's batches, and deflated, sync flush after each:");
    System.out.printf(
        "%-24s%10s%28s%28s%n", "", "plain", "each with a fresh context", "one context");
    for (Path file : files(recordings)) {
      List<byte[]> batches = LinkBytes.of(Recording.read(file));
      System.out.printf(
          Locale.ROOT,
          "%-24s%10d%14d without%6d with%14d without%6d with%n",
          file.getFileName(),
          batches.stream().mapToInt(batch -> batch.length).sum(),
          deflated(batches, new byte[0], true),
          deflated(batches, dictionary, true),
          deflated(batches, new byte[0], false),
          deflated(batches, dictionary, false));
    }
    System.out.println();
    System.out.println(
        new String(dictionary, StandardCharsets.ISO_8859_1).replaceAll("[^\\x20-\\x7e]", "·"));
  }

  private static int deflated(List<byte[]> batches, byte[] dictionary, boolean afresh) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, true);
    deflater.setDictionary(dictionary);
    byte[] buffer = new byte[64 * 1024];
    for (byte[] batch : batches) {
      if (afresh) {
        deflater.reset();
        deflater.setDictionary(dictionary);
      }
      deflater.setInput(batch);
      int count;
      do {
        count = deflater.deflate(buffer, 0, buffer.length, Deflater.SYNC_FLUSH);
        out.write(buffer, 0, count);
      } while (count == buffer.length);
    }
    deflater.end();
    return out.size() - 4 * batches.size();
  }
}
