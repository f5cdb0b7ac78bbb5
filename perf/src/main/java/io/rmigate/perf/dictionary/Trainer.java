package io.rmigate.perf.dictionary;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Chooses a dictionary from the batches of several runs, after the manner of zstd's COVER (Liao,
 * Petri, Moffat, Wirth: Effective construction of relative Lempel-Ziv dictionaries, 2016).
 *
 * <p>A gram is a string of {@link #GRAM_BYTES} bytes. It counts only if it occurs in more than one
 * run: so identifiers, times and other accidents of a run drop out by themselves. Its value grows
 * with the logarithm of the number of batches that it occurs in, since a session's own context
 * learns what is frequent, and the dictionary helps with the first time. Grams that can occur only
 * in these recordings have no value.
 *
 * <p>Again and again the window with the greatest value that is not yet covered is taken, until the
 * size is reached. Windows that touch are joined, and the pieces are put in order of their value by
 * byte, the best at the end, where DEFLATE's distances are shortest.
 *
 * <p>The same batches give the same bytes, on any machine.
 */
final class Trainer {
  private static final int GRAM_BYTES = 8;
  private static final int WINDOW_BYTES = 64;
  private static final double WORTHLESS = -1;

  /**
   * Names of this module, which other programs do not send: classes in descriptors, signatures and
   * stack traces, their files and host; and the version of the recording JDK.
   */
  private static final Pattern OURS =
      Pattern.compile(
          "[L$]?io[./]rmigate[\\w./$;-]*|(?:Failures|SubjectServant)\\.java"
              + "|host\\.example|Subject|\\d+\\.\\d+\\.\\d+");

  /** A part of one batch. */
  private record Piece(int batch, int from, int to, double worth) {}

  private final int sizeBytes;
  private final List<byte[]> batches;

  /** Worth of the gram at each index of each batch: {@link #WORTHLESS}, or 0 once covered. */
  private final List<double[]> worths = new ArrayList<>();

  /** Places of each gram that is worth something. */
  private final Map<String, List<int[]>> places = new HashMap<>();

  /**
   * @param runs batches of at least two runs
   */
  Trainer(List<List<byte[]>> runs, int sizeBytes) {
    this.sizeBytes = sizeBytes;
    this.batches = runs.stream().flatMap(List::stream).toList();
    Map<String, Integer> batchesWith = new HashMap<>();
    Map<String, Integer> runsWith = new HashMap<>();
    for (List<byte[]> run : runs) {
      Set<String> ofRun = new HashSet<>();
      for (byte[] batch : run) {
        Set<String> ofBatch = new HashSet<>();
        for (int at = 0; at + GRAM_BYTES <= batch.length; at++) {
          ofBatch.add(gram(batch, at));
        }
        ofBatch.forEach(gram -> batchesWith.merge(gram, 1, Integer::sum));
        ofRun.addAll(ofBatch);
      }
      ofRun.forEach(gram -> runsWith.merge(gram, 1, Integer::sum));
    }
    for (int i = 0; i < batches.size(); i++) {
      byte[] batch = batches.get(i);
      double[] worth = new double[Math.max(0, batch.length - GRAM_BYTES + 1)];
      boolean[] ours = ours(batch);
      for (int at = 0; at < worth.length; at++) {
        String gram = gram(batch, at);
        if (runsWith.get(gram) == 1 || ours[at]) {
          worth[at] = WORTHLESS;
        } else {
          worth[at] = Math.log(1 + (double) batchesWith.get(gram) / runs.size());
          places.computeIfAbsent(gram, key -> new ArrayList<>()).add(new int[] {i, at});
        }
      }
      worths.add(worth);
    }
  }

  private static String gram(byte[] batch, int at) {
    return new String(batch, at, GRAM_BYTES, StandardCharsets.ISO_8859_1);
  }

  /** Marks the places of grams that would touch a name of ours. */
  private static boolean[] ours(byte[] batch) {
    boolean[] touched = new boolean[batch.length];
    Matcher names = OURS.matcher(new String(batch, StandardCharsets.ISO_8859_1));
    while (names.find()) {
      Arrays.fill(touched, Math.max(0, names.start() - GRAM_BYTES + 1), names.end(), true);
    }
    return touched;
  }

  /** The dictionary, of at most the size asked for. */
  byte[] train() {
    List<Piece> taken = new ArrayList<>();
    int size = 0;
    for (Piece best = best(); best.worth() > 0 && size < sizeBytes; best = best()) {
      cover(best);
      taken.add(best);
      size += best.to() - best.from();
    }
    ByteArrayOutputStream dictionary = new ByteArrayOutputStream();
    for (Piece piece : joined(taken)) {
      dictionary.write(batches.get(piece.batch()), piece.from(), piece.to() - piece.from());
    }
    byte[] all = dictionary.toByteArray();
    return Arrays.copyOfRange(all, Math.max(0, all.length - sizeBytes), all.length);
  }

  /** The window of greatest uncovered worth, without worthless grams; the first of equals. */
  private Piece best() {
    Piece best = new Piece(0, 0, 0, 0);
    for (int i = 0; i < batches.size(); i++) {
      double[] worth = worths.get(i);
      int from = 0;
      double sum = 0;
      for (int at = 0; at < worth.length; at++) {
        if (worth[at] == WORTHLESS) {
          from = at + 1;
          sum = 0;
          continue;
        }
        sum += worth[at];
        while (at - from >= WINDOW_BYTES || (worth[from] == 0 && from < at)) {
          sum -= worth[from++];
        }
        if (sum > best.worth() + 1e-6) {
          best = new Piece(i, from, at + GRAM_BYTES, sum);
        }
      }
    }
    return best;
  }

  private void cover(Piece piece) {
    byte[] batch = batches.get(piece.batch());
    for (int at = piece.from(); at + GRAM_BYTES <= piece.to(); at++) {
      for (int[] place : places.get(gram(batch, at))) {
        worths.get(place[0])[place[1]] = 0;
      }
    }
  }

  /** Joins pieces that overlap or touch, and sorts them by worth by byte, the best last. */
  private static List<Piece> joined(List<Piece> taken) {
    List<Piece> inPlace = new ArrayList<>(taken);
    inPlace.sort(Comparator.comparingInt(Piece::batch).thenComparingInt(Piece::from));
    List<Piece> joined = new ArrayList<>();
    for (Piece piece : inPlace) {
      Piece last = joined.isEmpty() ? null : joined.get(joined.size() - 1);
      if (last != null && last.batch() == piece.batch() && piece.from() <= last.to()) {
        joined.set(
            joined.size() - 1,
            new Piece(
                last.batch(),
                last.from(),
                Math.max(last.to(), piece.to()),
                last.worth() + piece.worth()));
      } else {
        joined.add(piece);
      }
    }
    joined.sort(Comparator.comparingDouble(piece -> piece.worth() / (piece.to() - piece.from())));
    return joined;
  }
}
