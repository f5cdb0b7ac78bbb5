package io.rmigate.gateway.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Finds the known name that is nearest to a misspelt one. */
final class NearestName {
  private NearestName() {}

  /** The candidate that a few typing errors away from {@code typed}; empty when none is near. */
  static Optional<String> of(String typed, Collection<String> candidates) {
    int tolerated = Math.max(1, typed.length() / 3);
    return candidates.stream()
        .filter(candidate -> distance(typed, candidate) <= tolerated)
        .min(Comparator.comparingInt(candidate -> distance(typed, candidate)));
  }

  /** Levenshtein's edit distance; case and the choice of {@code _} or {@code -} count nothing. */
  private static int distance(String a, String b) {
    String left = a.toLowerCase(java.util.Locale.ROOT).replace('_', '-');
    String right = b.toLowerCase(java.util.Locale.ROOT).replace('_', '-');
    int[] row = new int[right.length() + 1];
    for (int j = 0; j < row.length; j++) {
      row[j] = j;
    }
    for (int i = 1; i <= left.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= right.length(); j++) {
        int substituted = diagonal + (left.charAt(i - 1) == right.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(substituted, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[right.length()];
  }
}
